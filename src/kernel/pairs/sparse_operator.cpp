#include "kernel/pairs/sparse_operator.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/agreement.hpp"
#include "core/parallel.hpp"
#include "kernel/graph_builder.hpp"
#include "kernel/reorder.hpp"

namespace itomap::detail {
namespace {

/// Columns are numbered within a block by 16 bits.
constexpr Index most_points_a_block = 65536;

/// Few enough blocks that a panel is worth a thread's while, enough for many threads.
Index points_a_block(Index points) {
  constexpr Index least = 512;
  constexpr Index most_blocks = 128;
  const Index wanted = std::clamp(points / most_blocks, least, most_points_a_block - tile_points);
  return (wanted + tile_points - 1) / tile_points * tile_points;
}

/// Columns whose vectors, 12 of x and 12 of y, stay in the first-level cache.
constexpr Index run_columns = 128;

/// Merges four rows, each ascending by column, from their cursors on up to the column `end`.
void merge(std::span<const KernelRow> rows, Index first, Index end, std::span<std::size_t> cursors, QuadBuffer& out) {
  const auto column_of = [&](std::size_t r) {
    return cursors[r] < rows[r].columns.size() ? std::min<Index>(end, rows[r].columns[cursors[r]]) : end;
  };
  while (true) {
    Index column = end;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      column = std::min(column, column_of(r));
    }
    if (column == end) {
      return;
    }
    double* values = out.values.data() + out.count * quad_rows;
    std::fill(values, values + quad_rows, 0.0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (column_of(r) == column) {
        values[r] = rows[r].values[cursors[r]++];
      }
    }
    out.columns[std::size_t(out.count++)] = std::uint16_t(column - first);
  }
}

/// Leaves out what merge would take.
void pass_over(std::span<const KernelRow> rows, Index end, std::span<std::size_t> cursors) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& columns = rows[r].columns;
    cursors[r] = std::size_t(std::lower_bound(columns.begin() + std::ptrdiff_t(cursors[r]), columns.end(), end) -
                             columns.begin());
  }
}

}  // namespace

SparseOperator::SparseOperator(const KernelGeometry& geometry, const KernelOptions& options)
    : order_(geometry.order()),
      symmetric_(geometry.symmetric()),
      single_precision_(options.single_precision),
      block_(points_a_block(geometry.size())),
      parts_(geometry.size(), block_, current_ranks()),
      number_(std::size_t(blocks() * blocks()), -1),
      schedule_(0, nullptr) {
  Vector log_scale;
  if (!symmetric_) {
    Reporter reporter("stranded points");
    log_scale = geometry.stranded_exponents(reporter);
    if (log_scale.maxCoeff() > 0.0) {
      stranded_.resize(std::size_t(size()));
      std::transform(log_scale.begin(), log_scale.end(), stranded_.begin(), [](double u) { return u > 0.0; });
    }
  }
  const RowSource rows = [&](Index i, Index, KernelRow& row) { geometry.row(i, row); };
  balance(rows);
  if (geometry.row_by_row()) {
    assemble_rows(rows);
  } else {
    assemble(geometry, log_scale);
  }
  finish();
}

SparseOperator::SparseOperator(std::vector<std::int32_t> order, const RowSource& rows, const KernelOptions& options)
    : order_(std::move(order)),
      symmetric_(true),
      single_precision_(options.single_precision),
      block_(points_a_block(Index(order_.size()))),
      parts_(Index(order_.size()), block_, current_ranks()),
      number_(std::size_t(blocks() * blocks()), -1),
      schedule_(0, nullptr) {
  balance(rows);
  assemble_rows(rows);
  finish();
}

/// A block costs what its rows are long, which some of them tell.
void SparseOperator::balance(const RowSource& rows) {
  constexpr Index rows_a_block = 4;
  if (parts_.alone()) {
    return;
  }
  std::vector<double> costs(static_cast<std::size_t>(blocks()));
  parallel_chunks(blocks(), 1, [&](Index a, Index) {
    KernelRow row;
    const Index points = block_end(a) - a * block_;
    double entries = 0.0;
    for (Index k = 0; k < rows_a_block; ++k) {
      row.columns.clear();
      rows(a * block_ + k * points / rows_a_block, 0, row);
      entries += double(row.columns.size());
    }
    costs[std::size_t(a)] = entries * double(points);
  });
  parts_.balance(costs);
}

