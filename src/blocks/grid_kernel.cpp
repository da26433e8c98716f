#include "blocks/grid_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/memory.hpp"
#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

/// Rows that neighbours are counted in.
constexpr Index sampled_rows = 64;
/// So many points are looked at for that, evenly spread, where there are more.
constexpr Index sampled_points = 1'000'000;

/// K d is off by about the accuracy of the grid times |d|. Where it is no more than so many times that, functions have
/// no two digits left.
constexpr double two_digits = 100.0;

WhitenedBox empty_box(Index dimension, const std::vector<double>& period) {
  return {Vector::Constant(dimension, std::numeric_limits<double>::infinity()),
          Vector::Constant(dimension, -std::numeric_limits<double>::infinity()), period};
}

/// -z and z, so that their largest are the ends of a box.
void add_extent(const Points& places, std::span<double> largest) {
  const auto n = std::size_t(places.cols());
  for (std::size_t a = 0; a < n; ++a) {
    largest[a] = std::max(largest[a], -places.col(Index(a)).minCoeff());
    largest[n + a] = std::max(largest[n + a], places.col(Index(a)).maxCoeff());
  }
}

void set_box(std::span<const double> largest, WhitenedBox& box) {
  const Index n = box.low.size();
  for (Index a = 0; a < n; ++a) {
    box.low[a] = -largest[std::size_t(a)];
    box.high[a] = largest[std::size_t(n + a)];
  }
}

/// The ranges as numbers of which the largest count, and back.
void put_ranges(const MomentRanges& ranges, std::span<double> largest) {
  std::size_t k = 0;
  for (const MomentRange& range : ranges.all()) {
    for (std::size_t a = 0; a < 3; ++a, k += 2) {
      if (!range.empty()) {
        largest[k] = -double(range.low[a]);
        largest[k + 1] = double(range.high[a]);
      }
    }
  }
}

MomentRanges taken_ranges(const GaussGrid& grid, std::span<const double> largest) {
  MomentRanges ranges(grid);
  std::vector<MomentRange> found(ranges.all().size());
  for (std::size_t node = 0; node < found.size(); ++node) {
    for (std::size_t a = 0; a < 3; ++a) {
      const double* numbers = largest.data() + 6 * node + 2 * a;
      if (std::isfinite(numbers[0])) {
        found[node].low[a] = std::int32_t(-numbers[0]);
        found[node].high[a] = std::int32_t(numbers[1]);
      }
    }
  }
  ranges.add(found);
  return ranges;
}

constexpr std::size_t numbers_a_range = 6;

}  // namespace

/// Some rows, in both frames.
struct GridKernel::Sample {
  Points centres;
  Points density_places;
  Index stride;

  /// Numbers of a block that add up to what the sample says: points looked at, entries above the cut-off, k and
  /// -k log k.
  static constexpr Index numbers = 4;
};

/// The block's points on the grids.
struct GridKernel::Clouds final : BlockData {
  std::unique_ptr<const SlabCloud> density;
  std::unique_ptr<const SlabCloud> own_sources;  ///< none where the density's will do
  std::unique_ptr<const SlabCloud> own_targets;  ///< likewise, that of the sources

  const SlabCloud& sources() const { return own_sources ? *own_sources : *density; }
  const SlabCloud& targets() const { return own_targets ? *own_targets : sources(); }
};

struct GridKernel::Fields final : NodeFields {
  using NodeFields::NodeFields;
  std::vector<GridField> fields;
};

GridKernel::GridKernel(const BlockInput& input, const BlockPasses& passes) : BlockKernel(input, passes) {
  find_extent();
  set_grids();
  sum_density();
  sum_weights();
  sum_moments();
}

void GridKernel::find_extent() {
  const auto n = std::size_t(input().points.dimension());
  const PassTotals totals =
      passes().run("extent", {.largest = 4 * n + 1}, [&](const BlockRange& block, BlockTerms& terms) {
        const Points rows = read_rows(input().points, block);
        add_extent(frame().places(rows), std::span(terms.largest).first(2 * n));
        if (own_density_frame()) {
          add_extent(density_frame().places(rows), std::span(terms.largest).subspan(2 * n, 2 * n));
        }
        if (input().target) {
          terms.largest[4 * n] = largest_log_target(block);
        }
      });
  box_ = empty_box(Index(n), frame().period());
  set_box(std::span(totals.largest).first(2 * n), box_);
  if (own_density_frame()) {
    density_box_ = empty_box(Index(n), density_frame().period());
    set_box(std::span(totals.largest).subspan(2 * n, 2 * n), density_box_);
  }
  set_largest_log_target(totals.largest[4 * n]);
  if (!reversible()) {
    // Rows may be centred beyond the points, as far as they see any.
    box_.low.array() -= frame().reach();
    box_.high.array() += frame().reach();
  }
}

