#include "kernel/panel.hpp"

#include <algorithm>

namespace itomap {

QuadBuffer::QuadBuffer(Index block)
    : columns(std::size_t(block + tile_points)), values(std::size_t((block + tile_points) * quad_rows)) {}

void Panel::append(QuadBuffer& quad) {
  columns_.insert(columns_.end(), quad.columns.begin(), quad.columns.begin() + quad.count);
  const auto first = quad.values.begin();
  const auto last = first + quad.count * quad_rows;
  if (single_precision_) {
    std::transform(first, last, std::back_inserter(singles_), [](double value) { return float(value); });
  } else {
    values_.insert(values_.end(), first, last);
  }
  start_.push_back(std::uint32_t(columns_.size()));
  quad.count = 0;
}

void Panel::finish() {
  start_.shrink_to_fit();
  columns_.shrink_to_fit();
  values_.shrink_to_fit();
  singles_.shrink_to_fit();
}

std::size_t Panel::memory() const {
  return start_.size() * sizeof(std::uint32_t) + columns_.size() * sizeof(std::uint16_t) +
         values_.size() * sizeof(double) + singles_.size() * sizeof(float);
}

void Panel::multiply(bool forward, bool transposed, const Slabs& x, Slabs& y) const {
  const QuadKernels& kernels = quad_kernels();
  for (Index q = 0; q < quads(); ++q) {
    const Index begin = start_[std::size_t(q)];
    const long count = long(start_[std::size_t(q + 1)]) - begin;
    const Index row = first_row_ + q * quad_rows;
    for (Index slab = 0; slab < x.count() && count > 0; ++slab) {
      const QuadVectors vectors{.width = x.width(slab),
                                .x_columns = x.at(slab, first_column_),
                                .y_rows = forward ? y.at(slab, row) : nullptr,
                                .x_rows = x.at(slab, row),
                                .y_columns = transposed ? y.at(slab, first_column_) : nullptr};
      if (single_precision_) {
        kernels.multiply_single_precision({columns_.data() + begin, singles_.data() + begin * quad_rows, count},
                                          vectors);
      } else {
        kernels.multiply({columns_.data() + begin, values_.data() + begin * quad_rows, count}, vectors);
      }
    }
  }
}

}  // namespace itomap
