#include "kernel/pairs/panel.hpp"

#include <algorithm>

namespace itomap::detail {
namespace {

/// Counts entries of four rows, n of each with their zeros, and of the columns, if these are wanted.
template <class Value>
void count_quad(const Value* values, const std::uint16_t* quad_columns, std::size_t n, std::int32_t* rows,
                std::int32_t* columns) {
  std::int32_t count[quad_rows] = {};
  for (std::size_t k = 0; k < n; ++k) {
    std::int32_t here = 0;
    for (std::size_t r = 0; r < quad_rows; ++r) {
      const std::int32_t one = values[k * quad_rows + r] > Value(0) ? 1 : 0;
      count[r] += one;
      here += one;
    }
    if (columns != nullptr) {
      columns[quad_columns[k]] += here;
    }
  }
  for (std::size_t r = 0; r < quad_rows; ++r) {
    rows[r] += count[r];
  }
}

}  // namespace

QuadBuffer::QuadBuffer(Index block)
    : columns(std::size_t(block + tile_points)), values(std::size_t((block + tile_points) * quad_rows)) {}

void Panel::append(Index row, QuadBuffer& quad) {
  if (quad.count == 0) {
    return;
  }
  columns_.insert(columns_.end(), quad.columns.begin(), quad.columns.begin() + quad.count);
  const auto first = quad.values.begin();
  const auto last = first + quad.count * quad_rows;
  if (single_precision_) {
    singles_.insert(singles_.end(), first, last);
  } else {
    values_.insert(values_.end(), first, last);
  }
  runs_.back().quad = unsigned(row / quad_rows);
  runs_.push_back({0, unsigned(columns_.size())});
  quad.count = 0;
}

void Panel::finish() {
  runs_.shrink_to_fit();
  columns_.shrink_to_fit();
  values_.shrink_to_fit();
  singles_.shrink_to_fit();
}

std::size_t Panel::memory() const {
  return runs_.size() * sizeof(QuadRun) + columns_.size() * sizeof(std::uint16_t) + values_.size() * sizeof(double) +
         singles_.size() * sizeof(float);
}

void Panel::count_entries(std::int32_t* rows, std::int32_t* columns) const {
  std::int32_t* const own_columns = columns != nullptr ? columns + first_column_ : nullptr;
  for (std::size_t k = 0; k + 1 < runs_.size(); ++k) {
    const std::size_t begin = runs_[k].begin;
    const std::size_t n = runs_[k + 1].begin - begin;
    std::int32_t* const own_rows = rows + first_row_ + Index(runs_[k].quad) * Index(quad_rows);
    if (single_precision_) {
      count_quad(singles_.data() + begin * quad_rows, columns_.data() + begin, n, own_rows, own_columns);
    } else {
      count_quad(values_.data() + begin * quad_rows, columns_.data() + begin, n, own_rows, own_columns);
    }
  }
}

void Panel::multiply(bool forward, bool transposed, const Slabs& x, Slabs& y) const {
  const QuadKernels& kernels = quad_kernels();
  const long runs = long(runs_.size()) - 1;
  for (Index slab = 0; slab < x.count() && runs > 0; ++slab) {
    const QuadVectors vectors{.width = x.width(slab),
                              .x_columns = x.at(slab, first_column_),
                              .y_rows = forward ? y.at(slab, first_row_) : nullptr,
                              .x_rows = x.at(slab, first_row_),
                              .y_columns = transposed ? y.at(slab, first_column_) : nullptr};
    if (single_precision_) {
      kernels.multiply_single_precision({runs_.data(), runs, columns_.data(), singles_.data()}, vectors);
    } else {
      kernels.multiply({runs_.data(), runs, columns_.data(), values_.data()}, vectors);
    }
  }
}

}  // namespace itomap::detail
