// Everything that determines a map, in one value: which one, on which points, with which coefficients and scales.
//
// diffusion_map, target_measure_map and local_kernel_map are the plain way to a map. A definition is what the map keeps
// of them, what a result directory holds, and what a variation starts from: the same map at another epsilon, or on some
// of its points.
//
//   MapDefinition definition = map.definition();
//   definition.epsilon = 2.0 * map.epsilon();
//   const Map wider = make_map(definition);
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "itomap/core/distances.hpp"
#include "itomap/core/point_cloud.hpp"
#include "itomap/core/scale.hpp"
#include "itomap/core/types.hpp"
#include "itomap/kernel/bandwidth.hpp"
#include "itomap/kernel/diffusion.hpp"
#include "itomap/kernel/kernel_options.hpp"

namespace itomap {

enum class Method { DiffusionMap, TargetMeasureMap, LocalKernelMap, BiasedLocalKernelMap };

/// "diffusion_map", "target_measure_map", "local_kernel_map" or "biased_local_kernel_map".
std::string_view to_string(Method method);
/// The inverse; throws InvalidArgument naming the choices.
Method method_from_string(std::string_view name);

/// How the kernel becomes a Markov matrix. Paper: weights d as the paper has them, which at a wall, where the data ends
/// and the invariant density does not, are off by O(epsilon^1/2). Bistochastic: right to O(epsilon) there as well. Of
/// reversible maps d solves d_i (K d)_i = w_i for the invariant measure w on the points, and the density q knows how
/// much of the kernel lies beyond a wall; LKDmap has that density, and weights that reflect the process.
enum class Normalization { Paper, Bistochastic };

/// The step of a local kernel. Euler: y = x + epsilon b, the paper's. Heun: y = x + epsilon (b + P b) / 2, with P of
/// the Euler step: where drifts turn within a step, as in a vortex, errors of order epsilon become those of epsilon^2.
enum class Step { Euler, Heun };

std::string_view to_string(Normalization normalization);  ///< "paper" or "bistochastic"
std::string_view to_string(Step step);                    ///< "euler" or "heun"
/// The inverse; throw InvalidArgument naming the choices.
Normalization normalization_from_string(std::string_view name);
Step step_from_string(std::string_view name);

struct MapDefinition {
  Method method = Method::DiffusionMap;
  PointCloud points{};                   ///< m x N
  Distances distances{};                 ///< m x m, instead of points; not for LKDmap
  Vector log_target{};                   ///< m, TMDmap
  Points drift{};                        ///< m x N, LKDmap
  std::optional<Diffusion> diffusion{};  ///< LKDmap
  Scale epsilon = Scale::balanced();
  Scale density_epsilon = Scale::balanced();  ///< LKDmap; the others use epsilon
  double alpha = 0.5;                         ///< diffusion map
  double eta = 0.0;                           ///< LKDmap
  Normalization normalization = Normalization::Paper;
  Step step = Step::Euler;  ///< LKDmap
  VariableBandwidth bandwidth{};
  bool drop_isolated = false;
  bool keep_traps = false;  ///< LKDmap
  KernelOptions kernel{};

  Index size() const { return distances.empty() ? points.rows() : distances.rows(); }  ///< m
  Index dimension() const { return points.cols(); }                                    ///< N; 0 if there are no points
  /// The most dimensions that the points can span.
  Index most_dimensions() const { return distances.empty() ? points.cols() : size() - 1; }
  bool local() const { return method == Method::LocalKernelMap || method == Method::BiasedLocalKernelMap; }

  /// Throws InvalidArgument with one line for the first thing that is wrong: a shape, a value, an option out of range.
  void validate() const;

  /// The same map on some of the points.
  MapDefinition subset(const std::vector<Index>& rows) const;
};

}  // namespace itomap
