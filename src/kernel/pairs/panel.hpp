// A rectangle of a stored kernel: the entries of one block of rows in one block of columns, rows in fours.
//
// Runs of columns are kept short, and those of all rows for some columns lie together: what they need of the vectors
// then stays in the first-level cache.
#pragma once

#include <cstdint>
#include <vector>

#include "core/aligned.hpp"
#include "kernel/pairs/quad_kernels.hpp"
#include "kernel/pairs/slabs.hpp"

namespace itomap::detail {

/// The entries of four rows while they are collected, columns in ascending order.
struct QuadBuffer {
  /// Room for a block of so many columns, and a tile more that is written before it is known what to keep.
  explicit QuadBuffer(Index block);

  std::vector<std::uint16_t> columns;
  AlignedVector values;
  Index count = 0;
};

class Panel {
 public:
  Panel(Index first_row, Index first_column, bool single_precision)
      : first_row_(first_row), first_column_(first_column), single_precision_(single_precision) {}

  /// Appends entries of the four rows that begin at `row`, which is counted within the block, and empties the buffer.
  void append(Index row, QuadBuffer& quad);
  /// Gives back memory that was taken in reserve.
  void finish();

  std::size_t memory() const;

  /// Y_rows += K X_columns if `forward`, and Y_columns += K^T X_rows if `transposed`.
  void multiply(bool forward, bool transposed, const Slabs& x, Slabs& y) const;

  /// Adds how many entries each row has, and each column where `columns` is given. Both are numbered as in the matrix.
  void count_entries(std::int32_t* rows, std::int32_t* columns) const;

  /// Calls body(row, column) for the first entries of each run of columns: a few of all that join the same points.
  template <class Body>
  void for_first_entries(const Body& body) const {
    for (std::size_t k = 0; k + 1 < runs_.size(); ++k) {
      const std::size_t n = runs_[k].begin;
      for (std::size_t r = 0; r < quad_rows && n < runs_[k + 1].begin; ++r) {
        if (entry(n * quad_rows + r) > 0.0) {
          body(first_row_ + Index(runs_[k].quad * quad_rows + r), first_column_ + columns_[n]);
        }
      }
    }
  }

  /// Calls body(row, column, value) for all entries.
  template <class Body>
  void for_entries(const Body& body) const {
    for (std::size_t k = 0; k + 1 < runs_.size(); ++k) {
      for (std::size_t n = runs_[k].begin; n < runs_[k + 1].begin; ++n) {
        for (std::size_t r = 0; r < quad_rows; ++r) {
          const double value = entry(n * quad_rows + r);
          if (value > 0.0) {
            body(first_row_ + Index(runs_[k].quad * quad_rows + r), first_column_ + columns_[n], value);
          }
        }
      }
    }
  }

 private:
  double entry(std::size_t e) const { return single_precision_ ? double(singles_[e]) : values_[e]; }

  Index first_row_, first_column_;
  bool single_precision_;
  std::vector<QuadRun> runs_{{0, 0}};
  std::vector<std::uint16_t> columns_;
  AlignedVector values_;  // one of the two is used
  std::vector<float, CacheAligned<float>> singles_;
};

}  // namespace itomap::detail