void SparseOperator::finish() {
  schedule();
  memory_ = (order_.size() + number_.size()) * sizeof(std::int32_t) + stranded_.size() / 8;
  for (const auto* panels : {&panels_, &diagonal_}) {
    for (const Panel& p : *panels) {
      memory_ += p.memory();
    }
  }
  if (!parts_.alone()) {
    double most = double(memory_);
    parts_.ranks()->largest({&most, 1});
    memory_ = std::size_t(most);
  }
}

void SparseOperator::schedule() {
  if (symmetric_) {
    schedule_ = PairSchedule(blocks(), [&](Index a, Index b) { return panel(a, b) == nullptr; });
  }
}

double SparseOperator::predicted_bytes(double points, double entries_a_row, bool symmetric, bool single_precision,
                                       int processes) {
  // Where only some of four rows have an entry, zeros are stored: as many as lie near the boundary of a neighbourhood.
  const double entries = points * entries_a_row * (1.0 + 3.5 / std::sqrt(entries_a_row));
  const double bytes = (single_precision ? sizeof(float) : sizeof(double)) + sizeof(std::uint16_t) / double(quad_rows);
  // Panels between blocks of two processes are held by both; of all P of them, at most.
  const double whole = entries * bytes * (symmetric ? 0.5 : 1.0);
  return std::min(whole, 2.0 * whole / double(processes));
}

const Panel* SparseOperator::panel(Index a, Index b) const {
  return number(a, b) < 0 ? nullptr : &panels_[std::size_t(number(a, b))];
}

void SparseOperator::add_panel(Index a, Index b) {
  number_[std::size_t(a * blocks() + b)] = std::int32_t(panels_.size());
  panels_.emplace_back(a * block_, b * block_, single_precision_);
  if (symmetric_ && a == b) {
    diagonal_.emplace_back(a * block_, a * block_, single_precision_);
  }
}

void SparseOperator::assemble(const KernelGeometry& geometry, VectorView log_scale) {
  const PairTiles tiles(geometry, log_scale);
  const Boxes boxes(geometry.points(), block_);
  const RowReaches reach(geometry, log_scale, block_);
  std::vector<std::pair<Index, Index>> pairs;
  for (Index a = 0; a < blocks(); ++a) {
    for (Index b = symmetric_ ? a : 0; b < blocks(); ++b) {
      if (held(a, b) && !reach.misses(a, boxes, b)) {
        add_panel(a, b);
        pairs.emplace_back(a, b);
      }
    }
  }
  Reporter reporter("kernel");
  parallel_chunks(
      Index(pairs.size()), 1,
      [&](Index k, Index) {
        fill(tiles, geometry.cutoff(), pairs[std::size_t(k)].first, pairs[std::size_t(k)].second);
      },
      &reporter);
}

void SparseOperator::fill(const PairTiles& tiles, double cutoff, Index a, Index b) {
  constexpr Index quads_a_tile = tile_points / quad_rows;
  const QuadKernels& kernels = quad_kernels();
  PairTiles::Scratch scratch = tiles.scratch();
  std::vector<QuadBuffer> quads(quads_a_tile, QuadBuffer(run_columns));
  const auto collect = [&](Index row, Index column) {
    tiles.entries(row / tile_points, column / tile_points, scratch, [&](Index strip_row, const double* entries) {
      for (int r = 0; r < strip_points; r += quad_rows) {
        QuadBuffer& quad = quads[std::size_t((strip_row - row + r) / quad_rows)];
        quad.count += kernels.compress(entries, r, cutoff, int(column - b * block_), quad.columns.data() + quad.count,
                                       quad.values.data() + quad.count * quad_rows);
      }
    });
  };
  const auto append_to = [&](Panel& panel, Index row) {
    for (Index q = 0; q < quads_a_tile; ++q) {
      panel.append(row - a * block_ + q * quad_rows, quads[std::size_t(q)]);
    }
  };
  Panel& panel = panels_[std::size_t(number(a, b))];
  for (Index first = b * block_; first < block_end(b); first += run_columns) {
    for (Index row = a * block_; row < block_end(a); row += tile_points) {
      for (Index column = first; column < std::min(block_end(b), first + run_columns); column += tile_points) {
        if (symmetric_ && column < row) {
          continue;  // its mirror image is kept
        }
        collect(row, column);
        if (symmetric_ && column == row) {
          append_to(diagonal(a), row);
        }
      }
      append_to(panel, row);
    }
  }
  panel.finish();
  if (symmetric_ && a == b) {
    diagonal(a).finish();
  }
}