GaussGrid GridKernel::grid_for(const KernelFrame& frame, const WhitenedBox& box) const {
  GaussGrid grid = GaussGrid::cheapest(box, passes().points(), frame.accuracy());
  constexpr double copies = 8.0;  // that are held at a time
  if (!(copies * grid.bytes() < double(memory_budget()))) {
    throw NotInBlocks(fmt::format(
        "blocks: a grid over all points at this epsilon does not fit into {}; a few points far from all others may be "
        "why: leave them out, or allow more memory",
        format_bytes(double(memory_budget()))));
  }
  return grid;
}

void GridKernel::set_grids() {
  grid_ = std::make_unique<const GridTools>(grid_for(frame(), box_));
  if (own_density_frame()) {
    own_density_grid_ = std::make_unique<const GridTools>(grid_for(density_frame(), density_box_));
  }
}

std::unique_ptr<const BlockData> GridKernel::read(const BlockRange& block) const { return clouds(block); }

std::unique_ptr<const GridKernel::Clouds> GridKernel::clouds(const BlockRange& block) const {
  auto data = std::make_unique<Clouds>();
  read_into(block, *data);
  const auto cloud = [](const GridTools& grid, const Points& places) {
    return std::make_unique<const SlabCloud>(grid.cloud(places));
  };
  if (reversible()) {
    data->density = cloud(*grid_, frame().places(data->rows));
    return data;
  }
  data->density = cloud(*own_density_grid_, density_frame().places(data->rows));
  data->own_sources = cloud(*grid_, frame().places(data->rows));
  data->own_targets = cloud(*grid_, frame().places(data->rows, steps(block)));
  return data;
}

void GridKernel::add_sample(const BlockRange& block, const Points& rows, const Sample& sample, Vector& numbers) const {
  for (Index i = (block.begin + sample.stride - 1) / sample.stride * sample.stride; i < block.end; i += sample.stride) {
    const Points z = frame().places(rows.row(i - block.begin));
    const Points y = own_density_frame() ? density_frame().places(rows.row(i - block.begin)) : z;
    numbers[0] += 1.0;
    for (Index s = 0; s < sample.centres.rows(); ++s) {
      numbers[1] += frame().squared_distance(z.data(), sample.centres.row(s).data()) <= frame().limit() ? 1.0 : 0.0;
      const double u = density_frame().squared_distance(y.data(), sample.density_places.row(s).data());
      if (u <= density_frame().limit()) {
        numbers[2] += std::exp(-u);
        numbers[3] += u * std::exp(-u);
      }
    }
  }
}

