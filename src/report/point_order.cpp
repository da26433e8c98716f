#include "report/point_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.hpp"
#include "neighbors/kd_order.hpp"

namespace itomap::detail {
namespace {

// Each subset of this size is as likely as any other (Knuth, algorithm S), and comes sorted.
std::vector<std::int32_t> subset(Index all, Index size) {
  std::vector<std::int32_t> chosen;
  chosen.reserve(std::size_t(size));
  RandomStream random(0);
  for (Index i = 0; i < all; ++i) {
    const Index wanted = size - Index(chosen.size());
    if (random.uniform() * double(all - i) < double(wanted)) {
      chosen.push_back(std::int32_t(i));
    }
  }
  return chosen;
}

// In many dimensions neighbours are no longer near in each coordinate, but the slow functions change little.
std::vector<const ReportColumn*> sorted_by(const ReportData& data) {
  constexpr std::size_t most = 3;
  const auto group =
      data.dimension >= 1 && data.dimension <= Index(most) ? ColumnGroup::Coordinate : ColumnGroup::Eigenfunction;
  std::vector<const ReportColumn*> columns;
  for (const ReportColumn& column : data.columns) {
    if (column.group == group && columns.size() < most) {
      columns.push_back(&column);
    }
  }
  return columns;
}

// Scaled to the same width; points without a value go together.
Points scaled(const std::vector<const ReportColumn*>& columns, Index rows) {
  Points points(rows, Index(columns.size()));
  for (Index k = 0; k < points.cols(); ++k) {
    double low = 0.0;
    double high = 0.0;
    for (Index i = 0; i < rows; ++i) {
      const double value = (*columns[std::size_t(k)])[i];
      points(i, k) = std::isfinite(value) ? value : 0.0;
      low = std::min(low, points(i, k));
      high = std::max(high, points(i, k));
    }
    points.col(k) /= high > low ? high - low : 1.0;
  }
  return points;
}

}  // namespace

std::vector<std::uint32_t> shown_points(const ReportData& data, Index most) {
  std::vector<std::int32_t> members;
  if (data.points > most) {
    members = subset(data.points, most);
  } else {
    members.resize(std::size_t(data.points));
    std::iota(members.begin(), members.end(), 0);
  }
  const auto columns = sorted_by(data);
  if (!columns.empty()) {
    kd_order(scaled(columns, data.points), 0, members);
  }
  return {members.begin(), members.end()};
}

}  // namespace itomap::detail
