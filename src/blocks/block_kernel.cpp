#include "blocks/block_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "generator/local_map.hpp"

namespace itomap::detail {
namespace {

/// Rows that neighbours are counted in.
constexpr Index sampled_rows = 64;
/// So many points are looked at for that, evenly spread, where there are more.
constexpr Index sampled_points = 1'000'000;

/// K d is off by about the accuracy of the grid times |d|. Where it is no more than so many times that, functions have
/// no two digits left.
constexpr double two_digits = 100.0;

/// As in generator/traps.cpp: a row that sees fewer points may hold the process.
constexpr double fewest_in_reach = 4.0;

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
struct BlockKernel::Sample {
  Points centres;
  Points density_places;
  Index stride;

  /// Numbers of a block that add up to what the sample says: points looked at, entries above the cut-off, k and
  /// -k log k.
  static constexpr Index numbers = 4;
};

BlockKernel::BlockKernel(const BlockInput& input, const BlockPasses& passes)
    : input_(input), passes_(passes), epsilon_(input.definition.epsilon.value()), density_epsilon_(epsilon_) {
  set_frames();
  find_extent();
  set_grids();
  sum_density();
  sum_weights();
  sum_moments();
}

void BlockKernel::set_frames() {
  const MapDefinition& d = input_.definition;
  const Index n = input_.points.dimension();
  Points storage;
  const Eigen::RowVectorXd origin = input_.points.block(0, 1, storage).row(0);
  const auto isotropic = [&](double epsilon) {
    return KernelFrame(Whitening::isotropic(n, epsilon), d.kernel.period, origin, d.kernel.cutoff);
  };
  if (reversible()) {
    frame_ = isotropic(epsilon_);
    return;
  }
  density_epsilon_ =
      d.density_epsilon.is_value() ? d.density_epsilon.value() : epsilon_ * median_spread(*d.diffusion, 1, n, d.eta);
  frame_.emplace(Whitening::local(*d.diffusion, 1, n, epsilon_, d.eta), d.kernel.period, origin, d.kernel.cutoff);
  density_frame_ = isotropic(density_epsilon_);
}

Points BlockKernel::read_rows(const Trajectory& file, const BlockRange& block) const {
  Points storage;
  return file.block(block.begin, block.end, storage);
}

Points BlockKernel::steps(const BlockRange& block) const {
  return input_.drift ? Points(epsilon_ * read_rows(*input_.drift, block))
                      : Points::Zero(block.end - block.begin, input_.points.dimension());
}

void BlockKernel::find_extent() {
  const auto n = std::size_t(input_.points.dimension());
  const PassTotals totals =
      passes_.run("extent", {.largest = 4 * n + 1}, [&](const BlockRange& block, BlockTerms& terms) {
        const Points rows = read_rows(input_.points, block);
        add_extent(frame_->places(rows), std::span(terms.largest).first(2 * n));
        if (density_frame_) {
          add_extent(density_frame_->places(rows), std::span(terms.largest).subspan(2 * n, 2 * n));
        }
        if (input_.target) {
          const Points target = read_rows(*input_.target, block);
          if (input_.target_is_density && target.minCoeff() <= 0.0) {
            throw InvalidArgument(
                fmt::format("{}: a target density that is not positive has no logarithm; give the "
                            "logarithm itself",
                            input_.target->name()));
          }
          const double largest = target.maxCoeff();
          terms.largest[4 * n] = input_.target_is_density ? std::log(largest) : largest;
        }
      });
  box_ = empty_box(Index(n), frame_->period());
  set_box(std::span(totals.largest).first(2 * n), box_);
  if (density_frame_) {
    density_box_ = empty_box(Index(n), density_frame_->period());
    set_box(std::span(totals.largest).subspan(2 * n, 2 * n), density_box_);
  }
  largest_log_target_ = totals.largest[4 * n];
  if (!reversible()) {
    // Rows may be centred beyond the points, as far as they see any.
    box_.low.array() -= frame_->reach();
    box_.high.array() += frame_->reach();
  }
}

GaussGrid BlockKernel::grid_for(const KernelFrame& frame, WhitenedBox box, bool /*moved*/) const {
  GaussGrid grid = GaussGrid::cheapest(box, passes_.points(), frame.accuracy());
  constexpr double copies = 8.0;  // that are held at a time
  if (!(copies * grid.bytes() < double(memory_budget()))) {
    throw NotInBlocks(fmt::format(
        "blocks: a grid over all points at this epsilon does not fit into {}; a few points far from all others may be "
        "why: leave them out, or allow more memory",
        format_bytes(double(memory_budget()))));
  }
  return grid;
}

void BlockKernel::set_grids() {
  grid_ = std::make_unique<const GridTools>(grid_for(*frame_, box_, !reversible()));
  if (density_frame_) {
    own_density_grid_ = std::make_unique<const GridTools>(grid_for(*density_frame_, density_box_, false));
  }
}

BlockData BlockKernel::read(const BlockRange& block) const {
  BlockData data;
  data.rows = read_rows(input_.points, block);
  if (input_.target) {
    data.log_target = read_rows(*input_.target, block).col(0);
    if (input_.target_is_density) {
      data.log_target = data.log_target.array().log();
    }
    data.log_target.array() -= largest_log_target_;
  }
  if (reversible()) {
    data.density = std::make_unique<const SlabCloud>(grid_->cloud(frame_->places(data.rows)));
    return data;
  }
  data.density = std::make_unique<const SlabCloud>(own_density_grid_->cloud(density_frame_->places(data.rows)));
  data.own_sources = std::make_unique<const SlabCloud>(grid_->cloud(frame_->places(data.rows)));
  data.own_targets = std::make_unique<const SlabCloud>(grid_->cloud(frame_->places(data.rows, steps(block))));
  return data;
}

void BlockKernel::add_sample(const BlockRange& block, const Points& rows, const Sample& sample, Vector& numbers) const {
  const KernelFrame& density_frame = density_frame_ ? *density_frame_ : *frame_;
  for (Index i = (block.begin + sample.stride - 1) / sample.stride * sample.stride; i < block.end; i += sample.stride) {
    const Points z = frame_->places(rows.row(i - block.begin));
    const Points y = density_frame_ ? density_frame_->places(rows.row(i - block.begin)) : z;
    numbers[0] += 1.0;
    for (Index s = 0; s < sample.centres.rows(); ++s) {
      numbers[1] += frame_->squared_distance(z.data(), sample.centres.row(s).data()) <= frame_->limit() ? 1.0 : 0.0;
      const double u = density_frame.squared_distance(y.data(), sample.density_places.row(s).data());
      if (u <= density_frame.limit()) {
        numbers[2] += std::exp(-u);
        numbers[3] += u * std::exp(-u);
      }
    }
  }
}

void BlockKernel::sum_density() {
  const Index m = passes_.points();
  const CellLattice lattice(box_, frame_->reach());
  const auto cells = std::size_t(lattice.cells());
  Sample sample{Points(std::min(m, sampled_rows), frame_->dimension()), {}, std::max<Index>(1, m / sampled_points)};
  sample.density_places = sample.centres;
  for (Index s = 0; s < sample.centres.rows(); ++s) {
    const Index i = s * m / sample.centres.rows();
    const BlockRange one{0, i, i + 1};
    const Points row = read_rows(input_.points, one);
    sample.centres.row(s) = reversible() ? frame_->places(row) : frame_->places(row, steps(one));
    sample.density_places.row(s) = density_frame_ ? density_frame_->places(row) : frame_->places(row);
  }
  const GridTools& density_grid = own_density_grid_ ? *own_density_grid_ : *grid_;
  const std::size_t ones = own_density_grid_ ? grid_->stored() : 0;
  const std::size_t first_cell = density_grid.stored() + ones;
  const std::size_t landings = reversible() ? 0 : cells;
  const Index stray = Sample::numbers;  // centres that are outside of the box
  const PassTotals totals =
      passes_.run("density", {.sums = first_cell + cells + landings, .numbers = Sample::numbers + 1},
                  [&](const BlockRange& block, BlockTerms& terms) {
                    const BlockData data = read(block);
                    const Vector one = Vector::Ones(data.rows.rows());
                    const std::span sums(terms.sums);
                    density_grid.spread(*data.density, one, sums.first(density_grid.stored()));
                    const Points sources = frame_->places(data.rows);
                    for (Index i = 0; i < sources.rows(); ++i) {
                      sums[first_cell + std::size_t(std::max<Index>(lattice.cell(sources.row(i).data()), 0))] += 1.0;
                    }
                    if (!reversible()) {
                      grid_->spread(data.sources(), one, sums.subspan(density_grid.stored(), ones));
                      const Points centres = frame_->places(data.rows, steps(block));
                      for (Index i = 0; i < centres.rows(); ++i) {
                        const Index cell = lattice.cell(centres.row(i).data());
                        terms.numbers[stray] += cell < 0 ? 1.0 : 0.0;
                        sums[first_cell + cells + std::size_t(std::max<Index>(cell, 0))] += cell < 0 ? 0.0 : 1.0;
                      }
                    }
                    add_sample(block, data.rows, sample, terms.numbers);
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
  mean_neighbours_ = scale * totals.sum(1) / double(sample.centres.rows());
  intrinsic_dimension_ = totals.sum(2) > 0.0 ? 2.0 * totals.sum(3) / totals.sum(2) : 0.0;
}

/// log d, not above 0 and for no sensible map far below: sums of d keep their digits.
Vector BlockKernel::log_weights(const Vector& density, const BlockData& data) const {
  const MapDefinition& d = input_.definition;
  switch (d.method) {
    case Method::DiffusionMap: {
      const double most = d.alpha < 0.0 ? std::log(double(passes_.points())) : 0.0;
      return -d.alpha * (density.array().log() - most);
    }
    case Method::TargetMeasureMap:
      return 0.5 * data.log_target.array() - density.array().log();
    case Method::LocalKernelMap:
      return -density.array().log();
    case Method::BiasedLocalKernelMap:
      break;
  }
  return Vector::Zero(density.size());
}

BlockWeights BlockKernel::weights(const BlockData& data) const {
  constexpr double smallest_log_weight = -600.0;
  const Index count = data.rows.rows();
  BlockWeights w;
  Block gathered(count, spread_lanes);
  const GridTools& density_grid = own_density_grid_ ? *own_density_grid_ : *grid_;
  density_grid.gather(*data.density, density_field_, 0, gathered);
  w.density = gathered.col(0).cwiseMax(1.0);  // it holds the point itself
  w.weights = log_weights(w.density, data).cwiseMax(smallest_log_weight).array().exp();
  if (weight_sums_.empty()) {
    return w;
  }
  if (reversible()) {
    w.row_sums = gathered.col(1).cwiseMax(w.weights);
    return w;
  }
  grid_->gather(data.targets(), row_field_, 0, gathered);
  w.row_sums = gathered.col(0).cwiseMax(std::numeric_limits<double>::min());
  w.rows_hold = gathered.col(1);
  return w;
}

void BlockKernel::sum_weights() {
  const std::size_t stored = grid_->stored();
  const MomentRanges no_ranges(grid_->grid());
  const std::size_t ranges = numbers_a_range * no_ranges.all().size();
  const std::size_t sides = reversible() ? 1 : 2;
  const PassTotals totals = passes_.run("weights", {.sums = stored, .largest = sides * ranges, .numbers = 1},
                                        [&](const BlockRange& block, BlockTerms& terms) {
                                          const BlockData data = read(block);
                                          const Vector d = weights(data).weights;
                                          grid_->spread(data.sources(), d, terms.sums);
                                          terms.numbers[0] = d.squaredNorm();
                                          const Vector one = Vector::Ones(d.size());
                                          MomentRanges here(grid_->grid());
                                          here.add(data.sources(), data.targets(), one);
                                          put_ranges(here, std::span(terms.largest).first(ranges));
                                          if (!reversible()) {
                                            MomentRanges there(grid_->grid());
                                            there.add(data.targets(), data.sources(), one);
                                            put_ranges(there, std::span(terms.largest).subspan(ranges));
                                          }
                                        });
  weight_sums_ = totals.sums;
  zero_mode_ = grid_->condensed(weight_sums_);
  if (reversible()) {
    density_field_ = grid_->field({density_sums_, weight_sums_});
  } else {
    row_field_ = grid_->field({weight_sums_, one_sums_});
  }
  lost_below_ = two_digits * frame_->accuracy() * std::sqrt(totals.sum(0));
  const auto found = std::span(totals.largest);
  moments_ = MomentMatrix::zero(grid_->grid(), taken_ranges(grid_->grid(), found.first(ranges)), moment_budget());
  if (!reversible()) {
    transposed_moments_ =
        MomentMatrix::zero(grid_->grid(), taken_ranges(grid_->grid(), found.subspan(ranges)), moment_budget());
  }
  if (moments_ == nullptr || (!reversible() && transposed_moments_ == nullptr)) {
    throw NotInBlocks(
        fmt::format("blocks: the condensed problem does not fit into {}; allow more memory, or raise "
                    "epsilon",
                    format_bytes(double(memory_budget()))));
  }
}

/// Entries of a moment matrix that there is room for: they are held once, as a sum, and by every thread.
double BlockKernel::moment_budget() const {
  const double copies = 4.0 + double(current_threads());
  return double(memory_budget()) / (copies * sizeof(double) * (reversible() ? 1.0 : 2.0));
}

void BlockKernel::sum_moments() {
  const std::size_t entries = moments_->entries().size();
  const std::size_t transposed = reversible() ? 0 : transposed_moments_->entries().size();
  enum Number : Index { Total, Squares, Lost, Weak, Count };
  const PassTotals totals = passes_.run(
      "moments", {.sums = entries + transposed, .numbers = Count}, [&](const BlockRange& block, BlockTerms& terms) {
        const BlockData data = read(block);
        const BlockWeights w = weights(data);
        Vector factors = w.weights.cwiseQuotient(w.row_sums);
        for (Index i = 0; i < factors.size(); ++i) {
          terms.numbers[Lost] += lost(w.row_sums[i]) ? 1.0 : 0.0;
          terms.numbers[Weak] += !reversible() && w.rows_hold[i] < fewest_in_reach ? 1.0 : 0.0;
          factors[i] = lost(w.row_sums[i]) ? 0.0 : factors[i];
        }
        const Vector measure = w.weights.cwiseProduct(w.row_sums);
        terms.numbers[Total] = measure.sum();
        terms.numbers[Squares] = measure.squaredNorm();
        const std::span sums(terms.sums);
        moments_->add(grid_->spreader(), data.sources(), data.targets(), factors, sums.first(entries));
        if (!reversible()) {
          transposed_moments_->add(grid_->spreader(), data.targets(), data.sources(), factors, sums.subspan(entries));
        }
      });
  lost_points_ = Index(totals.sum(Lost));
  if (!reversible() && (lost_points_ > 0 || (totals.sum(Weak) > 0.0 && !input_.definition.keep_traps))) {
    throw NotInBlocks(
        fmt::format("blocks: {:.0f} row(s) see next to nothing, and only a map in memory can look at them one by one; "
                    "raise epsilon, "
                    "or leave out points that are far from all others",
                    std::max(totals.sum(Weak), double(lost_points_))));
  }
  total_weight_ = totals.sum(Total);
  effective_points_ = total_weight_ * total_weight_ / totals.sum(Squares);
  std::copy_n(totals.sums.begin(), entries, moments_->entries().begin());
  if (!reversible()) {
    std::copy_n(totals.sums.begin() + std::ptrdiff_t(entries), transposed, transposed_moments_->entries().begin());
  }
}

std::size_t BlockKernel::memory() const {
  return moments_->memory() + (transposed_moments_ ? transposed_moments_->memory() : 0) +
         std::size_t(grid_->grid().bytes() + (own_density_grid_ ? own_density_grid_->grid().bytes() : 0.0));
}

LinearOperator BlockKernel::condensed(bool transposed) const {
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