void GridKernel::sum_density() {
  const Index m = passes().points();
  const CellLattice lattice(box_, frame().reach());
  const auto cells = std::size_t(lattice.cells());
  Sample sample{Points(std::min(m, sampled_rows), frame().dimension()), {}, std::max<Index>(1, m / sampled_points)};
  sample.density_places = sample.centres;
  for (Index s = 0; s < sample.centres.rows(); ++s) {
    const Index i = s * m / sample.centres.rows();
    const BlockRange one{0, i, i + 1};
    const Points row = read_rows(input().points, one);
    sample.centres.row(s) = reversible() ? frame().places(row) : frame().places(row, steps(one));
    sample.density_places.row(s) = own_density_frame() ? density_frame().places(row) : frame().places(row);
  }
  const GridTools& density_grid = own_density_grid_ ? *own_density_grid_ : *grid_;
  const std::size_t ones = own_density_grid_ ? grid_->stored() : 0;
  const std::size_t first_cell = density_grid.stored() + ones;
  const std::size_t landings = reversible() ? 0 : cells;
  const Index stray = Sample::numbers;  // centres that are outside of the box
  const PassTotals totals =
      passes().run("density", {.sums = first_cell + cells + landings, .numbers = Sample::numbers + 1},
                   [&](const BlockRange& block, BlockTerms& terms) {
                     const auto data = clouds(block);
                     const Vector one = Vector::Ones(data->rows.rows());
                     const std::span sums(terms.sums);
                     density_grid.spread(*data->density, one, sums.first(density_grid.stored()));
                     const Points sources = frame().places(data->rows);
                     for (Index i = 0; i < sources.rows(); ++i) {
                       sums[first_cell + std::size_t(std::max<Index>(lattice.cell(sources.row(i).data()), 0))] += 1.0;
                     }
                     if (!reversible()) {
                       grid_->spread(data->sources(), one, sums.subspan(density_grid.stored(), ones));
                       const Points centres = frame().places(data->rows, steps(block));
                       for (Index i = 0; i < centres.rows(); ++i) {
                         const Index cell = lattice.cell(centres.row(i).data());
                         terms.numbers[stray] += cell < 0 ? 1.0 : 0.0;
                         sums[first_cell + cells + std::size_t(std::max<Index>(cell, 0))] += cell < 0 ? 0.0 : 1.0;
                       }
                     }
                     add_sample(block, data->rows, sample, terms.numbers);
                   });
  const std::span<const double> all(totals.sums);
  const auto points = all.subspan(first_cell, cells);
  const auto centres = reversible() ? points : all.subspan(first_cell + cells, cells);
  if (totals.sum(stray) > 0.0 || !lattice.surely_connected(points, centres)) {
    throw NotInBlocks(
        "blocks: the points do not surely hang together at this epsilon, and only a map in memory can look at those "
        "apart one by one; raise epsilon, or leave out points that are far from all others");
  }
  density_sums_.assign(all.begin(), all.begin() + std::ptrdiff_t(density_grid.stored()));
  one_sums_.assign(all.begin() + std::ptrdiff_t(density_grid.stored()), all.begin() + std::ptrdiff_t(first_cell));
  density_field_ = density_grid.field({density_sums_});
  const double scale = double(m) / totals.sum(0);
  set_neighbours(scale * totals.sum(1) / double(sample.centres.rows()),
                 totals.sum(2) > 0.0 ? 2.0 * totals.sum(3) / totals.sum(2) : 0.0);
}

BlockWeights GridKernel::weights(const BlockData& block) const {
  const auto& data = static_cast<const Clouds&>(block);
  const Index count = data.rows.rows();
  BlockWeights w;
  Block values(count, spread_lanes);
  const GridTools& density_grid = own_density_grid_ ? *own_density_grid_ : *grid_;
  density_grid.gather(*data.density, density_field_, 0, values);
  w.density = values.col(0).cwiseMax(1.0);  // it holds the point itself
  w.weights = block_weights(w.density, data);
  if (weight_sums_.empty()) {
    return w;
  }
  if (reversible()) {
    w.row_sums = values.col(1).cwiseMax(w.weights);
    return w;
  }
  grid_->gather(data.targets(), row_field_, 0, values);
  w.row_sums = values.col(0).cwiseMax(std::numeric_limits<double>::min());
  w.rows_hold = values.col(1);
  return w;
}

void GridKernel::sum_weights() {
  const std::size_t stored = grid_->stored();
  const MomentRanges no_ranges(grid_->grid());
  const std::size_t ranges = numbers_a_range * no_ranges.all().size();
  const std::size_t sides = reversible() ? 1 : 2;
  const PassTotals totals = passes().run("weights", {.sums = stored, .largest = sides * ranges, .numbers = 1},
                                         [&](const BlockRange& block, BlockTerms& terms) {
                                           const auto data = clouds(block);
                                           const Vector d = weights(*data).weights;
                                           grid_->spread(data->sources(), d, terms.sums);
                                           terms.numbers[0] = d.squaredNorm();
                                           const Vector one = Vector::Ones(d.size());
                                           MomentRanges here(grid_->grid());
                                           here.add(data->sources(), data->targets(), one);
                                           put_ranges(here, std::span(terms.largest).first(ranges));
                                           if (!reversible()) {
                                             MomentRanges there(grid_->grid());
                                             there.add(data->targets(), data->sources(), one);
                                             put_ranges(there, std::span(terms.largest).subspan(ranges));
                                           }
                                         });
  weight_sums_ = totals.sums;
  set_zero_mode(grid_->condensed(weight_sums_));
  if (reversible()) {
    density_field_ = grid_->field({density_sums_, weight_sums_});
  } else {
    row_field_ = grid_->field({weight_sums_, one_sums_});
  }
  lost_below_ = two_digits * frame().accuracy() * std::sqrt(totals.sum(0));
  const auto found = std::span(totals.largest);
  moments_ = MomentMatrix::zero(grid_->grid(), taken_ranges(grid_->grid(), found.first(ranges)), moment_budget());
  if (!reversible()) {
    transposed_moments_ =
        MomentMatrix::zero(grid_->grid(), taken_ranges(grid_->grid(), found.subspan(ranges)), moment_budget());
  }
  if (moments_ == nullptr || (!reversible() && transposed_moments_ == nullptr)) {
    throw NotInBlocks(
        fmt::format("blocks: the condensed problem does not fit into {}; allow more memory, or raise epsilon",
                    format_bytes(double(memory_budget()))));
  }
}

