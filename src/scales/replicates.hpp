// Solutions of the same map at several scales and on parts of its points, mode by mode: what error bars and the choice
// of a scale are made of.
#pragma once

#include <vector>

#include "generator/generator.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::detail {

/// The map at a multiple of the epsilon that `generator` has; a density scale of its own goes along. The dimension of a
/// variable bandwidth is that of `generator`, not estimated anew.
MapDefinition at_scale(const MapDefinition& map, const Generator& generator, double factor);

/// What is needed of a solution at one scale.
struct Solution {
  MapDefinition map;  // on the points that are in it
  double epsilon;
  Eigen::MatrixXcd psi;
  Eigen::MatrixXcd phi;
  Eigen::VectorXcd lambda;
};

Solution solution_of(const MapDefinition& map, const Generator& generator, const Spectrum& spectrum);

/// Puts the modes of `other`, on the same points, into the order of those of `leading` and drops what is left over: the
/// largest overlaps belong together, real ones to real ones. Returns the modes of `leading` of which `other` has no
/// likeness; they get the eigenvalues of `leading`.
std::vector<Index> reorder(const Solution& leading, Solution& other);

/// Eigenvalues of the map on some of the points, by projection onto the modes of all.
Eigen::VectorXcd projected_values(const Solution& solution, const std::vector<Index>& rows);
/// The same for a map on those rows that is at hand.
Eigen::VectorXcd projected_values(const Solution& solution, const Generator& part, const std::vector<Index>& rows);

/// Eigenvalues of the map on some of the points, solved anew and in the order of the modes of all. A mode of which the
/// part has no likeness keeps the eigenvalue of all.
Eigen::VectorXcd part_values(const Solution& solution, const std::vector<Index>& rows);

/// All rows but those of one of the blocks.
std::vector<Index> without_block(Index block, Index blocks, Index points);

/// Every other block: the first, third, .. or the second, fourth, ..
std::vector<Index> every_other_block(bool odd, Index blocks, Index points);

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
