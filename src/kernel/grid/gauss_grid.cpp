#include "kernel/grid/gauss_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "kernel/grid/gauss_window.hpp"

namespace itomap::detail {
namespace {

/// More grid points than this along one axis are never worth their memory.
constexpr double most_cells = 1e8;

// Seconds on one core, measured with bench/micro: a point's windows, one of its grid points there and back, and one
// grid point's share of the Fourier transforms per doubling of the grid; each for four vectors.
constexpr double per_point = 60e-9;
constexpr double per_tap = 1.3e-9;
constexpr double per_mode = 5e-9;
/// Windows are known up to this.
constexpr double least_accuracy = 1e-2;

// Likewise for what a point adds to the moments of two grid points, and for such a moment in a product.
constexpr double per_pair = 8e-11;
constexpr double per_moment = 4e-10;

}  // namespace

GaussGrid::GaussGrid(const WhitenedBox& box, int width, double accuracy) : width_(width) {
  shape_.dimension = int(box.low.size());
  shape_.interleaved = spread_lanes / 2;
  const GaussWindow& window = GaussWindow::remembered(width, accuracy / shape_.dimension);
  if (window.spacing() == 0.0) {
    total_ = std::numeric_limits<double>::infinity();
    return;
  }
  const double reach = std::sqrt(-std::log(accuracy));
  for (int a = 0; a < shape_.dimension; ++a) {
    set_axis(a, box, window.spacing(), reach);
  }
  if (!std::isfinite(total_)) {
    return;
  }
  for (int a = 0; a < shape_.dimension; ++a) {
    set_factors(a, double(shape_.size[a]) * spacing_[a], window);
  }
}

void GaussGrid::set_polynomials(double accuracy) {
  polynomials_ = GaussWindow::remembered(width_, accuracy / shape_.dimension).polynomials(widest_window, degree_);
}

void GaussGrid::set_axis(int axis, const WhitenedBox& box, double spacing, double reach) {
  const double period = box.period.empty() ? 0.0 : box.period[std::size_t(axis)];
  const double extent = box.high[axis] - box.low[axis];
  const double cells = period > 0.0 ? std::max(period / spacing, double(width_))
                                    : std::max((extent + reach) / spacing, extent / spacing + width_ + 1);
  if (!(cells < most_cells)) {
    total_ = std::numeric_limits<double>::infinity();
    return;
  }
  const Index size = fast_size(Index(std::ceil(cells)));
  // A window may hang over the ends of a period: margins take what does, and are folded back.
  const Index margin = period > 0.0 ? (width_ + 1) / 2 : 0;
  shape_.size[axis] = size;
  shape_.offset[axis] = margin;
  shape_.stored[axis] = size + 2 * margin + (margin > 0 ? 1 : 0);
  spacing_[axis] = period > 0.0 ? period / double(size) : spacing;
  origin_[axis] = period > 0.0 ? -double(margin) * spacing_[axis] : box.low[axis] - 0.5 * width_ * spacing;
  total_ *= double(shape_.stored[axis]);
}

void GaussGrid::set_factors(int axis, double length, const GaussWindow& window) {
  const Index size = shape_.size[axis];
  const double highest = window.highest_mode(spacing_[axis]);
  auto& factors = factors_[axis];
  factors.assign(std::size_t(size), 0.0);
  for (Index n = -size / 2 + 1; n <= size / 2; ++n) {
    const double kappa = 2.0 * std::numbers::pi * double(n) / double(size);
    if (std::abs(kappa) <= highest) {
      const double k = kappa / spacing_[axis];
      const double smeared = window.transform(kappa);
      factors[std::size_t((n + size) % size)] =
          std::sqrt(std::numbers::pi) / length * std::exp(-0.25 * k * k) / (smeared * smeared);
    }
  }
}

template <class Seconds>
GaussGrid GaussGrid::best_of_widths(const WhitenedBox& box, double accuracy, const Seconds& seconds) {
  accuracy = std::clamp(accuracy, 1e-12, least_accuracy);
  std::optional<GaussGrid> best;
  for (int width = GaussWindow::narrowest; width <= GaussWindow::widest; ++width) {
    GaussGrid grid(box, width, accuracy);
    if (!best || seconds(grid) < seconds(*best)) {
      best = std::move(grid);
    }
  }
  if (std::isfinite(best->total())) {
    best->set_polynomials(accuracy);
  }
  return *best;
}

GaussGrid GaussGrid::cheapest(const WhitenedBox& box, Index points, double accuracy) {
  return best_of_widths(box, accuracy, [&](const GaussGrid& grid) { return grid.predicted_seconds(points); });
}

GaussGrid GaussGrid::for_moments(const WhitenedBox& box, Index points, double accuracy) {
  return best_of_widths(box, accuracy, [&](const GaussGrid& grid) { return grid.predicted_moment_seconds(points); });
}

double GaussGrid::predicted_seconds(Index points) const {
  return double(points) * (per_point + per_tap * std::pow(double(width_), dimension())) +
         per_mode * total_ * std::log2(std::max(total_, 2.0));
}

double GaussGrid::predicted_moment_seconds(Index points) const {
  constexpr double products = 200.0;  // with four vectors
  return double(points) * per_pair * std::pow(double(width_), 2 * dimension()) +
         products * per_moment * total_ * std::pow(2.0 * double(width_) - 1.0, dimension());
}

SpreadPlan GaussGrid::spread_plan() const {
  SpreadPlan plan{};
  plan.dimension = dimension();
  plan.width = width_;
  plan.degree = degree_;
  plan.polynomials = polynomials_.data();
  std::ptrdiff_t stride = spread_lanes;
  for (int a = dimension() - 1; a >= 0; --a) {
    plan.stride[a] = stride;
    stride *= shape_.stored[a];
  }
  return plan;
}

Eigen::RowVectorXd GaussGrid::position(Index stored) const {
  Eigen::RowVectorXd z(dimension());
  for (int a = dimension() - 1; a >= 0; --a) {
    z[a] = origin_[std::size_t(a)] + double(stored % shape_.stored[std::size_t(a)]) * spacing_[std::size_t(a)];
    stored /= shape_.stored[std::size_t(a)];
  }
  return z;
}

std::vector<double> GaussGrid::period() const {
  std::vector<double> period;
  for (int a = 0; a < dimension(); ++a) {
    const bool periodic = shape_.offset[std::size_t(a)] > 0;
    period.push_back(periodic ? double(shape_.size[std::size_t(a)]) * spacing_[std::size_t(a)] : 0.0);
  }
  return period;
}

WindowPlace GaussGrid::place(int axis, double z) const {
  const double u = (z - origin_[axis]) / spacing_[axis] - 0.5 * width_;
  // The lowest and the highest point may be beyond the ends by rounding.
  const double last = double(shape_.stored[axis] - width_);
  const double first = std::clamp(std::ceil(u), 0.0, last);
  return {Index(first), 2.0 * (first - u) - 1.0};
}

}  // namespace itomap::detail