void SparseOperator::assemble_rows(const RowSource& source) {
  for (Index a = 0; a < blocks(); ++a) {
    for (Index b = symmetric_ ? a : 0; b < blocks(); ++b) {
      if (held(a, b)) {
        add_panel(a, b);
      }
    }
  }
  Reporter reporter("kernel");
  // Panels of the own columns are made from the rows of others, by everybody who holds some.
  const Index end = symmetric_ ? (parts_.begin() < parts_.end() ? parts_.end() : 0) : blocks();
  parallel_chunks(
      end, 1, [&](Index a, Index) { fill(source, a); }, &reporter);
}

void SparseOperator::fill(const RowSource& source, Index a) {
  std::array<KernelRow, quad_rows> rows;
  QuadBuffer buffer(block_);
  for (Index row = a * block_; row < block_end(a); row += quad_rows) {
    const Index tile = row / tile_points * tile_points;
    const Index first = symmetric_ ? tile : 0;  // what lies left of it is kept as its mirror image
    std::array<std::size_t, quad_rows> cursors{};
    for (std::size_t r = 0; r < quad_rows; ++r) {
      auto& columns = rows[r].columns;
      columns.clear();
      if (row + Index(r) < size()) {
        source(row + Index(r), first, rows[r]);
      }
      cursors[r] = std::size_t(std::lower_bound(columns.begin(), columns.end(), first) - columns.begin());
    }
    if (symmetric_ && parts_.mine(a)) {
      merge(rows, a * block_, tile + tile_points, cursors, buffer);
      diagonal(a).append(row - a * block_, buffer);
    }
    for (Index b = symmetric_ ? a : 0; b < blocks(); ++b) {
      if (number(a, b) >= 0) {
        merge(rows, b * block_, (b + 1) * block_, cursors, buffer);
        panels_[std::size_t(number(a, b))].append(row - a * block_, buffer);
      } else {
        pass_over(rows, (b + 1) * block_, cursors);
      }
    }
  }
  if (symmetric_ && parts_.mine(a)) {
    diagonal(a).finish();
  }
  for (Index b = symmetric_ ? a : 0; b < blocks(); ++b) {
    if (number(a, b) >= 0) {
      panels_[std::size_t(number(a, b))].finish();
    }
  }
}

void SparseOperator::multiply(bool transposed, const Slabs& x, Slabs& y) const {
  multiply_own(transposed, x, y);
  parts_.share(y);
}

void SparseOperator::multiply_own(bool transposed, const Slabs& x, Slabs& y) const {
  if (symmetric_) {
    schedule_.run([&](Index a, Index b) {
      if (a == b) {
        diagonal(a).multiply(true, false, x, y);
      }
      panel(a, b)->multiply(parts_.mine(a), parts_.mine(b), x, y);
    });
    return;
  }
  parallel_chunks(parts_.end() - parts_.begin(), 1, [&](Index k, Index) {
    const Index own = parts_.begin() + k;
    for (Index other = 0; other < blocks(); ++other) {
      if (const Panel* p = transposed ? panel(other, own) : panel(own, other)) {
        p->multiply(!transposed, transposed, x, y);
      }
    }
  });
}

void SparseOperator::apply(PointsView x, Eigen::Ref<Block> y) const {
  Slabs in(size(), x.cols());
  Slabs out(size(), x.cols());
  in.gather(x, order_);
  multiply(false, in, out);
  out.scatter(order_, y);
}

void SparseOperator::apply_transpose(PointsView x, Eigen::Ref<Block> y) const {
  Slabs in(size(), x.cols());
  Slabs out(size(), x.cols());
  in.gather(x, order_);
  multiply(true, in, out);
  out.scatter(order_, y);
}

template <class Body>
void SparseOperator::for_block_entries(Index a, const Body& body) const {
  const auto mirrored = [&](Index row, Index column, double value) { body(column, row, value); };
  for (Index b = 0; b < blocks(); ++b) {
    const Panel* own = symmetric_ && b < a ? nullptr : panel(a, b);
    const Panel* mirror = symmetric_ && b <= a ? panel(b, a) : nullptr;
    if (mirror != nullptr) {
      mirror->for_entries(mirrored);
    }
    if (own != nullptr) {
      own->for_entries(body);
    }
  }
  if (symmetric_) {
    diagonal(a).for_entries(body);
  }
}

