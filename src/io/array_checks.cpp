#include "io/array_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "itomap/core/error.hpp"

namespace itomap::detail {

void check_finite(const Array& array) {
  const auto values = array.as_points();
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (!std::isfinite(values(i, j)))
        throw IoError(fmt::format("{}: {} in row {}, column {} (counted from 0); mend or remove that row", array.source,
                                  values(i, j), i, j));
}

}  // namespace itomap::detail
