// How kernels are computed: options shared by all three maps.
//
// None of them changes what is computed beyond `cutoff` and `period`, and `single_precision` by rounding; `engine`
// chooses how fast and in how much memory. Only the engine `Landmarks` is an approximation of its own; what it costs in
// accuracy is measured and kept in the KernelPlan.
//
//   const auto map = itomap::diffusion_map(points, {.epsilon = 0.01, .kernel = {.cutoff = 1e-6}});
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap {

/// How the kernel matrix K is held; see docs/theory/engines.md.
enum class Engine {
  Auto,       ///< the planner picks the cheapest engine that fits into the memory allowed
  Sparse,     ///< all entries of at least `cutoff`, stored
  Grid,       ///< fast Gauss transform, N <= 3
  Dense,      ///< all pairs within the cut-off, recomputed in every product, nothing stored
  Landmarks,  ///< interpolated between n places, any N: approximate, and linear in the number of points
};

/// "auto", "sparse", "grid", "dense", "landmarks".
std::string_view to_string(Engine engine);
/// The inverse; throws InvalidArgument naming the choices.
Engine engine_from_string(std::string_view name);

struct KernelOptions {
  Engine engine = Engine::Auto;

  /// Kernel entries below this are left out, 0 < cutoff < 1. For local kernels it bounds a Mahalanobis ball around
  /// x + epsilon b. It is a tolerance on the kernel, never a number of neighbours.
  double cutoff = 1e-8;

  /// Length of one period of each coordinate; 0 for one that is not periodic. Empty: none is. Kernels are summed over
  /// all images within the cut-off, so that a wide kernel on a short circle is the wrapped Gaussian.
  std::vector<double> period{};

  /// Stored kernel entries take four bytes instead of eight: half the memory, relative error 6e-8. Only the sparse
  /// engine stores any; sums are in double precision as ever. Needs cutoff >= 1e-37.
  bool single_precision = false;

  /// n of the engine Landmarks; 0: doubled until `landmark_error` is reached, up to 2048.
  Index landmarks = 0;

  /// What n is doubled for: the relative error of the mean squared step of a row, as measured on a sample of rows.
  /// Rates are off by about half as much. 0 < landmark_error < 1.
  double landmark_error = 0.02;

  /// Throws InvalidArgument that names the option, its value and its range. `dimension` is N.
  void validate(std::size_t dimension) const;
};

}  // namespace itomap
