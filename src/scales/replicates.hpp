// Solutions of the same map at several scales and on parts of its points, mode by mode: what error bars and the choice
// of a scale are made of.
#pragma once

#include <vector>

#include "generator/generator.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "scales/function_algebra.hpp"
#include "scales/mode_correction.hpp"

namespace itomap::detail {

/// The map at a multiple of the epsilon that `generator` has; a density scale of its own goes along. The dimension of a
/// variable bandwidth is that of `generator`, not estimated anew.
MapDefinition at_scale(const MapDefinition& map, const Generator& generator, double factor);

/// What is needed of a solution at one scale.
struct Solution {
  MapDefinition map;  // on the points that are in it
  double epsilon;
  Eigenfunctions psi;
  Eigenfunctions phi;
  Eigen::VectorXcd lambda;
};

Solution solution_of(const MapDefinition& map, const Generator& generator, const Spectrum& spectrum);

/// Puts the modes of `other`, on the same points, into the order of those of `leading` and drops what is left over: the
/// largest overlaps belong together, real ones to real ones, and have the same phase. Returns the modes of `leading` of
/// which `other` has no likeness; they get the eigenvalues of `leading`.
std::vector<Index> reorder(const Solution& leading, Solution& other);

/// Modes of the map on some of the points, in the order of those of all. Its rows are the points that are in `part`.
struct PartModes {
  Eigen::VectorXcd lambda;
  Eigenfunctions psi;  ///< of unit size, and in phase with those of all
  Eigenfunctions phi;  ///< biorthonormal; that of lambda_0 is the stationary distribution
};

/// From those of all, by a projection onto functions R that are nearer, and L for the left side,
///
///   H = (L^T R)^-1 L^T P R,    R = psi + x,   L = phi + y, or R weighted by phi_0 of the part if reversible.
///
/// With neither x nor y the eigenvalues of H are those of the part to first order in what the part is without, which is
/// what a standard deviation takes. The second order, which makes a bias that is multiplied by the number of blocks, is
/// in the corrections x and y (mode_correction.hpp). Powers of P would find them too, but would also turn towards the
/// slow modes of outliers, which are not among those that are asked for.
PartModes part_modes(const Solution& solution, const Generator& part, const std::vector<Index>& rows,
                     const CorrectionLimits& limits);

/// phi_0 of a map: in closed form if it is reversible, otherwise that of its modes, as weights that sum to 1.
Vector stationary_of(const Generator& part, const PartModes& modes);

/// The eigenvalues alone, without corrections.
Eigen::VectorXcd projected_values(const Solution& solution, const Generator& part, const std::vector<Index>& rows);

/// All rows but those of one of the blocks.
std::vector<Index> without_block(Index block, Index blocks, Index points);

/// The delete-one-block jackknife, real and imaginary parts apart.
class Jackknife {
 public:
  void add(const Eigen::VectorXcd& value) { values_.push_back(value); }
  /// Standard deviations; at least two values must have been added.
  Eigen::VectorXcd error() const;

 private:
  std::vector<Eigen::VectorXcd> values_;
};

}  // namespace itomap::detail
