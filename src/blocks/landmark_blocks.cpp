#include "blocks/landmark_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "blocks/exchange.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "kernel/graph_builder.hpp"
#include "kernel/landmarks/centres.hpp"
#include "kernel/landmarks/landmark_choice.hpp"

namespace itomap::detail {
namespace {

/// Errors of single entries, of random signs, add up to the error of one times |d|. Where K d is no more than so many
/// times that, functions may be anything: as the engine has it in memory, where such rows are computed one by one.
constexpr double times_the_error = 3.0;

/// A density holds the point itself, of which a row may lack a little.
constexpr double least_density = 0.5;

/// Outliers that one block may bring forward.
constexpr Index outliers_a_block = 32;
/// So many times as many of its points are looked at for that.
constexpr Index looked_at = 4;

/// Components of landmarks that points may join.
constexpr Index most_components = 64;

/// In these coordinates every kernel is exp(-|x - y|^2).
constexpr double unit_epsilon = 0.25;

constexpr Index unseen_label = -1;

/// Whether both kernels have the same width in all directions: that of the density of a scalar A, for one.
bool same_metric(const KernelFrame& a, const KernelFrame& b) {
  constexpr double rounding = 1e-13;
  const Points axes = Points::Identity(a.dimension() + 1, a.dimension());  // and 0
  const auto relative = [&](const KernelFrame& frame) {
    const Points places = frame.places(axes);
    return Points(places.rowwise() - places.row(a.dimension()));
  };
  const Points own = relative(a);
  return (own - relative(b)).norm() <= rounding * own.norm();
}

[[noreturn]] void refuse_parts() {
  throw NotInBlocks(
      "blocks: the points do not hang together at this epsilon, and only a map in memory can look at their parts one "
      "by one; raise epsilon, or leave out points that are far from all others");
}

}  // namespace

/// The block's points as the landmarks see them.
struct LandmarkBlocks::Clouds final : BlockData {
  std::unique_ptr<LandmarkCloud> density;
  std::unique_ptr<LandmarkCloud> own_sources;  ///< none where the density's will do
  std::unique_ptr<LandmarkCloud> own_targets;  ///< likewise, that of the sources

  LandmarkCloud& sources() const { return own_sources ? *own_sources : *density; }
  LandmarkCloud& targets() const { return own_targets ? *own_targets : sources(); }
};

struct LandmarkBlocks::Fields final : NodeFields {
  InFours numbers;

  Fields(Index rows, PointsView u) : NodeFields(u.cols()), numbers(rows, u) {}
};

/// Where the numbers of a block stand that brings outliers forward: for each basis how many there are, how many others
/// nobody sees, and of each its sum and its place.
struct LandmarkBlocks::Outliers {
  Index dimension;

