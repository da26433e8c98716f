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

  double first() const { return values_.front(); }
  double last() const { return values_.back(); }

 private:
  std::array<double, entries> values_{};
};

/// s on the midpoints of a fine grid, s(x) int_0^inf k(x - y) s(y) dy = goal(x)^2, by the damped iteration
/// s <- (s goal^2 / k s)^1/2; beyond its end s = goal, which is 1 or x.
class HalfSpaceWeight {
 public:
  enum class Goal { One, Distance };

  explicit HalfSpaceWeight(Goal goal) : goal_(goal) {
    for (int i = 0; i < cells; ++i) {
      values_[std::size_t(i)] = goal_at(midpoint(i));
    }
    for (int round = 0; round < rounds; ++round) {
      std::array<double, cells> next{};
      for (int i = 0; i < cells; ++i) {
        const double x = midpoint(i);
        next[std::size_t(i)] = goal_at(x) * std::sqrt(values_[std::size_t(i)] / smoothed(x));
      }
      values_ = next;
    }
  }

  /// s / goal
  double at(double b) const { return goal_at(b) / smoothed(b); }

 private:
  static constexpr int cells = 400;
  static constexpr double end = 8.0;
  static constexpr double width = end / cells;
  static constexpr int rounds = 40;  // halves the error each

  static double midpoint(int i) { return width * (i + 0.5); }
  double goal_at(double x) const { return goal_ == Goal::One ? 1.0 : x; }

  double smoothed(double x) const {
    double sum = 0.0;
    for (int j = 0; j < cells; ++j) {
      const double t = x - midpoint(j);
      sum += std::exp(-t * t) * values_[std::size_t(j)];
    }
    const double left = end - x;
    const double beyond = goal_ == Goal::One ? 0.0 : 0.5 * std::exp(-left * left) / std::sqrt(std::numbers::pi);
    return width / std::sqrt(std::numbers::pi) * sum + 0.5 * goal_at(x) * std::erfc(left) + beyond;
  }

  Goal goal_;
  std::array<double, cells> values_{};
};

const Table& reflecting_weights() {
  static const Table table([s = HalfSpaceWeight(HalfSpaceWeight::Goal::One)](double b) { return s.at(b); });
  return table;
}

const Table& absorbing_weights() {
  static const Table table(
      [s = HalfSpaceWeight(HalfSpaceWeight::Goal::Distance)](double b) { return b > 0.0 ? s.at(b) : 0.0; });
  return table;
}

const Table& outer_shares() {
  static const Table table([](double b) { return share_inside(-b); });
  return table;
}

/// b by log h, which is smoother than h, at equal steps of it: every point of a map looks here many times.
class InverseDisplacement {
 public:
  InverseDisplacement() {
    const Table log_displacements([](double b) { return std::log(displacement(b)); });
    lowest_ = log_displacements.last();
    step_ = (log_displacements.first() - lowest_) / (count - 1);
    for (std::size_t k = 0; k < count; ++k) {
      values_[k] = log_displacements.place_of(lowest_ + step_ * double(k));
    }
    values_.front() = far_inside;
    values_.back() = deepest;
  }

  double at(double log_displacement) const {
    const double position = std::clamp((log_displacement - lowest_) / step_, 0.0, double(count - 1));
    const auto k = std::min(std::size_t(position), count - 2);
    return std::lerp(values_[k], values_[k + 1], position - double(k));
  }

 private:
  static constexpr std::size_t count = 2000;
  std::array<double, count> values_{};
  double lowest_;
  double step_;
};

const InverseDisplacement& inverse_displacement() {
  static const InverseDisplacement table;
  return table;
}

/// Angles between the displacement of a corner and that of its nearer wall, from none to 45 degrees: every point of a
/// map tries several of them, many times. Closer together where they are small: the least one has no second wall, so
/// that it comes in from afar and rounding makes none.
class Angles {
 public:
  static constexpr std::size_t count = 4097;

  struct Angle {
    double cosine, sine, log_cosine, log_sine;
  };

  Angles() {
    for (std::size_t k = 0; k < count; ++k) {
      const double share = double(k) / double(count - 1);
      const double angle = 0.25 * std::numbers::pi * share * share;
      const double cosine = std::cos(angle), sine = std::sin(angle);
      values_[k] = {cosine, sine, std::log(cosine), std::log(sine)};
    }
  }

  const Angle& operator[](std::size_t k) const { return values_[k]; }

 private:
  std::array<Angle, count> values_{};
};

const Angles& angles() {
  static const Angles table;
  return table;
}

}  // namespace

double share_inside(double b) { return 0.5 * std::erfc(-b); }

double displacement(double b) { return std::exp(-b * b) / (std::sqrt(std::numbers::pi) * std::erfc(-b)); }

double reflecting_weight(double b) { return b >= far_inside ? 1.0 : reflecting_weights().at(b); }

double absorbing_weight(double b) { return b >= far_inside ? 1.0 : absorbing_weights().at(b); }

double distance_from_share(double share) { return outer_shares().place_of(share); }

double distance_of(double displacement) {
  return displacement > 0.0 ? inverse_displacement().at(std::log(displacement)) : far_inside;
}

WallCorner corner_of(double squared_displacement, double shortfall) {
  const double length = std::sqrt(std::max(squared_displacement, 0.0));
  // So far away, b = 1.66, one wall or two make a difference of 0.003 in what lies inside.
  constexpr double faint = 0.02;
  const WallCorner one_wall{distance_of(length), far_inside};
  if (length <= faint || length * one_wall.nearer >= shortfall) {
    return one_wall;
  }
  const double log_length = std::log(length);
  const auto at = [&](const Angles::Angle& angle) {
    return WallCorner{inverse_displacement().at(log_length + angle.log_cosine),
                      inverse_displacement().at(log_length + angle.log_sine)};
  };
  // The shortfall grows with the share of the second wall.
  std::size_t low = 0;
  std::size_t high = Angles::count - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    const Angles::Angle& angle = angles()[middle];
    const WallCorner c = at(angle);
    const bool falls_short = length * (c.nearer * angle.cosine + c.farther * angle.sine) < shortfall;
    (falls_short ? low : high) = middle;
  }
  return at(angles()[high]);
}

}  // namespace itomap::detail
