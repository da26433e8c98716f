#include "io/array_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "itomap/core/error.hpp"

namespace itomap::io {

void check_finite(const Array& array) {
  const auto values = array.as_points();
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (!std::isfinite(values(i, j)))
        throw IoError(fmt::format("{}: {} in row {}, column {} (counted from 0); mend or remove that row", array.source,
                                  values(i, j), i, j));
}

void check_period(const std::vector<double>& period, PointsView points, const std::string& source) {
  constexpr double coarsest = 1e-3;  // rounding of a coordinate, in periods
  using Limits = std::numeric_limits<double>;
  for (Index a = 0; a < std::min(Index(period.size()), points.cols()); ++a) {
    const double length = period[std::size_t(a)];
    const double largest = points.col(a).cwiseAbs().maxCoeff();
    const double shortest = std::max(std::sqrt(Limits::min()), Limits::epsilon() * largest / coarsest);
    if (length > 0.0 && length < shortest)
      throw IoError(fmt::format(
          "period: {:g} for coordinate {} is too short for {}, where that coordinate reaches {:g}; take {:g} "
          "or more, or other units",
          length, a, source, largest, shortest));
  }
}

}  // namespace itomap::io
