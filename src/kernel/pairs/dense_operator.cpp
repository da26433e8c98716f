#include "kernel/pairs/dense_operator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "core/vector_exp.hpp"
#include "kernel/graph_builder.hpp"
#include "kernel/reorder.hpp"

namespace itomap::detail {
namespace {

constexpr Index columns_at_once = 512;
constexpr Index rows_per_chunk = 32;
/// exp(-40) is below rounding. Images are followed that far, whatever the cut-off: which ones come within it depends on
/// the row, and the products of a symmetric kernel must be symmetric.
constexpr double image_limit = 40.0;

/// Tiles leave 2^-1000 of an entry that is cut off, which is nothing, unless there is nothing else: a point that sees
/// no weight must have the sum 0, as it has by its own entries.
void clear_remnants(PointsView x, Eigen::Ref<Block> y) {
  const double most = std::ldexp(double(x.rows()) * x.cwiseAbs().maxCoeff(), -1000);
  y = (y.array().abs() <= most).select(0.0, y);
}

}  // namespace

DenseOperator::DenseOperator(KernelGeometry geometry) : geometry_(std::move(geometry)) {
  if (!geometry_.symmetric()) {
    Reporter reporter("kernel");
    log_scale_ = geometry_.stranded_exponents(reporter);
  }
  if (!geometry_.row_by_row()) {
    tiles_.emplace(geometry_, log_scale_);
  }
}

void DenseOperator::apply(PointsView x, Eigen::Ref<Block> y) const {
  if (!tiles_) {
    apply_images(x, y);
    return;
  }
  Slabs in(size(), x.cols());
  Slabs out(size(), x.cols());
  in.gather(x, geometry_.order());
  tiles_->apply(in, out);
  out.scatter(geometry_.order(), y);
  clear_remnants(x, y);
}

void DenseOperator::apply_transpose(PointsView x, Eigen::Ref<Block> y) const {
  if (!tiles_) {
    apply_images_transpose(x, y);
    return;
  }
  Slabs in(size(), x.cols());
  Slabs out(size(), x.cols());
  in.gather(x, geometry_.order());
  tiles_->apply_transpose(in, out);
  out.scatter(geometry_.order(), y);
  clear_remnants(x, y);
}

void DenseOperator::entries(Index i, Index begin, Index end, KernelRow& scratch, double* values) const {
  const Index n = end - begin;
  const double log_scale = log_scale_.size() > 0 ? log_scale_[i] : 0.0;
  if (geometry_.whitening().along_axes()) {
    geometry_.wrapped_entries(i, log_scale, begin, end, values);
    return;
  }
  geometry_.images(i, image_limit + log_scale, scratch);
  double u[columns_at_once];
  std::fill(values, values + n, 0.0);
  for (std::size_t k = 0; k < scratch.images.size(); k += std::size_t(geometry_.dimension())) {
    geometry_.exponents(i, scratch.images.data() + k, begin, end, u);
    geometry_.cut_off(log_scale, n, u);
    exp_of_negative(u, n);
    for (Index j = 0; j < n; ++j) {
      values[j] += u[j];
    }
  }
}

void DenseOperator::apply_images(PointsView x, Eigen::Ref<Block> y) const {
  const Block sorted = gathered(x, geometry_.order());
  parallel_chunks(size(), rows_per_chunk, [&](Index first, Index last) {
    KernelRow scratch;
    for (Index i = first; i < last; ++i) {
      y.row(geometry_.order()[i]) = image_row(i, sorted, scratch);
    }
  });
}

Eigen::RowVectorXd DenseOperator::image_row(Index i, const Block& sorted, KernelRow& scratch) const {
  double values[columns_at_once];
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(sorted.cols());
  for (Index begin = 0; begin < size(); begin += columns_at_once) {
    const Index end = std::min(size(), begin + columns_at_once);
    entries(i, begin, end, scratch, values);
    sum.noalias() += Eigen::Map<const Eigen::RowVectorXd>(values, end - begin) * sorted.middleRows(begin, end - begin);
  }
  return sum;
}

void DenseOperator::apply_images_transpose(PointsView x, Eigen::Ref<Block> y) const {
  if (symmetric()) {
    apply_images(x, y);
    return;
  }
  const Block sorted = gathered(x, geometry_.order());
  parallel_chunks(size(), columns_at_once, [&](Index begin, Index end) {
    KernelRow scratch;
    double values[columns_at_once];
    Block sum = Block::Zero(end - begin, x.cols());
    for (Index i = 0; i < size(); ++i) {
      entries(i, begin, end, scratch, values);
      sum.noalias() += Eigen::Map<const Vector>(values, end - begin) * sorted.row(i);
    }
    for (Index j = begin; j < end; ++j) {
      y.row(geometry_.order()[j]) = sum.row(j - begin);
    }
  });
}

void DenseOperator::apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  if (tiles_) {
    geometry_.row_products(rows, x, y);
    return;
  }
  // With the images that products have, also those beyond the cut-off: at points of next to no weight they may be all
  // there is.
  const Block sorted = gathered(x, geometry_.order());
  parallel_chunks(Index(rows.size()), rows_per_chunk, [&](Index first, Index last) {
    KernelRow scratch;
    for (Index k = first; k < last; ++k) {
      y.row(k) = image_row(geometry_.position(rows[std::size_t(k)]), sorted, scratch);
    }
  });
}

std::size_t DenseOperator::memory() const {
  return geometry_.memory() + (tiles_ ? tiles_->memory() : 0) + std::size_t(log_scale_.size()) * sizeof(double);
}

KernelGraph DenseOperator::graph() const {
  // Rows are computed by all threads, a batch at a time, and entered by one.
  constexpr Index batch = 256;
  GraphBuilder builder(geometry_.order());
  std::vector<KernelRow> rows(batch);
  Reporter reporter("neighbours");
  for (Index first = 0; first < size(); first += batch) {
    const Index count = std::min(batch, size() - first);
    reporter.report_or_throw(double(first) / double(size()));
    parallel_chunks(count, rows_per_chunk, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        geometry_.row(first + k, rows[k]);
      }
    });
    for (Index k = 0; k < count; ++k) {
      builder.add_row(first + k, rows[k].columns, rows[k].log_scale > 0.0);
    }
  }
  return builder.finish();
}

}  // namespace itomap::detail
