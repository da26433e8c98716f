// What a Map holds: the kernel, its weights, and everything that follows from them.
#pragma once

#include <memory>
#include <vector>

#include "itomap/generator/map.hpp"
#include "kernel/kernel_operator.hpp"

namespace itomap {
struct ScaleScan;
}

namespace itomap::detail {

struct Walls;
struct WallSample;

struct Generator {
  MapDefinition definition;  ///< with the scales that were chosen
  Execution execution;
  bool reversible = true;
  double epsilon = 0.0;
  double density_epsilon = 0.0;

  std::shared_ptr<const KernelOperator> kernel;
  Points step_drift;  ///< of LKDmap's kernel, where it is not the definition's: Step::Heun
  KernelPlan plan;
  Vector density;                 ///< q_i, kernel sums at density_epsilon, by rho_i^d if it varies
  Vector right_weights;           ///< d_i, up to a common factor
  Vector row_sums;                ///< (K d)_i
  Vector bandwidth;               ///< rho_i; empty: the same kernel everywhere
  Index bandwidth_dimension = 0;  ///< d in rho^d, the volume that the kernel of a point covers
  /// (min rho / rho_i)^2, the chance to move at all, and 0 for points that see nothing but traps; empty: 1
  Vector pace;
  std::vector<Index> small_rows;  ///< rows whose sum is too small for the kernel's fast products
  std::vector<Index> component;   ///< connected component of each point
  std::vector<Index> kept;        ///< rows of the user's data that are in the map, ascending
  Diagnostics diagnostics;
  std::shared_ptr<const Walls> walls;             ///< of a reversible map that is bistochastic
  std::shared_ptr<const WallSample> wall_sample;  ///< of a map that users have; parts and trials of maps have none
  std::shared_ptr<const ScaleScan> scan;          ///< that epsilon was chosen from; none where it was given

  Index size() const { return density.size(); }
  Index input_points() const { return definition.size(); }
  Index dimension() const { return definition.dimension(); }
  Method method() const { return definition.method; }
  double time_step() const;

  /// d (K d), scaled to the sum 1: phi_0 of a reversible map.
  Vector reversible_stationary() const;

  Block markov(PointsView f) const;
  /// The mean of f after a step that is taken: P f, but for a pace.
  Block moved(PointsView f) const;
  /// That the kernel's i-th row is centred by.
  Vector drift_of_step(Index i) const;
  /// P f at the listed points only, from their own kernel entries.
  Block markov_rows(const std::vector<Index>& rows, PointsView f) const;
  Block markov_transpose(PointsView w) const;
  Vector backward(VectorView f) const;
  Vector forward(VectorView rho) const;
};

/// phi_0 of a map that is not reversible; implemented in spectrum/, which stands to the right.
Vector solved_stationary(const Generator& generator);

}  // namespace itomap::detail