/// Entries of a moment matrix that there is room for: they are held once, as a sum, and by every thread.
double GridKernel::moment_budget() const {
  const double copies = 4.0 + double(current_threads());
  return double(memory_budget()) / (copies * sizeof(double) * (reversible() ? 1.0 : 2.0));
}

void GridKernel::sum_moments() {
  const std::size_t entries = moments_->entries().size();
  const std::size_t transposed = reversible() ? 0 : transposed_moments_->entries().size();
  const PassTotals totals = passes().run(
      "moments", {.sums = entries + transposed, .numbers = MeasureNumbers},
      [&](const BlockRange& block, BlockTerms& terms) {
        const auto data = clouds(block);
        const BlockWeights w = weights(*data);
        const Vector factors = add_measure(w, terms.numbers);
        const std::span sums(terms.sums);
        moments_->add(grid_->spreader(), data->sources(), data->targets(), factors, sums.first(entries));
        if (!reversible()) {
          transposed_moments_->add(grid_->spreader(), data->targets(), data->sources(), factors, sums.subspan(entries));
        }
      });
  set_measure(totals);
  std::copy_n(totals.sums.begin(), entries, moments_->entries().begin());
  if (!reversible()) {
    std::copy_n(totals.sums.begin() + std::ptrdiff_t(entries), transposed, transposed_moments_->entries().begin());
  }
}

std::size_t GridKernel::memory() const {
  return moments_->memory() + (transposed_moments_ ? transposed_moments_->memory() : 0) +
         std::size_t(grid_->grid().bytes() + (own_density_grid_ ? own_density_grid_->grid().bytes() : 0.0));
}

KernelPlan GridKernel::plan() const {
  KernelPlan plan;
  plan.engine = Engine::Grid;
  plan.reason =
      fmt::format("points in blocks: {:.0f} neighbours a point, a grid of {} nodes", mean_neighbours(), nodes());
  plan.bytes = memory();
  plan.predicted_bytes = double(memory());
  return plan;
}

std::unique_ptr<const NodeFields> GridKernel::fields(PointsView u) const {
  auto found = std::make_unique<Fields>(u.cols());
  for (Index column = 0; column < u.cols(); column += spread_lanes) {
    found->fields.push_back(grid_->node_field(u, column));
  }
  return found;
}

Block GridKernel::gathered(const BlockData& block, BlockSide side, const NodeFields& fields) const {
  const auto& data = static_cast<const Clouds&>(block);
  const SlabCloud& cloud = side == BlockSide::Sources ? data.sources() : data.targets();
  Block values(cloud.size(), fields.columns);
  Index column = 0;
  for (const GridField& field : static_cast<const Fields&>(fields).fields) {
    grid_->gather(cloud, field, column, values);
    column += spread_lanes;
  }
  return values;
}

LinearOperator GridKernel::condensed(bool transposed) const {
  const MomentMatrix& moments = transposed && transposed_moments_ ? *transposed_moments_ : *moments_;
  const auto apply = [this, &moments](PointsView u) {
    Block v(u.rows(), u.cols());
    for (Index column = 0; column < u.cols(); column += spread_lanes) {
      const GridField x = grid_->node_field(u, column);
      const GridField y = grid_->nodes().zeros();
      moments.apply(x.get(), y.get());
      grid_->spreader().fold_margins(y.get());
      grid_->nodes().take_filtered(y.get(), column, v);
    }
    return v;
  };
  return {.size = grid_->nodes().nodes(),
          .symmetric = reversible(),
          .apply = apply,
          .cheap = true,
          .transposed = transposed};
}

}  // namespace itomap::detail
