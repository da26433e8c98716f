#include "kernel/kernel_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/agreement.hpp"
#include "core/parallel.hpp"
#include "core/vector_exp.hpp"
#include "itomap/core/error.hpp"
#include "kernel/reorder.hpp"

namespace itomap::detail {
namespace {

/// Coordinates far from 0 leave no digits for an Euler step: what all points of an axis have in common. Zero unless the
/// axis is farther from 0 than it is long; all differences to it are then exact.
Eigen::RowVectorXd common_origin(PointsView points) {
  const Eigen::RowVectorXd low = points.colwise().minCoeff();
  const Eigen::RowVectorXd high = points.colwise().maxCoeff();
  Eigen::RowVectorXd origin = Eigen::RowVectorXd::Zero(points.cols());
  for (Index a = 0; a < points.cols(); ++a) {
    const double extent = high[a] - low[a];
    if (low[a] > extent) {
      origin[a] = low[a];
    } else if (-high[a] > extent) {
      origin[a] = high[a];
    }
  }
  return origin;
}

/// A number that is this much larger than what it should tell apart does so to a thousandth.
constexpr double most_magnitude = 1e-3 / std::numeric_limits<double>::epsilon();

[[noreturn]] void refuse_step(Index point) {
  throw InvalidArgument(fmt::format(
      "drift: the Euler step from point {} lands so far from the data that numbers cannot tell one point from another "
      "there; check the units of drift and epsilon",
      point));
}

/// Adds up entries of the same column, which come from different images; sorts by column.
void merge_images(KernelRow& row) {
  std::vector<std::size_t> by_column(row.columns.size());
  std::iota(by_column.begin(), by_column.end(), 0);
  std::stable_sort(by_column.begin(), by_column.end(),
                   [&](std::size_t a, std::size_t b) { return row.columns[a] < row.columns[b]; });
  row.merge_columns.clear();
  row.merge_values.clear();
  for (const std::size_t k : by_column) {
    if (!row.merge_columns.empty() && row.merge_columns.back() == row.columns[k]) {
      row.merge_values.back() += row.values[k];
    } else {
      row.merge_columns.push_back(row.columns[k]);
      row.merge_values.push_back(row.values[k]);
    }
  }
  row.columns.swap(row.merge_columns);
  row.values.swap(row.merge_values);
}

constexpr Index exponents_at_a_time = 1024;  // they stay in the first-level cache

/// Keeps the columns whose exponent is within the limit. Branch-free: half the candidates fail, unpredictably.
void append_within(Index begin, Index count, const double* exponents, double limit, KernelRow& row) {
  std::array<std::int32_t, exponents_at_a_time> columns;
  std::array<double, exponents_at_a_time> values;
  std::size_t kept = 0;
  for (Index j = 0; j < count; ++j) {
    columns[kept] = std::int32_t(begin + j);
    values[kept] = exponents[j];
    kept += exponents[j] <= limit ? 1 : 0;
  }
  row.columns.insert(row.columns.end(), columns.begin(), columns.begin() + std::ptrdiff_t(kept));
  row.values.insert(row.values.end(), values.begin(), values.begin() + std::ptrdiff_t(kept));
}

/// A row times some columns of x, whose sums stay in registers.
template <std::size_t width>
void row_product(const KernelRow& entries, PointsView x, Index first, double* y) {
  std::array<double, width> sums{};
  for (std::size_t e = 0; e < entries.columns.size(); ++e) {
    const double* from = x.data() + Index(entries.columns[e]) * x.outerStride() + first;
    for (std::size_t c = 0; c < width; ++c) {
      sums[c] += entries.values[e] * from[c];
    }
  }
  std::copy(sums.begin(), sums.end(), y);
}

}  // namespace

KernelGeometry KernelGeometry::isotropic(PointsView points, double epsilon, const KernelOptions& options) {
  KernelGeometry g = build(points, {}, Whitening::isotropic(points.cols(), epsilon), options);
  g.symmetric_ = true;
  return g;
}

KernelGeometry KernelGeometry::variable(PointsView points, const Vector& bandwidth, double epsilon,
                                        const KernelOptions& options) {
  if (bandwidth.size() == 0) {
    return isotropic(points, epsilon, options);
  }
  // The row's own part of the metric alone bounds its reach: u >= r^2 / 8 epsilon rho_i^2.
  const auto own = Diffusion::scalars(2.0 * bandwidth.array().square());
  KernelGeometry g = build(points, {}, Whitening::local(own, points.rows(), points.cols(), epsilon, 0.0), options);
  g.column_factors_.resize(g.size());
  for (Index k = 0; k < g.size(); ++k) {
    const double rho = bandwidth[g.order_[std::size_t(k)]];
    g.column_factors_[k] = 1.0 / (8.0 * epsilon * rho * rho);
  }
  g.symmetric_ = true;
  g.has_bandwidth_ = true;
  return g;
}

KernelGeometry KernelGeometry::local(PointsView points, PointsView drift, const Diffusion& diffusion, double epsilon,
                                     double eta, const KernelOptions& options) {
  return build(points, epsilon * drift, Whitening::local(diffusion, points.rows(), points.cols(), epsilon, eta),
               options);
}

KernelGeometry KernelGeometry::local(PointsView points, PointsView drift, const Diffusion& diffusion,
                                     const Vector& bandwidth, double epsilon, double eta,
                                     const KernelOptions& options) {
  if (bandwidth.size() == 0) {
    return local(points, drift, diffusion, epsilon, eta, options);
  }
  // A longer step is the same step of a process that runs faster there.
  const Vector speed = bandwidth.cwiseAbs2();
  KernelGeometry g =
      local(points, speed.asDiagonal() * drift, diffusion.scaled(speed, points.cols(), eta), epsilon, 0.0, options);
  g.has_bandwidth_ = true;
  return g;
}

KernelGeometry KernelGeometry::build(PointsView points, const Points& steps, const Whitening& whitening,
                                     const KernelOptions& options) {
  KernelGeometry g;
  g.period_ = options.period;
  g.cutoff_ = options.cutoff;
  g.limit_ = -std::log(options.cutoff);
  const Eigen::RowVectorXd origin = common_origin(points);
  const double cell = std::sqrt(g.limit_) * whitening.typical_radius();
  // Half a radius: narrower cells follow the ball more closely, and rows of cells are still long runs.
  if (origin.isZero(0.0) && !g.periodic()) {
    g.order_ = spatial_order(points, 0.5 * cell);
  } else {
    Points folded = points.rowwise() - origin;
    g.fold(folded);
    g.order_ = spatial_order(folded, 0.5 * cell);
  }
  g.position_ = inverse_order(g.order_);
  g.points_ = points(g.order_, Eigen::all).rowwise() - origin;
  g.whitening_ = whitening.reordered(g.order_);
  if (steps.size() > 0) {
    g.centres_ = g.points_ + steps(g.order_, Eigen::all);
    g.check_steps();
    g.fold(g.centres_);
  }
  g.fold(g.points_);
  g.columns_ = g.points_;
  g.low_ = g.points_.colwise().minCoeff();
  g.high_ = g.points_.colwise().maxCoeff();
  g.check_images();
  g.search_ = fastest_search(g.points_, 0.5 * cell);
  return g;
}

std::size_t KernelGeometry::memory() const {
  return std::size_t(columns_.size() + points_.size() + centres_.size() + column_factors_.size()) * sizeof(double) +
         whitening_.memory() + 2 * order_.size() * sizeof(std::int32_t);
}

bool KernelGeometry::whitenable() const {
  return whitening_.constant() && !variable() && (!periodic() || whitening_.along_axes());
}

void KernelGeometry::add_column_metric(Index i, Index begin, Index end, double* u) const {
  const double own = column_factors_[i];
  for (Index j = begin; j < end; ++j) {
    u[j - begin] *= (own + column_factors_[j]) / own;
  }
}

void KernelGeometry::collect(Index i, double limit, KernelRow& row) const {
  row.columns.clear();
  row.values.clear();
  images(i, limit, row);
  const bool wrapped = wraps(row);
  const double radius = std::sqrt(limit) * whitening_.unit_radius(i);
  const Reach reach{row.half_widths.data(), wrapped ? std::numeric_limits<double>::infinity() : radius};
  for (std::size_t k = 0; k < row.images.size(); k += std::size_t(dimension())) {
    const double* centre = row.images.data() + k;
    search_->candidates(centre, reach, row.ranges);
    for (const IndexRange range : row.ranges) {
      for (Index begin = range.begin; begin < range.end; begin += exponents_at_a_time) {
        const Index end = std::min(range.end, begin + exponents_at_a_time);
        double u[exponents_at_a_time];
        if (wrapped) {
          nearest_exponents(i, centre, row.wrap, begin, end, u);
        } else {
          exponents(i, centre, begin, end, u);
        }
        append_within(begin, end - begin, u, limit, row);
      }
    }
  }
}

double KernelGeometry::stranded_exponent(Index i, KernelRow& row) const {
  double limit = limit_;
  double own = 0.0;
  exponents(i, centres().row(i).data(), i, i + 1, &own);
  if (own <= limit) {
    return 0.0;  // the point itself is within the cut-off: nothing to search
  }
  collect(i, limit, row);
  if (!row.columns.empty()) {
    return 0.0;
  }
  while (row.columns.empty()) {
    limit *= 4.0;
    if (!std::isfinite(limit)) {
      refuse_step(order_[i]);
    }
    collect(i, limit, row);
  }
  const double nearest = *std::min_element(row.values.begin(), row.values.end());
  if (nearest > most_magnitude) {
    refuse_step(order_[i]);
  }
  return nearest;
}

/// Along a period every place is near the data: there the digits go in folding.
void KernelGeometry::check_steps() const {
  for (Index i = 0; i < centres_.rows(); ++i) {
    for (Index a = 0; a < Index(period_.size()); ++a) {
      if (period_[a] > 0.0 && std::abs(centres_(i, a)) > most_magnitude * whitening_.unit_half_widths(i)[a]) {
        refuse_step(order_[i]);
      }
    }
  }
}

Vector KernelGeometry::stranded_exponents(Reporter& reporter) const {
  constexpr Index rows_per_chunk = 512;
  Vector exponents(size());
  parallel_chunks(
      size(), rows_per_chunk,
      [&](Index begin, Index end) {
        KernelRow scratch;
        for (Index i = begin; i < end; ++i) {
          exponents[i] = stranded_exponent(i, scratch);
        }
      },
      &reporter);
  return exponents;
}

void KernelGeometry::row(Index i, KernelRow& row) const {
  row.log_scale = 0.0;
  collect(i, limit_, row);
  if (row.columns.empty()) {
    row.log_scale = stranded_exponent(i, row);
    collect(i, row.log_scale + limit_, row);
    for (double& u : row.values) {
      u -= row.log_scale;
    }
  }
  exp_of_negative(row.values.data(), Index(row.values.size()));
  if (wraps(row)) {
    multiply_row_images(i, row);
  }
  if (Index(row.images.size()) > dimension()) {
    merge_images(row);
  }
}

void KernelGeometry::row_products(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  constexpr Index rows_per_chunk = 32;
  parallel_chunks(Index(rows.size()), rows_per_chunk, [&](Index begin, Index end) {
    KernelRow entries;
    for (Index k = begin; k < end; ++k) {
      row(position(rows[std::size_t(k)]), entries);
      for (std::int32_t& column : entries.columns) {
        column = order_[std::size_t(column)];
      }
      Index c = 0;
      for (; c + 4 <= x.cols(); c += 4) {
        row_product<4>(entries, x, c, &y(k, c));
      }
      for (; c < x.cols(); ++c) {
        row_product<1>(entries, x, c, &y(k, c));
      }
    }
  });
}

void KernelGeometry::add_row_products_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  KernelRow entries;
  for (const Index i : rows) {
    row(position(i), entries);
    for (std::size_t e = 0; e < entries.columns.size(); ++e) {
      y.row(order_[std::size_t(entries.columns[e])]) += entries.values[e] * x.row(i);
    }
  }
}