  Index each() const { return 1 + dimension; }
  Index numbers() const { return 2 + outliers_a_block * each(); }
};

LandmarkBlocks::LandmarkBlocks(const BlockInput& input, const BlockPasses& passes) : BlockKernel(input, passes) {
  choose();
  check_memory();
  sum_ones("sums");
  if (find_outliers()) {
    check_memory();
    sum_ones("sums again");
  }
  sum_weights();
  sum_moments();
}

std::vector<LandmarkBlocks::Basis*> LandmarkBlocks::bases() const {
  std::vector<Basis*> all{kernel_.get()};
  if (density_) {
    all.push_back(density_.get());
  }
  return all;
}

void LandmarkBlocks::choose() {
  kernel_ = chosen(frame(), !reversible());
  if (own_density_frame() && !same_metric(frame(), density_frame())) {
    density_ = chosen(density_frame(), false);
  }
}

std::unique_ptr<LandmarkBlocks::Basis> LandmarkBlocks::chosen(const KernelFrame& kernel_frame, bool moved) {
  const MapDefinition& d = input().definition;
  auto basis = std::make_unique<Basis>(Basis{kernel_frame, LandmarkSet(d.kernel.cutoff)});
  Points places;
  std::array<double, 5> said{};
  if (passes().ranks().first()) {
    const Index landmarks = d.kernel.landmarks;
    const auto rows = spread_evenly(points(), landmark_sample(landmarks > 0 ? landmarks : most_landmarks));
    Points sample(Index(rows.size()), input().points.dimension());
    Points centres = sample;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const BlockRange one{0, rows[k], rows[k] + 1};
      const Points row = read_rows(input().points, one);
      sample.row(Index(k)) = kernel_frame.places(row);
      if (moved) {
        centres.row(Index(k)) = kernel_frame.places(row, steps(one));
      }
    }
    const KernelOptions options{.cutoff = d.kernel.cutoff};
    auto geometry = moved ? KernelGeometry::local(sample, (centres - sample) / unit_epsilon, Diffusion::constant(1.0),
                                                  unit_epsilon, 0.0, options)
                          : KernelGeometry::isotropic(sample, unit_epsilon, options);
    LandmarkKernel kernel(std::move(geometry));
    basis->error = choose_landmarks(kernel, landmarks, d.kernel.landmark_error);
    places = kernel.landmark_places();
    const RowSample& found = kernel.geometry().sample();
    said = {basis->error.sums, basis->error.steps, basis->error.entries,
            found.entries * double(points()) / double(rows.size()), found.dimension};
  }
  broadcast(passes().ranks(), places);
  broadcast(passes().ranks(), std::span<double>(said));
  basis->error = {.sums = said[0], .steps = said[1], .entries = said[2]};
  // Neighbours are those of the kernel, the dimension is that of the density.
  set_neighbours(kernel_ ? mean_neighbours() : said[3], said[4]);
  take_places(*basis, places);
  return basis;
}

/// All of them are taken for one component, until the points are known to join them.
void LandmarkBlocks::take_places(Basis& basis, const Points& places) {
  basis.set.set_places(places);
  const auto& component = basis.set.component();
  std::vector<Index> roots = component;
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  basis.components = Index(roots.size());
  if (basis.components > most_components) {
    refuse_parts();
  }
  basis.labels.clear();
  for (const Index root : component) {
    basis.labels.push_back(std::lower_bound(roots.begin(), roots.end(), root) - roots.begin());
  }
  basis.set.set_components(std::vector<Index>(component.size(), 0));
  basis.set.factorise();
}

void LandmarkBlocks::check_memory() const {
  const double threads = double(current_threads());
  const double blocks = std::ceil(double(points()) / double(passes().block_points()));
  const auto outliers = double(Outliers{input().points.dimension()}.numbers());
  double bytes = 0.0;
  for (const Basis* basis : bases()) {
    bytes += 2.0 * blocks * outliers * sizeof(double);
    const double n = double(basis->set.strips().padded());
    const double sides = reversible() || basis == density_.get() ? 1.0 : 2.0;
    bytes += threads * double(passes().block_points()) * n * sides * sizeof(double) + 2.0 * n * n * sizeof(double);
  }
  const double n = double(kernel_->set.strips().padded());
  bytes += (6.0 + threads) * n * n * sizeof(double);
  if (!(bytes < double(memory_budget()))) {
    throw NotInBlocks(fmt::format(
        "blocks: {} landmarks on {:.0f} threads need {}, more than the {} allowed; take fewer of either, or "
        "allow more memory",
        kernel_->set.size(), threads, format_bytes(bytes), format_bytes(double(memory_budget()))));
  }
}

std::unique_ptr<const BlockData> LandmarkBlocks::read(const BlockRange& block) const {
  return clouds(block, !reversible());
}

std::unique_ptr<LandmarkBlocks::Clouds> LandmarkBlocks::clouds(const BlockRange& block, bool with_targets) const {
  auto data = std::make_unique<Clouds>();
  read_into(block, *data);
  const Points places = density().frame.places(data->rows);
  const auto order = block_order(places);
  data->density = std::make_unique<LandmarkCloud>(density().set, places, order);
  if (density_) {
    data->own_sources = std::make_unique<LandmarkCloud>(kernel_->set, frame().places(data->rows), order);
  }
  if (with_targets) {
    data->own_targets = std::make_unique<LandmarkCloud>(kernel_->set, frame().places(data->rows, steps(block)), order);
  }
  return data;
}

