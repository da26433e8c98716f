#include "kernel/landmarks/landmark_error.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

constexpr Index sampled_rows = 128;
constexpr double sampled_entries = 512.0;

struct RowMoments {
  double values = 0.0;
  double steps = 0.0;  // values times -log of them
};

RowMoments moments_of(const KernelRow& row) {
  RowMoments s;
  for (const double k : row.values) {
    s.values += k;
    s.steps -= k * std::log(k);
  }
  return s;
}

}  // namespace

LandmarkSample::LandmarkSample(const KernelGeometry& geometry) {
  const Index m = geometry.size();
  const Index count = std::min(m, sampled_rows);
  std::vector<Row> rows(static_cast<std::size_t>(count));
  parallel_chunks(count, 1, [&](Index first, Index last) {
    KernelRow exact;
    for (Index r = first; r < last; ++r) {
      Row& row = rows[std::size_t(r)];
      row.point = r * m / count;
      geometry.row(row.point, exact);
      if (exact.log_scale > 0.0) {
        continue;  // whose step leaves the data: no row like others
      }
      const RowMoments s = moments_of(exact);
      row.sum = s.values;
      row.step = s.steps / s.values;
      // Half by their values, half evenly: those that matter, and those that should be next to nothing.
      const double entries = double(exact.values.size());
      double due = 0.5;
      for (std::size_t e = 0; e < exact.values.size(); ++e) {
        const double chance = std::min(1.0, sampled_entries * 0.5 * (exact.values[e] / s.values + 1.0 / entries));
        due += chance;
        if (due >= 1.0) {
          due -= 1.0;
          row.entries.push_back({exact.columns[e], exact.values[e], 1.0 / chance});
        }
      }
    }
  });
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(rows_), [](const Row& row) { return row.sum > 0.0; });
}

LandmarkError LandmarkSample::error(const LandmarkKernel& kernel) const {
  Block squares = Block::Zero(Index(rows_.size()), 3);
  parallel_chunks(squares.rows(), 1, [&](Index first, Index last) {
    for (Index r = first; r < last; ++r) {
      const Row& row = rows_[std::size_t(r)];
      const Vector weights = kernel.solved(kernel.row(KernelSide::Targets, row.point));
      double sum = 0.0;
      double step = 0.0;
      for (const Entry& e : row.entries) {
        const double off = e.weight * (kernel.row(KernelSide::Sources, e.column).dot(weights) - e.value);
        sum += off;
        squares(r, 2) += off * off / (e.weight * double(kernel.points()));
        step -= off * std::log(e.value);
      }
      const double moved = (row.step * row.sum + step) / (row.sum + sum);
      squares(r, 0) = std::pow(sum / row.sum, 2);
      squares(r, 1) = row.step > 0.0 ? std::pow(moved / row.step - 1.0, 2) : 0.0;
    }
  });
  if (squares.rows() == 0) {
    return {};
  }
  const Eigen::RowVectorXd means = squares.colwise().mean().cwiseSqrt();
  return {.sums = means[0], .steps = means[1], .entries = means[2]};
}

}  // namespace itomap::detail