std::vector<KernelEntry> KernelGeometry::entries_of(std::span<const Index> points) const {
  std::vector<std::vector<KernelEntry>> parts(points.size());
  Reporter reporter("kernel");
  parallel_chunks(
      Index(points.size()), 16,
      [&](Index begin, Index end) {
        KernelRow entries;
        for (Index k = begin; k < end; ++k) {
          const Index point = points[std::size_t(k)];
          row(position(point), entries);
          for (std::size_t e = 0; e < entries.columns.size(); ++e) {
            parts[std::size_t(k)].push_back(
                {std::int32_t(point), order_[std::size_t(entries.columns[e])], entries.values[e]});
          }
        }
      },
      &reporter);
  std::vector<KernelEntry> entries;
  for (const auto& part : parts) {
    entries.insert(entries.end(), part.begin(), part.end());
  }
  return entries;
}

Vector KernelGeometry::row_sums() const {
  constexpr Index rows_per_chunk = 256;
  const Ranks* ranks = current_ranks();
  const auto end_of = [&](Index part) { return std::size_t(size() * part / (ranks == nullptr ? 1 : ranks->size())); };
  const Index own = ranks == nullptr ? 0 : ranks->rank();
  const Index first = Index(end_of(own));
  std::vector<double> stored(std::size_t(size()), 0.0);
  Reporter reporter("density");
  parallel_chunks(
      Index(end_of(own + 1)) - first, rows_per_chunk,
      [&](Index begin, Index end) {
        KernelRow entries;
        for (Index i = first + begin; i < first + end; ++i) {
          row(i, entries);
          stored[std::size_t(i)] = std::accumulate(entries.values.begin(), entries.values.end(), 0.0);
        }
      },
      &reporter);
  if (ranks != nullptr) {
    std::vector<std::size_t> ends;
    for (Index part = 1; part <= ranks->size(); ++part) {
      ends.push_back(end_of(part));
    }
    ranks->share(stored, ends);
  }
  Vector sums(size());
  for (Index i = 0; i < size(); ++i) {
    sums[order_[std::size_t(i)]] = stored[std::size_t(i)];
  }
  return sums;
}

RowSample KernelGeometry::sampled_rows() const {
  // Long rows are like one another: fewer of them say as much.
  constexpr double enough_entries = 4e5;
  const RowSample few = sampled_rows(std::min<Index>(size(), 16));
  return sampled_rows(std::min<Index>(size(), Index(std::clamp(enough_entries / few.entries, 50.0, 200.0))));
}

RowSample KernelGeometry::sampled_rows(Index sample) const {
  // k = exp(-r^2 / 4 epsilon), so epsilon dk/d(epsilon) = -k log k.
  KernelRow entries;
  double count = 0.0;
  double sum = 0.0;
  double derivative = 0.0;
  for (Index s = 0; s < sample; ++s) {
    row(s * size() / sample, entries);
    count += double(entries.columns.size());
    const Eigen::Map<const Eigen::ArrayXd> k(entries.values.data(), Index(entries.values.size()));
    sum += k.sum();
    derivative -= (k * k.log()).sum();
  }
  return {count / double(sample), 2.0 * derivative / sum};
}

}  // namespace itomap::detail
