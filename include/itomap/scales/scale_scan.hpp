// Which epsilon: a scan over scales with what each would give, and one recommendation with its reason.
//
// The best epsilon balances three errors of the time scales: the bias of the kernel's width, which grows with epsilon;
// the bias of few points and the noise, which grow as epsilon shrinks and points run out of neighbours. All can be read
// off the data. Scales are a factor of 2 apart: from the differences between three of them the two biases are told
// apart by how fast they grow, epsilon and 1 / (m epsilon^(d/2)), d the intrinsic dimension; the noise is a jackknife
// over blocks of rows (analysis/error_bars.hpp).
//
// The recommendation is the scale with the smallest sum of squares, relative to lambda and averaged over the leading
// modes, among those at which few modes are outliers. With periodic coordinates the scan begins where a kernel has gone
// around the longest period, that of a local map where steps of drift are as long as the data is wide. Large data is
// scanned on every so many-th row; what depends on the number of points is scaled to all of them (the noise by how many
// of the rows are independent), and where the choice falls on the smallest scale that the part could bear, a larger
// part is taken, up to an eighth of all; narrower scales that all points can bear are then judged by the laws above,
// without a map. For LKDmap epsilon, a time, is chosen first, with a density scale that follows it; then the density
// scale, a squared length, by the same rule at that epsilon.
//
// Maps whose epsilon is Scale::balanced() do this by themselves; the scan is for those who want to see it.
//
//   const auto scan = scan_scales({.method = Method::TargetMeasureMap, .points = x, .log_target = log_pi});
//   scan.epsilon;  scan.reason;
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "itomap/core/execution.hpp"
#include "itomap/core/ranks.hpp"
#include "itomap/core/types.hpp"
#include "itomap/generator/map_definition.hpp"

namespace itomap {

class Map;

struct ScaleScanOptions {
  Index modes = 3;               ///< whose time scales count
  Index blocks = 5;              ///< of the jackknife
  Index most_points = 8000;      ///< of the first part
  std::optional<double> low{};   ///< no scales below
  std::optional<double> high{};  ///< or above
  Execution execution{};
  /// Processes that share the scales, each with the same map; all have the result, the same as of one. Null: this one
  /// alone.
  const Ranks* ranks = nullptr;
};

struct ScaleScanRow {
  double epsilon = 0.0;
  double density_epsilon = 0.0;
  Index points = 0;  ///< on which it was tried; 0: no map was made, the errors are continued from wider scales
  Index components = 0;
  Index isolated_points = 0;
  double neighbours = 0.0;
  Vector timescales;  ///< of the leading modes; empty if it was not tried
  // Errors of lambda, relative, root mean squares over the modes; NaN where they cannot be told, as at the widest
  // scale.
  double bias = 0.0;        ///< of the kernel's width
  double few_points = 0.0;  ///< bias of all points, however few they are
  double noise = 0.0;       ///< of all points
  bool usable = false;      ///< so many true modes were found beside at most a handful of outliers

  double error() const;
};

struct ScaleScan {
  std::vector<ScaleScanRow> rows;     ///< by descending epsilon
  std::vector<ScaleScanRow> density;  ///< LKDmap: the density scale at the epsilon chosen
  double epsilon = 0.0;
  std::optional<double> density_epsilon{};                  ///< LKDmap
  double error = std::numeric_limits<double>::quiet_NaN();  ///< estimated there; NaN: it could not be
  Index bandwidth_dimension = 0;  ///< that a variable bandwidth had at all scales: given, or the steepest slope's
  std::string reason;             ///< one line

  /// The recommendation and its reason, in one line.
  std::string verdict() const;
  /// Tables of the scales, a picture of where the time scales have a plateau, and the verdict, as the command line
  /// prints them.
  std::string report() const;
};

/// Where no scale can be judged, on too few points or such that fall apart, the recommendation is the scale of steepest
/// growth of the kernel sum (kernel_sum.hpp), and the reason says so. A density scale that `map` gives is kept.
ScaleScan scan_scales(const MapDefinition& map, const ScaleScanOptions& options = {});

/// The scan that the epsilon of a map was chosen from; null where it was given, or the map was loaded. Lives as long as
/// the map.
const ScaleScan* scan_of(const Map& map);

}  // namespace itomap