void LandmarkBlocks::sum_ones(const std::string& pass) {
  const auto kernel_size = std::size_t(kernel_->set.size());
  const std::size_t density_size = density_ ? std::size_t(density_->set.size()) : 0;
  const PassTotals totals = passes().run(pass, {.sums = kernel_size + density_size, .largest = 1},
                                         [&](const BlockRange& block, BlockTerms& terms) {
                                           const auto data = clouds(block, false);
                                           const Vector one = Vector::Ones(data->rows.rows());
                                           const std::span sums(terms.sums);
                                           data->sources().gather(one, sums.first(kernel_size));
                                           if (density_) {
                                             data->density->gather(one, sums.subspan(kernel_size));
                                           }
                                           if (input().target) {
                                             terms.largest[0] = largest_log_target(block);
                                           }
                                         });
  set_largest_log_target(totals.largest[0]);
  const Eigen::Map<const Vector> all(totals.sums.data(), Index(totals.sums.size()));
  kernel_->ones = kernel_->set.solved(Block(all.head(Index(kernel_size)))).col(0);
  if (density_) {
    density_->ones = density_->set.solved(Block(all.tail(Index(density_size)))).col(0);
  }
  density_field_ = std::make_unique<InFours>(density().set.strips().padded(), Block(density().ones));
}

/// Those that sum to the least and lack the most, for each basis.
void LandmarkBlocks::add_outliers(const Clouds& data, Vector& numbers) const {
  const Outliers layout{input().points.dimension()};
  Index first = 0;
  for (const Basis* basis : bases()) {
    const LandmarkCloud& cloud = basis == kernel_.get() ? data.sources() : *data.density;
    const InFours field(basis->set.strips().padded(), Block(basis->ones));
    const Vector sums = cloud.spread(field, 1).col(0);
    std::vector<Index> doubtful;
    for (Index i = 0; i < sums.size(); ++i) {
      if (sums[i] < doubtful_sum) {
        doubtful.push_back(i);
      }
    }
    std::sort(doubtful.begin(), doubtful.end(),
              [&](Index i, Index j) { return sums[i] != sums[j] ? sums[i] < sums[j] : i < j; });
    double* own = numbers.data() + first;
    for (std::size_t k = 0; k < doubtful.size(); ++k) {
      const Index i = doubtful[k];
      if (Index(k) >= looked_at * outliers_a_block || own[0] >= double(outliers_a_block)) {
        own[1] += sums[i] < weakest_sum ? 1.0 : 0.0;
      } else if (lacks_too_much(sums[i], basis->set.whitened(Block(cloud.row(i))).col(0))) {
        double* outlier = own + 2 + Index(own[0]) * layout.each();
        outlier[0] = sums[i];
        const Points place = basis->frame.places(data.rows.row(i));
        std::copy_n(place.data(), layout.dimension, outlier + 1);
        own[0] += 1.0;
      }
    }
    first += layout.numbers();
  }
}

bool LandmarkBlocks::find_outliers() {
  const Outliers layout{input().points.dimension()};
  const auto all = bases();
  const PassTotals totals = passes().run(
      "outliers", {.numbers = Index(all.size()) * layout.numbers()},
      [&](const BlockRange& block, BlockTerms& terms) { add_outliers(*clouds(block, false), terms.numbers); });
  bool found_some = false;
  Index first = 0;
  for (Basis* basis : all) {
    std::vector<const double*> found;
    for (Index block = 0; block < totals.numbers.rows(); ++block) {
      const double* own = totals.numbers.row(block).data() + first;
      for (Index k = 0; k < Index(own[0]); ++k) {
        found.push_back(own + 2 + k * layout.each());
      }
    }
    std::stable_sort(found.begin(), found.end(), [](const double* a, const double* b) { return a[0] < b[0]; });
    const Index taken = std::min(Index(found.size()), most_outliers(basis->set.size()));
    double unseen = totals.sum(first + 1);
    for (Index k = taken; k < Index(found.size()); ++k) {
      unseen += found[std::size_t(k)][0] < weakest_sum ? 1.0 : 0.0;
    }
    if (unseen > 0.0) {
      throw NotInBlocks(fmt::format(
          "blocks: {:.0f} point(s) are seen by none of {} landmarks; raise epsilon, take more landmarks, or leave out "
          "points that are far from all others",
          unseen, basis->set.size()));
    }
    if (taken > 0) {
      Points places(basis->set.size() + taken, layout.dimension);
      places.topRows(basis->set.size()) = basis->set.places();
      for (Index k = 0; k < taken; ++k) {
        places.row(basis->set.size() + k) =
            Eigen::Map<const Eigen::RowVectorXd>(found[std::size_t(k)] + 1, layout.dimension);
      }
      take_places(*basis, in_spatial_order(places));
      found_some = true;
    }
    first += layout.numbers();
  }
  return found_some;
}

