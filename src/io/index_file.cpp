#include "itomap/io/index_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/read_array.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

using Values = Eigen::Map<const Vector>;

bool all_zero_or_one(const Values& values) { return ((values.array() == 0.0) || (values.array() == 1.0)).all(); }

/// Zeros and ones repeat in nothing but a mask; true and false are no numbers of points, however few there are.
bool is_mask(const Array& array, const std::string& file, Index points) {
  const Values values = array.as_vector();
  if (!array.boolean && (values.size() <= 2 || !all_zero_or_one(values))) {
    return false;
  }
  if (values.size() == points) {
    return true;
  }
  throw IoError(fmt::format("{}: is a mask of {} entries, but there are {} points; give one entry for each point", file,
                            values.size(), points));
}

Index as_index(double value, Index position, const std::string& file, Index points) {
  if (!(value == std::floor(value))) {
    throw IoError(
        fmt::format("{}: {} (entry {}) is not a whole number; give numbers of points, counted from 0, or a mask", file,
                    value, position));
  }
  if (value < 0.0 || value >= static_cast<double>(points)) {
    throw IoError(fmt::format("{}: there is no point {:.0f} (entry {}); the points are 0 to {}", file, value, position,
                              points - 1));
  }
  return static_cast<Index>(value);
}

}  // namespace

std::vector<Index> read_indices(const std::string& file, Index points) {
  const Array array = read_array_of(file, NpyKind::Whole);
  const Values values = array.as_vector();
  const bool mask = is_mask(array, file, points);
  std::vector<Index> indices;
  for (Index k = 0; k < values.size(); ++k) {
    if (!mask) {
      indices.push_back(as_index(values[k], k, file, points));
    } else if (values[k] == 1.0) {
      indices.push_back(k);
    }
  }
  if (indices.empty()) {
    throw IoError(fmt::format("{}: holds no point; name at least one", file));
  }
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

std::vector<Index> read_counts(const std::string& file) {
  constexpr double most = 1e15;
  const Array array = read_array_of(file, NpyKind::Whole);
  std::vector<Index> counts;
  for (const double value : array.as_vector()) {
    if (!(value >= 1.0 && value <= most && value == std::floor(value))) {
      throw IoError(fmt::format("{}: {:g} (entry {}) is not a whole number >= 1", file, value, counts.size()));
    }
    counts.push_back(static_cast<Index>(value));
  }
  return counts;
}

}  // namespace itomap
