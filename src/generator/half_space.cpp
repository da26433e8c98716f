#include "generator/half_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace itomap::detail {
namespace {

constexpr double deepest = -3.0;  // outside: an Euler step may lead there
constexpr double step = 0.01;
constexpr int entries = 701;  // from `deepest` to `far_inside`

double place(int k) { return deepest + step * k; }

/// Values at the places, and what lies between them.
class Table {
 public:
  template <class Function>
  explicit Table(const Function& f) {
    for (int k = 0; k < entries; ++k) {
      values_[std::size_t(k)] = f(place(k));
    }
  }

  double at(double b) const {
    const double position = std::clamp((b - deepest) / step, 0.0, double(entries - 1));
    const auto k = std::min(std::size_t(position), std::size_t(entries - 2));
    return std::lerp(values_[k], values_[k + 1], position - double(k));
  }

  /// Where a falling function has a value.
  double place_of(double value) const {
    const auto after = std::lower_bound(values_.begin(), values_.end(), value, std::greater<>());
    if (after == values_.begin()) {
      return deepest;
    }
    if (after == values_.end()) {
      return far_inside;
    }
    const auto k = int(after - values_.begin()) - 1;
    const double share = (*(after - 1) - value) / (*(after - 1) - *after);
    return place(k) + step * share;
  }

 private:
  std::array<double, entries> values_{};
};

/// s on the midpoints of a fine grid, by the damped iteration s <- (s / k s)^1/2; beyond its end s = 1.
class ReflectingWeight {
 public:
  ReflectingWeight() {
    for (int round = 0; round < rounds; ++round) {
      std::array<double, cells> next{};
      for (int i = 0; i < cells; ++i) {
        next[std::size_t(i)] = std::sqrt(values_[std::size_t(i)] / smoothed(midpoint(i)));
      }
      values_ = next;
    }
  }

  double at(double b) const { return 1.0 / smoothed(b); }

 private:
  static constexpr int cells = 400;
  static constexpr double end = 8.0;
  static constexpr double width = end / cells;
  static constexpr int rounds = 40;  // halves the error each

  static double midpoint(int i) { return width * (i + 0.5); }

  double smoothed(double x) const {
    double sum = 0.0;
    for (int j = 0; j < cells; ++j) {
      const double t = x - midpoint(j);
      sum += std::exp(-t * t) * values_[std::size_t(j)];
    }
    return width / std::sqrt(std::numbers::pi) * sum + 0.5 * std::erfc(end - x);
  }

  std::array<double, cells> values_ = ones();

  static std::array<double, cells> ones() {
    std::array<double, cells> values{};
    values.fill(1.0);
    return values;
  }
};

const Table& weights() {
  static const Table table([solution = ReflectingWeight()](double b) { return solution.at(b); });
  return table;
}

/// log h is smoother than h.
const Table& log_displacements() {
  static const Table table([](double b) { return std::log(displacement(b)); });
  return table;
}

}  // namespace

double share_inside(double b) { return 0.5 * std::erfc(-b); }

double displacement(double b) { return std::exp(-b * b) / (std::sqrt(std::numbers::pi) * std::erfc(-b)); }

double reflecting_weight(double b) { return b >= far_inside ? 1.0 : weights().at(b); }

double distance_of(double displacement) {
  return displacement > 0.0 ? log_displacements().place_of(std::log(displacement)) : far_inside;
}

Corner corner_of(double squared_displacement, double shortfall) {
  const double length = std::sqrt(std::max(squared_displacement, 0.0));
  const auto at = [&](double angle) {
    return Corner{distance_of(length * std::cos(angle)), distance_of(length * std::sin(angle))};
  };
  // The shortfall grows with the share of the second wall.
  const auto falls_short = [&](double angle) {
    const Corner c = at(angle);
    return length * (c.nearer * std::cos(angle) + c.farther * std::sin(angle)) < shortfall;
  };
  if (length <= displacement(far_inside) || !falls_short(0.0)) {
    return {distance_of(length), far_inside};
  }
  constexpr int halvings = 12;
  double low = 0.0;
  double high = std::numbers::pi / 4.0;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (low + high);
    (falls_short(middle) ? low : high) = middle;
  }
  return at(0.5 * (low + high));
}

}  // namespace itomap::detail