BlockWeights LandmarkBlocks::weights(const BlockData& block) const {
  const auto& data = static_cast<const Clouds&>(block);
  const bool row_sums_known = row_field_ || density_field_->columns > 1;
  BlockWeights w;
  const Block here = data.density->spread(*density_field_, density_field_->columns);
  w.density = here.col(0).cwiseMax(least_density);
  w.weights = block_weights(w.density, data);
  if (!row_sums_known) {
    return w;
  }
  // As they are, even where the point's own entry is lacking: rows of P sum to 1 as the kernel has them.
  constexpr double positive = std::numeric_limits<double>::min();
  if (reversible()) {
    w.row_sums = here.col(1).cwiseMax(positive);
    return w;
  }
  const Block rows = data.targets().spread(*row_field_, row_field_->columns);
  w.row_sums = rows.col(0).cwiseMax(positive);
  w.rows_hold = rows.col(1);
  return w;
}

bool LandmarkBlocks::lost(const BlockWeights& w, Index i) const {
  return (reversible() && w.row_sums[i] < lost_below_) || left_out(w, i);
}

/// A row lacks its own entry, of weight 1: more than errors of others can explain.
bool LandmarkBlocks::left_out(const BlockWeights& w, Index i) const {
  constexpr double half_of_it = 0.5;
  return reversible() ? w.row_sums[i] < half_of_it * w.weights[i] : w.rows_hold[i] < weakest_sum;
}

/// How many points see landmarks of two components: a matrix of counts, row by row.
void LandmarkBlocks::count_joints(const Basis& basis, const Clouds& data, std::span<double> joints) const {
  if (basis.components == 1) {
    return;
  }
  std::vector<Index> seen(std::size_t(data.rows.rows()), unseen_label);
  const auto count = [&](Index i, Index strip, const double* entries) {
    for (Index c = 0; c < strip_width; ++c) {
      if (entries[c] > 0.0) {
        const Index label = basis.labels[std::size_t(strip * strip_width + c)];
        Index& first = seen[std::size_t(i)];
        first = first == unseen_label ? label : first;
        joints[std::size_t(first * basis.components + label)] += 1.0;
      }
    }
  };
  if (&basis == density_.get()) {
    data.density->for_strips(count);
    return;
  }
  data.sources().for_strips(count);
  if (!reversible()) {
    data.targets().for_strips(count);
  }
}

void LandmarkBlocks::check_joints(const Basis& basis, std::span<const double> joints) {
  if (basis.components == 1) {
    return;  // nothing was counted
  }
  UnionFind sets(basis.components);
  Index parts = basis.components;
  for (Index a = 0; a < basis.components; ++a) {
    for (Index b = 0; b < basis.components; ++b) {
      if (joints[std::size_t(a * basis.components + b)] > 0.0 && sets.root(a) != sets.root(b)) {
        sets.unite(a, b);
        --parts;
      }
    }
  }
  if (parts > 1) {
    refuse_parts();
  }
}

