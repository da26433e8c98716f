// What the geometry of a kernel does about periodic coordinates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/vector_exp.hpp"
#include "itomap/core/error.hpp"
#include "kernel/images.hpp"
#include "kernel/kernel_geometry.hpp"

namespace itomap::detail {
namespace {

/// Shifts, in periods, that bring a centre within reach of the data along an axis.
struct PeriodShifts {
  double first;
  double last;

  double count() const { return last - first + 1.0; }
};

PeriodShifts shifts_to(double low, double high, double centre, double half_width, double period) {
  return {std::ceil((low - half_width - centre) / period), std::floor((high + half_width - centre) / period)};
}

/// A kernel that wide is flat along the circle: the period is in other units. Images are visited one by one unless the
/// kernel lies along the axes; twenty along each axis are enough to make it flat to the last digit.
void refuse_many(double images, double period, Index axis) {
  constexpr double most = 1e5;
  if (images > most) {
    throw InvalidArgument(
        fmt::format("period: {:g} for coordinate {} is so short that the kernel reaches around it far too often; check "
                    "its units, or lower epsilon",
                    period, axis));
  }
}

bool any_positive(std::span<const double> lengths) {
  return std::any_of(lengths.begin(), lengths.end(), [](double length) { return length > 0.0; });
}

}  // namespace

bool KernelGeometry::periodic() const { return any_positive(period_); }

bool KernelGeometry::wraps(const KernelRow& row) { return any_positive(row.wrap); }

void KernelGeometry::check_images() const {
  double images = 1.0;
  for (std::size_t a = 0; a < period_.size(); ++a) {
    if (period_[a] > 0.0) {
      const double along = 1.0 + 2.0 * std::sqrt(limit_) * whitening_.typical_radius() / period_[a];
      images = whitening_.along_axes() ? along : images * along;
      refuse_many(images, period_[a], Index(a));
    }
  }
}

void KernelGeometry::fold(Points& points) const {
  for (std::size_t a = 0; a < period_.size(); ++a) {
    if (period_[a] > 0.0) {
      for (Index i = 0; i < points.rows(); ++i) {
        double& x = points(i, Index(a));
        x -= period_[a] * std::floor(x / period_[a]);
      }
    }
  }
}

std::vector<double> KernelGeometry::whitened_period() const {
  std::vector<double> period = period_;
  for (std::size_t a = 0; a < period.size(); ++a) {
    period[a] /= whitening_.unit_half_widths(0)[a];
  }
  return period;
}

/// Along an axis that the kernel does not reach around, at most two images of a centre see any data, and no point both;
/// but near the corners of many axes these are 2^N.
void KernelGeometry::choose_wraps(Index i, KernelRow& row) const {
  row.wrap.assign(std::size_t(dimension()), 0.0);
  if (!whitening_.along_axes()) {
    return;
  }
  double images = 1.0;
  for (std::size_t a = 0; a < period_.size(); ++a) {
    if (period_[a] > 0.0 && 2.0 * row.half_widths[a] >= period_[a]) {
      row.wrap[a] = period_[a];
    } else if (period_[a] > 0.0) {
      const auto axis = Index(a);
      images *= shifts_to(low_[axis], high_[axis], centres()(i, axis), row.half_widths[a], period_[a]).count();
    }
  }
  if (images > 2.0 * double(dimension())) {
    row.wrap = period_;
  }
}

void KernelGeometry::images(Index i, double limit, KernelRow& row) const {
  const Index n = dimension();
  const double* centre = centres().row(i).data();
  const double scale = std::sqrt(limit);
  row.half_widths.resize(std::size_t(n));
  for (Index a = 0; a < n; ++a) {
    row.half_widths[a] = scale * whitening_.unit_half_widths(i)[a];
  }
  choose_wraps(i, row);
  row.images.assign(centre, centre + n);
  for (Index a = 0; a < Index(period_.size()); ++a) {
    if (row.wrap[a] > 0.0) {
      row.half_widths[a] = row.wrap[a];  // all points
    }
    if (period_[a] <= 0.0 || row.wrap[a] > 0.0) {
      continue;
    }
    // Every image found so far is repeated at all shifts along this axis that bring it near the data's box.
    const auto [first, last] = shifts_to(low_[a], high_[a], centre[a], row.half_widths[a], period_[a]);
    const std::vector<double> before = std::move(row.images);
    refuse_many(double(before.size()) / double(n) * (last - first + 1.0), period_[a], a);
    row.images.clear();
    for (std::size_t k = 0; k < before.size(); k += std::size_t(n)) {
      for (double shift = first; shift <= last; ++shift) {
        row.images.insert(row.images.end(), before.begin() + std::ptrdiff_t(k), before.begin() + std::ptrdiff_t(k) + n);
        row.images[row.images.size() - std::size_t(n) + std::size_t(a)] += shift * period_[a];
      }
    }
  }
}

double KernelGeometry::axis_factor(Index i, Index a) const {
  return whitening_.factors(i)[whitening_.kind() == Whitening::Kind::Scalar ? 0 : std::size_t(a)];
}

void KernelGeometry::nearest_exponents(Index i, const double* centre, std::span<const double> wrap, Index begin,
                                       Index end, double* u) const {
  std::fill(u, u + (end - begin), 0.0);
  for (Index a = 0; a < dimension(); ++a) {
    const double period = wrap.empty() ? 0.0 : wrap[std::size_t(a)];
    const double factor = axis_factor(i, a);
    const double* x = columns_.col(a).data();
    for (Index j = begin; j < end; ++j) {
      const double d = nearest_image(centre[a] - x[j], period);
      u[j - begin] += factor * (d * d);
    }
  }
  if (variable()) {
    add_column_metric(i, begin, end, u);
  }
}

template <class Column>
void KernelGeometry::multiply_by_images(Index i, std::span<const double> wrap, Index count, const Column& column,
                                        double* values) const {
  constexpr Index tile = 256;
  double d[tile];
  double q[tile];
  for (Index a = 0; a < Index(wrap.size()); ++a) {
    if (wrap[std::size_t(a)] <= 0.0) {
      continue;
    }
    for (Index first = 0; first < count; first += tile) {
      const Index n = std::min(tile, count - first);
      for (Index k = 0; k < n; ++k) {
        const Index j = column(first + k);
        d[k] = nearest_image(centres()(i, a) - columns_(j, a), wrap[std::size_t(a)]);
        q[k] = axis_factor(i, a) + (variable() ? column_factors_[j] : 0.0);
      }
      multiply_images(d, q, wrap[std::size_t(a)], n, values + first);
    }
  }
}

void KernelGeometry::multiply_row_images(Index i, KernelRow& row) const {
  multiply_by_images(
      i, row.wrap, Index(row.values.size()), [&](Index k) { return Index(row.columns[std::size_t(k)]); },
      row.values.data());
}

void KernelGeometry::cut_off(double log_scale, Index count, double* u) const {
  constexpr double vanishing = 1000.0;
  for (Index j = 0; j < count; ++j) {
    u[j] = u[j] - log_scale <= limit_ ? u[j] - log_scale : vanishing;
  }
}

void KernelGeometry::wrapped_entries(Index i, double log_scale, Index begin, Index end, double* values) const {
  nearest_exponents(i, centres().row(i).data(), period_, begin, end, values);
  cut_off(log_scale, end - begin, values);
  exp_of_negative(values, end - begin);
  multiply_by_images(
      i, period_, end - begin, [&](Index k) { return begin + k; }, values);
}

}  // namespace itomap::detail
