#include "kernel/sparse_operator.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/parallel.hpp"
#include "kernel/graph_builder.hpp"
#include "kernel/reorder.hpp"

namespace itomap {
namespace {

constexpr Index rows_per_block = 512;
constexpr double bytes_per_entry = sizeof(double) + sizeof(std::int32_t);

/// sum += value * row for the entries of one matrix row; `width` vectors side by side, known at compile time for the
/// widths that occur, so that the sums stay in registers.
template <int width>
void accumulate_row(std::span<const std::int32_t> columns, const double* values, const double* x, double* sum) {
  std::array<double, width> local{};
  for (std::size_t e = 0; e < columns.size(); ++e) {
    const double* in = x + std::ptrdiff_t(columns[e]) * width;
    for (int c = 0; c < width; ++c) {
      local[c] += values[e] * in[c];
    }
  }
  std::copy(local.begin(), local.end(), sum);
}

void accumulate_row(std::span<const std::int32_t> columns, const double* values, const double* x, Index width,
                    double* sum) {
  switch (width) {
    case 1:
      return accumulate_row<1>(columns, values, x, sum);
    case 4:
      return accumulate_row<4>(columns, values, x, sum);
    default:
      break;
  }
  std::fill(sum, sum + width, 0.0);
  for (std::size_t e = 0; e < columns.size(); ++e) {
    const double* in = x + columns[e] * width;
    for (Index c = 0; c < width; ++c) {
      sum[c] += values[e] * in[c];
    }
  }
}

}  // namespace

SparseOperator::SparseOperator(const KernelGeometry& geometry, const KernelOptions& options)
    : order_(geometry.order()), symmetric_(geometry.symmetric()), threads_(options.threads) {
  rows_ = assemble(geometry, options.progress);
  if (!symmetric_) {
    columns_ = transposed(rows_);
  }
}

double SparseOperator::predicted_bytes(double entries, bool symmetric) {
  return entries * bytes_per_entry * (symmetric ? 1.0 : 2.0);
}

SparseOperator::Blocks SparseOperator::assemble(const KernelGeometry& geometry, const Progress& progress) const {
  Blocks blocks(std::size_t((size() + rows_per_block - 1) / rows_per_block));
  Reporter reporter(progress, "kernel");
  parallel_chunks(
      size(), rows_per_block, threads_,
      [&](Index begin, Index end) {
        Rows& block = blocks[std::size_t(begin / rows_per_block)];
        block.first = begin;
        block.start.push_back(0);
        KernelRow row;
        for (Index i = begin; i < end; ++i) {
          geometry.row(i, row);
          block.columns.insert(block.columns.end(), row.columns.begin(), row.columns.end());
          block.values.insert(block.values.end(), row.values.begin(), row.values.end());
          block.start.push_back(std::int64_t(block.columns.size()));
          if (row.log_scale > 0.0) {
            block.stranded.push_back(i);
          }
        }
        block.columns.shrink_to_fit();
        block.values.shrink_to_fit();
      },
      &reporter);
  return blocks;
}

SparseOperator::Blocks SparseOperator::transposed(const Blocks& blocks) const {
  Blocks result(blocks.size());
  parallel_chunks(size(), rows_per_block, threads_, [&](Index begin, Index end) {
    // Visits `body(row, column, value)` for all entries in columns [begin, end), row by row.
    const auto for_entries = [&](const auto& body) {
      for (const Rows& block : blocks) {
        for (Index r = 0; r < block.count(); ++r) {
          const auto row_begin = block.columns.begin() + block.start[r];
          const auto row_end = block.columns.begin() + block.start[r + 1];
          for (auto c = std::lower_bound(row_begin, row_end, begin); c != row_end && *c < end; ++c) {
            body(block.first + r, *c, block.values[std::size_t(c - block.columns.begin())]);
          }
        }
      }
    };
    Rows& block = result[std::size_t(begin / rows_per_block)];
    block.first = begin;
    block.start.assign(std::size_t(end - begin + 1), 0);
    for_entries([&](Index, Index c, double) { ++block.start[c - begin + 1]; });
    for (Index c = 0; c < end - begin; ++c) {
      block.start[c + 1] += block.start[c];
    }
    block.columns.resize(std::size_t(block.start.back()));
    block.values.resize(std::size_t(block.start.back()));
    std::vector<std::int64_t> next(block.start.begin(), block.start.end() - 1);
    for_entries([&](Index r, Index c, double value) {
      const auto k = next[c - begin]++;
      block.columns[k] = std::int32_t(r);
      block.values[k] = value;
    });
  });
  return result;
}

void SparseOperator::multiply(const Blocks& blocks, PointsView x, Eigen::Ref<Block> y) const {
  const Index b = x.cols();
  const Block sorted = gathered(x, order_);
  parallel_chunks(Index(blocks.size()), 1, threads_, [&](Index begin, Index end) {
    std::vector<double> sum(std::size_t(b), 0.0);
    for (Index k = begin; k < end; ++k) {
      const Rows& block = blocks[k];
      for (Index r = 0; r < block.count(); ++r) {
        const auto begin_entry = block.start[r];
        const std::span columns(block.columns.data() + begin_entry, std::size_t(block.start[r + 1] - begin_entry));
        accumulate_row(columns, block.values.data() + begin_entry, sorted.data(), b, sum.data());
        y.row(order_[block.first + r]) = Eigen::Map<const Eigen::RowVectorXd>(sum.data(), b);
      }
    }
  });
}

void SparseOperator::apply(PointsView x, Eigen::Ref<Block> y) const { multiply(rows_, x, y); }

void SparseOperator::apply_transpose(PointsView x, Eigen::Ref<Block> y) const {
  multiply(symmetric_ ? rows_ : columns_, x, y);
}

void SparseOperator::apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  const auto position = inverse_order(order_);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Index i = position[std::size_t(rows[k])];
    const Rows& block = rows_[std::size_t(i / rows_per_block)];
    const Index r = i - block.first;
    y.row(Index(k)).setZero();
    for (auto e = block.start[r]; e < block.start[r + 1]; ++e) {
      y.row(Index(k)) += block.values[e] * x.row(order_[block.columns[e]]);
    }
  }
}

std::size_t SparseOperator::memory() const {
  std::size_t bytes = order_.size() * sizeof(std::int32_t);
  for (const Blocks* blocks : {&rows_, &columns_}) {
    for (const Rows& block : *blocks) {
      bytes += block.start.size() * sizeof(std::int64_t) + block.columns.size() * sizeof(std::int32_t) +
               block.values.size() * sizeof(double);
    }
  }
  return bytes;
}

KernelGraph SparseOperator::graph() const {
  GraphBuilder builder(order_);
  for (const Rows& block : rows_) {
    for (Index r = 0; r < block.count(); ++r) {
      const auto row_begin = block.columns.begin() + block.start[r];
      const auto row_end = block.columns.begin() + block.start[r + 1];
      const Index i = block.first + r;
      builder.add_row(i, {row_begin, row_end}, std::binary_search(block.stranded.begin(), block.stranded.end(), i));
    }
  }
  return builder.finish();
}

}  // namespace itomap