void LandmarkBlocks::sum_weights() {
  const auto n = std::size_t(kernel_->set.size());
  std::size_t joints = 0;
  for (const Basis* basis : bases()) {
    joints += basis->joints();
  }
  const PassTotals totals =
      passes().run("weights", {.sums = n + joints, .numbers = 1}, [&](const BlockRange& block, BlockTerms& terms) {
        const auto data = clouds(block, kernel_->components > 1 && !reversible());
        const Vector d = weights(*data).weights;
        std::span sums(terms.sums);
        data->sources().gather(d, sums.first(n));
        terms.numbers[0] = d.squaredNorm();
        sums = sums.subspan(n);
        for (const Basis* basis : bases()) {
          count_joints(*basis, *data, sums.first(basis->joints()));
          sums = sums.subspan(basis->joints());
        }
      });
  std::span<const double> sums(totals.sums);
  const Block weighted = Eigen::Map<const Vector>(sums.data(), Index(n));
  sums = sums.subspan(n);
  for (const Basis* basis : bases()) {
    check_joints(*basis, sums.first(basis->joints()));
    sums = sums.subspan(basis->joints());
  }
  set_zero_mode(kernel_->set.whitened(weighted));
  lost_below_ = times_the_error * kernel_->error.entries * std::sqrt(totals.sum(0));
  const Vector solved = kernel_->set.solved(weighted).col(0);
  Block both(Index(n), 2);
  if (reversible()) {
    both << kernel_->ones, solved;
    density_field_ = std::make_unique<InFours>(kernel_->set.strips().padded(), both);
  } else {
    both << solved, kernel_->ones;
    row_field_ = std::make_unique<InFours>(kernel_->set.strips().padded(), both);
  }
}

void LandmarkBlocks::sum_moments() {
  const Index strips = kernel_->set.strips().count();
  const PassTotals totals =
      passes().run("moments", {.sums = std::size_t(strips * strips * moment_tile), .numbers = MeasureNumbers},
                   [&](const BlockRange& block, BlockTerms& terms) {
                     const auto data = clouds(block, !reversible());
                     const Vector factors = add_measure(weights(*data), terms.numbers);
                     if (reversible()) {
                       data->sources().add_moments(factors, terms.sums.data());
                     } else {
                       data->sources().add_moments(factors, data->targets(), terms.sums.data());
                     }
                   });
  set_measure(totals);
  matrix_ = kernel_->set.whitened_both(matrix_of_tiles(totals.sums.data(), strips, kernel_->set.size(), reversible()),
                                       reversible());
}

KernelPlan LandmarkBlocks::plan() const {
  KernelPlan plan;
  plan.engine = Engine::Landmarks;
  plan.landmarks = nodes();
  plan.step_error = kernel_->error.steps;
  plan.sum_error = kernel_->error.sums;
  plan.reason = fmt::format(
      "points in blocks: {:.0f} neighbours a point; {} landmarks: steps off by {:.2g} %, sums by {:.2g} %, on a sample "
      "of rows",
      mean_neighbours(), nodes(), 100.0 * plan.step_error, 100.0 * plan.sum_error);
  plan.bytes = std::size_t(matrix_.size()) * sizeof(double);
  for (const Basis* basis : bases()) {
    plan.bytes += basis->set.memory();
  }
  plan.predicted_bytes = double(plan.bytes);
  return plan;
}

LinearOperator LandmarkBlocks::condensed(bool transposed) const {
  const auto apply = [this, transposed](PointsView u) {
    constexpr Index rows = 256;
    Block v(u.rows(), u.cols());
    parallel_chunks(nodes(), rows, Operations{double(matrix_.size() * u.cols())}, [&](Index begin, Index end) {
      if (transposed) {
        v.middleRows(begin, end - begin).noalias() = matrix_.middleCols(begin, end - begin).transpose() * u;
      } else {
        v.middleRows(begin, end - begin).noalias() = matrix_.middleRows(begin, end - begin) * u;
      }
    });
    return v;
  };
  return {.size = nodes(), .symmetric = reversible(), .apply = apply, .cheap = true, .transposed = transposed};
}

std::unique_ptr<const NodeFields> LandmarkBlocks::fields(PointsView u) const {
  return std::make_unique<const Fields>(kernel_->set.strips().padded(),
                                        u.cols() > 0 ? kernel_->set.unwhitened(u) : Block(u));
}

Block LandmarkBlocks::gathered(const BlockData& block, BlockSide side, const NodeFields& fields) const {
  const auto& data = static_cast<const Clouds&>(block);
  const LandmarkCloud& cloud = side == BlockSide::Sources ? data.sources() : data.targets();
  return cloud.spread(static_cast<const Fields&>(fields).numbers, fields.columns);
}

}  // namespace itomap::detail
