// The generator of an Itô diffusion on a point cloud: what all three maps return.
//
// Every method of the paper is one object: a kernel K, a density estimate q and positive right weights d make a Markov
// matrix on the data, and from it the backward (Kolmogorov) and forward (Fokker-Planck) generators
//
//   P  = diag(K d)^-1 K diag(d)
//   L  = (P - I) / epsilon
//   L* = diag(q) L^T diag(q)^-1          acts on densities with respect to volume
//
// so that (D L)^T = D L* with D = diag(1/q). For the biased kernel of Berry and Sauer L* = L^T.
//
// With a variable bandwidth (itomap/kernel/bandwidth.hpp) a step from x_i takes the time epsilon rho_i^2. P is then the
// lazy chain that moves with probability pace_i = (min rho / rho_i)^2 and stays otherwise: its steps take the same time
// everywhere, time_step() = epsilon min rho^2, and everything else about P, L and L* stays as it is.
//
// Cost: one product with K for each application. Memory: K's, plus four vectors of length m.
//
//   const auto map = itomap::target_measure_map(points, log_target, {.epsilon = 0.01});
//   itomap::Vector lf = map.backward(f);
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/kernel/bandwidth.hpp"
#include "itomap/kernel/kernel_operator.hpp"
#include "itomap/kernel/plan.hpp"

namespace itomap {

/// What a user should know before trusting the result.
struct Diagnostics {
  Index components = 1;            ///< of the kernel graph; a point that sees nothing but traps is one of its own
  Index isolated_points = 0;       ///< points without a neighbour within the cut-off
  Index stranded_points = 0;       ///< points whose Euler step lands outside the cut-off of all data
  Index trap_points = 0;           ///< points that would hold the process and are not entered (local kernels only)
  Index underflow_points = 0;      ///< points whose target density is 0 in double precision
  Index dropped_points = 0;        ///< left out because of drop_isolated
  double mean_neighbours = 0.0;    ///< entries a row above the cut-off
  double intrinsic_dimension = 0;  ///< 2 d log(sum k) / d log(epsilon) at the scale of the density estimate
  std::vector<std::string> warnings;
};

enum class Method { DiffusionMap, TargetMeasureMap, LocalKernelMap, BiasedLocalKernelMap };

struct Generator {
  Method method = Method::DiffusionMap;
  double epsilon = 0.0;
  double density_epsilon = 0.0;
  bool reversible = true;  ///< L is symmetric in the stationary inner product: real spectrum

  std::shared_ptr<const KernelOperator> kernel;
  KernelPlan plan;                ///< why that engine
  Vector density;                 ///< q_i, raw kernel sums at density_epsilon
  Vector right_weights;           ///< d_i, up to a common factor
  Vector row_sums;                ///< (K d)_i
  Vector bandwidth;               ///< rho_i; empty: the same kernel everywhere
  Index bandwidth_dimension = 0;  ///< d in rho^d, the volume that the kernel of a point covers
  /// (min rho / rho_i)^2, the chance to move at all, and 0 for points that see nothing but traps; empty: 1
  Vector pace;
  std::vector<Index> small_rows;  ///< rows whose sum is too small for the kernel's fast products
  std::vector<Index> component;   ///< connected component of each point
  Diagnostics diagnostics;

  /// Rows of the user's data that are in the map, ascending; all of them unless isolated points were dropped.
  std::vector<Index> kept;
  Index input_points = 0;             ///< m of the user's data
  int threads = 0;                    ///< as in KernelOptions
  std::optional<std::size_t> memory;  ///< as in KernelOptions

  Index size() const { return density.size(); }
  /// The time that a step of P takes.
  double time_step() const;

  /// Weights of the points in averages over the invariant measure, summing to 1. Reversible maps only: d (K d); for
  /// the others take `stationary` of the spectrum.
  Vector reversible_stationary() const;

  /// P f and P^T w, column by column.
  Block markov(PointsView f) const;
  /// P f at the listed points only, from their own kernel entries.
  Block markov_rows(const std::vector<Index>& rows, PointsView f) const;
  Block markov_transpose(PointsView w) const;

  /// L f and L* rho.
  Vector backward(VectorView f) const;
  Vector forward(VectorView rho) const;
};

}  // namespace itomap