void SparseOperator::apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  const auto position = inverse_order(order_);
  // Rows of the same block are found in one walk through its panels.
  std::vector<std::vector<std::size_t>> wanted(static_cast<std::size_t>(blocks()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    wanted[std::size_t(position[std::size_t(rows[k])] / block_)].push_back(k);
  }
  y.setZero();
  parallel_chunks(blocks(), 1, [&](Index a, Index) {
    const auto& mine = wanted[std::size_t(a)];
    if (mine.empty() || !parts_.mine(a)) {
      return;
    }
    std::vector<Index> place(static_cast<std::size_t>(block_), -1);  // of each row of the block in y
    for (const std::size_t k : mine) {
      place[std::size_t(position[std::size_t(rows[k])] - a * block_)] = Index(k);
    }
    for_block_entries(a, [&](Index row, Index column, double value) {
      const Index k = place[std::size_t(row - a * block_)];
      if (k >= 0) {
        y.row(k) += value * x.row(order_[std::size_t(column)]);
      }
    });
    for (const std::size_t k : mine) {  // a row may be listed twice
      const Index first = place[std::size_t(position[std::size_t(rows[k])] - a * block_)];
      if (first != Index(k)) {
        y.row(Index(k)) = y.row(first);
      }
    }
  });
  if (!parts_.alone()) {
    Block all = y;
    merge_bits(*parts_.ranks(), {all.data(), std::size_t(all.size())});
    y = all;
  }
}

std::vector<SparseOperator::RowCount> SparseOperator::count_rows() const {
  std::vector<RowCount> rows = count_own_rows();
  if (!parts_.alone()) {
    std::vector<double> packed(rows.size());  // whole numbers, both in one
    std::transform(rows.begin(), rows.end(), packed.begin(),
                   [](const RowCount& row) { return double(2 * row.entries + row.own); });
    parts_.share(packed);
    std::transform(packed.begin(), packed.end(), rows.begin(), [](double both) {
      return RowCount{Index(both) / 2, Index(both) % 2};
    });
  }
  return rows;
}

std::vector<SparseOperator::RowCount> SparseOperator::count_own_rows() const {
  std::vector<RowCount> rows(order_.size());
  const auto count = [&](const Panel& p, bool both) {
    p.for_entries([&](Index row, Index column, double) {
      ++rows[std::size_t(row)].entries;
      rows[std::size_t(row)].own += row == column ? 1 : 0;
      if (both) {  // not += 0: the row may be another thread's
        ++rows[std::size_t(column)].entries;
      }
    });
  };
  if (symmetric_) {
    schedule_.run([&](Index a, Index b) {
      if (a == b) {
        count(diagonal(a), false);
      }
      count(*panel(a, b), true);
    });
    return rows;
  }
  parallel_chunks(blocks(), 1, [&](Index a, Index) {
    for (Index b = 0; b < blocks() && parts_.mine(a); ++b) {
      if (const Panel* p = panel(a, b)) {
        count(*p, false);
      }
    }
  });
  return rows;
}

KernelGraph SparseOperator::graph() const {
  GraphBuilder builder(order_);
  const auto join = [&](const Panel& p) {
    if (!builder.connected()) {
      p.for_entries([&](Index row, Index column, double) { builder.join(row, column); });
    }
  };
  // Near the diagonal first: most clouds are in one piece long before all entries have been seen.
  for (const Panel& p : diagonal_) {
    join(p);
  }
  for (Index distance = 0; distance < blocks(); ++distance) {
    for (Index a = 0; a + distance < blocks(); ++a) {
      if (const Panel* p = panel(a, a + distance)) {
        join(*p);
      }
      if (const Panel* p = panel(a + distance, a); p != nullptr && distance > 0) {
        join(*p);
      }
    }
  }
  if (!parts_.alone()) {
    builder.merge(*parts_.ranks());
  }
  const auto rows = count_rows();
  for (Index i = 0; i < size(); ++i) {
    const RowCount& row = rows[std::size_t(i)];
    builder.count_row(i, row.entries, row.entries == 1 && row.own == 1,
                      !stranded_.empty() && stranded_[std::size_t(i)]);
  }
  return builder.finish();
}

}  // namespace itomap::detail
