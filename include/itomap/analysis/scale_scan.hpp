// Which epsilon: a scan over scales with what each would give, and one recommendation with its reason.
//
// The best epsilon balances two errors of the time scales: the bias, which grows with epsilon, and the noise, which
// grows as epsilon shrinks and points run out of neighbours. Both can be read off the data. Scales are a factor of 2
// apart, and
//
//   bias(epsilon)  ~  |lambda(2 epsilon) - lambda(epsilon)|          (Richardson)
//   noise(epsilon) ~  a jackknife over blocks of rows                (uncertainty.hpp)
//
// The recommendation is the scale with the smallest sum of squares, relative to lambda and averaged over the leading
// modes, among those at which the data is connected and none of these modes is an outlier. Large data is scanned on
// every so many-th row; the noise is scaled to all of them, and where the choice falls on the smallest scale that the
// part could bear, a larger part is taken. For LKDmap epsilon, a time, is chosen first, with a density scale that
// follows it; then the density scale, a squared length, by the same rule at that epsilon.
//
//   MapDefinition map{.method = Method::TargetMeasureMap, .points = x, .log_target = log_pi};
//   map.epsilon = scan_scales(map).epsilon;
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/generator/map_definition.hpp"

namespace itomap {

struct ScaleScanOptions {
  Index modes = 3;               ///< whose time scales count
  Index blocks = 5;              ///< of the jackknife
  Index most_points = 8000;      ///< of the first part
  std::optional<double> low{};   ///< no scales below
  std::optional<double> high{};  ///< or above
  Progress progress{};
};

struct ScaleScanRow {
  double epsilon = 0.0;
  double density_epsilon = 0.0;
  Index points = 0;  ///< on which it was tried
  Index components = 0;
  Index isolated_points = 0;
  double neighbours = 0.0;
  Vector timescales;    ///< of the leading modes
  double bias = 0.0;    ///< relative, root mean square over the modes; NaN at the largest scale
  double noise = 0.0;   ///< likewise, for all points
  bool usable = false;  ///< connected, and no outlier among the leading modes

  double error() const;
};

struct ScaleScan {
  std::vector<ScaleScanRow> rows;     ///< by descending epsilon
  std::vector<ScaleScanRow> density;  ///< LKDmap: the density scale at the epsilon chosen
  double epsilon = 0.0;
  std::optional<double> density_epsilon{};  ///< LKDmap
  std::string reason;                       ///< one line
};

/// Where no scale can be judged, on too few points or such that fall apart, the recommendation is the scale of steepest
/// growth of the kernel sum (scale.hpp), and the reason says so. A density scale that `map` gives is kept.
ScaleScan scan_scales(const MapDefinition& map, const ScaleScanOptions& options = {});

}  // namespace itomap
