#include "itomap/dynamics/systems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

using Place = std::span<const double>;

/// Boxes end where beta U has risen by this much: pi = 4e-10 of its maximum.
constexpr double box_energy = 21.66;

/// Where h beta (x^2 - 1)^2 = box_energy.
double quartic_reach(double beta, double h) { return std::sqrt(1.0 + std::sqrt(box_energy / (beta * h))); }

Box centred(std::initializer_list<double> half_widths) {
  const Vector high = Eigen::Map<const Vector>(half_widths.begin(), Index(half_widths.size()));
  return {-high, high};
}

Vector place(std::initializer_list<double> x) { return Eigen::Map<const Vector>(x.begin(), Index(x.size())); }

/// Forward Euler with a large step goes further than pi does: the box of the double well is never narrower than this.
constexpr double double_well_reach = 1.9;

ItoSystem double_well(double beta, Index /*dimension*/) {
  const auto log_target = [beta](Place x) {
    const double along = x[0] * x[0] - 1.0;
    return -beta * (along * along + x[1] * x[1]);
  };
  const auto gradient = [beta](Place x, std::span<double> g) {
    g[0] = -beta * 4.0 * x[0] * (x[0] * x[0] - 1.0);
    g[1] = -beta * 2.0 * x[1];
  };
  const Box box = centred({std::max(double_well_reach, quartic_reach(beta, 1.0)),
                           std::max(double_well_reach, std::sqrt(box_energy / beta))});
  return gradient_system("", log_target, gradient, box, place({-1.0, 0.0}));
}

ItoSystem temperature_switch(double beta, Index /*dimension*/) {
  constexpr double hx = 0.5, hy = 1.0, delta = 1.0 / 20.0;
  const auto bump = [](double x) { return 5.0 * std::exp(-x * x / delta); };
  const auto log_target = [=](Place x) {
    const double along = x[0] * x[0] - 1.0, across = x[1] * x[1] - 1.0;
    const double a = std::pow(1.0 + bump(x[0]), 2) / 5.0;
    return -beta * (hx * along * along + (hy + a) * across * across);
  };
  const auto gradient = [=](Place x, std::span<double> g) {
    const double along = x[0] * x[0] - 1.0, across = x[1] * x[1] - 1.0;
    const double e = bump(x[0]);
    const double a = std::pow(1.0 + e, 2) / 5.0;
    const double a_slope = 2.0 / 5.0 * (1.0 + e) * e * (-2.0 * x[0] / delta);
    g[0] = -beta * (4.0 * hx * x[0] * along + a_slope * across * across);
    g[1] = -beta * (hy + a) * 4.0 * x[1] * across;
  };
  const double least_a = 0.2;  // far from x = 0
  const Box box = centred({quartic_reach(beta, hx), quartic_reach(beta, hy + least_a)});
  return gradient_system("", log_target, gradient, box, place({-1.0, -1.0}));
}

LogDensity gaussian(double beta) {
  return [beta](Place x) {
    double square = 0.0;
    for (const double coordinate : x) {
      square += coordinate * coordinate;
    }
    return -0.5 * beta * square;
  };
}

ItoSystem ornstein_uhlenbeck(double beta, Index dimension) {
  const auto gradient = [beta](Place x, std::span<double> g) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      g[i] = -beta * x[i];
    }
  };
  const Box box = Box::cube(dimension, std::sqrt(2.0 * box_energy / beta));
  return gradient_system("", gaussian(beta), gradient, box, Vector::Zero(dimension));
}

ItoSystem rotating(double beta, Index dimension) {
  ItoSystem system = ornstein_uhlenbeck(beta, dimension);
  constexpr double turns = 2.0;  // radians in the time in which the mean decays by e
  system.drift = [beta](Place x, std::span<double> b) {
    b[0] = -beta * (x[0] + turns * x[1]);
    b[1] = -beta * (x[1] - turns * x[0]);
  };
  system.reversible = false;
  return system;
}

ItoSystem ring(double beta, Index dimension) {
  constexpr double a = 0.25, c = 0.5;  // A = a I + c x x^T
  const auto square = [](Place x) { return x[0] * x[0] + x[1] * x[1]; };
  const auto log_target = [=](Place x) { return -beta * std::pow(square(x) - 1.0, 2); };
  // x is an eigenvector of A; the divergence of x x^T is (N + 1) x.
  const auto drift = [=](Place x, std::span<double> b) {
    const double r2 = square(x);
    const double factor = -beta * (a + c * r2) * 4.0 * (r2 - 1.0) + 3.0 * c;
    b[0] = factor * x[0];
    b[1] = factor * x[1];
  };
  // sqrt(2 A), with (sqrt(a + c r^2) - sqrt(a)) / r^2 written so that r = 0 is no exception.
  const auto noise = [=](Place x, std::span<double> sigma) {
    const double root = std::sqrt(a), along = c / (std::sqrt(a + c * square(x)) + root);
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        sigma[2 * i + j] = std::sqrt(2.0) * ((i == j ? root : 0.0) + along * x[i] * x[j]);
      }
    }
  };
  ItoSystem system =
      gradient_system("", log_target, drift, Box::cube(dimension, quartic_reach(beta, 1.0)), place({1.0, 0.0}));
  system.noise = noise;
  return system;
}

struct MuellerBrown {
  struct Term {
    double height, xx, xy, yy, x, y;
  };
  static constexpr std::array<Term, 4> terms{{{-200.0, -1.0, 0.0, -10.0, 1.0, 0.0},
                                              {-100.0, -1.0, 0.0, -10.0, 0.0, 0.5},
                                              {-170.0, -6.5, 11.0, -6.5, -0.5, 1.5},
                                              {15.0, 0.7, 0.6, 0.7, -1.0, 1.0}}};

  static double value(const Term& t, double x, double y) {
    return t.height *
           std::exp(t.xx * (x - t.x) * (x - t.x) + t.xy * (x - t.x) * (y - t.y) + t.yy * (y - t.y) * (y - t.y));
  }
  static double potential(double x, double y) {
    double sum = 0.0;
    for (const Term& t : terms) {
      sum += value(t, x, y);
    }
    return sum;
  }
  static std::array<double, 2> gradient(double x, double y) {
    std::array<double, 2> sum{};
    for (const Term& t : terms) {
      const double v = value(t, x, y);
      sum[0] += v * (2.0 * t.xx * (x - t.x) + t.xy * (y - t.y));
      sum[1] += v * (2.0 * t.yy * (y - t.y) + t.xy * (x - t.x));
    }
    return sum;
  }
};

/// The nodes of a grid over the square |x| <= reach where beta U is at most box_energy above its minimum, and one more.
Box low_energy_box(const LogDensity& log_target, double reach) {
  constexpr int nodes = 201;
  const double h = 2.0 * reach / (nodes - 1);
  Matrix values(nodes, nodes);
  const auto at = [&](int i) { return -reach + h * i; };
  for (int i = 0; i < nodes; ++i) {
    for (int j = 0; j < nodes; ++j) {
      values(i, j) = log_target(std::array{at(i), at(j)});
    }
  }
  const double level = values.maxCoeff() - box_energy;
  Box box{Vector::Constant(2, reach), Vector::Constant(2, -reach)};
  for (int i = 0; i < nodes; ++i) {
    for (int j = 0; j < nodes; ++j) {
      if (values(i, j) >= level) {
        box.low = box.low.cwiseMin(place({at(i) - h, at(j) - h}));
        box.high = box.high.cwiseMax(place({at(i) + h, at(j) + h}));
      }
    }
  }
  return box;
}

ItoSystem mueller_brown(double beta, Index /*dimension*/) {
  const auto log_target = [beta](Place x) { return -beta * MuellerBrown::potential(x[0], x[1]); };
  const auto gradient = [beta](Place x, std::span<double> g) {
    const auto slope = MuellerBrown::gradient(x[0], x[1]);
    for (std::size_t i = 0; i < 2; ++i) {
      g[i] = -beta * slope[i];
    }
  };
  return gradient_system("", log_target, gradient, low_energy_box(log_target, 4.0), place({-0.558, 1.442}));
}

struct Entry {
  std::string_view name;
  std::string_view summary;
  double beta;
  ItoSystem (*make)(double beta, Index dimension);
  bool any_dimension = false;
};

constexpr std::array<Entry, 6> entries{{
    {"double-well", "two wells in the plane, U = (x^2-1)^2 + y^2", 6.0, double_well},
    {"temperature-switch", "four wells; the slow coordinate is x at beta = 1 and y at beta = 2", 1.0,
     temperature_switch},
    {"ornstein-uhlenbeck", "U = |x|^2/2 in any dimension; eigenvalues -beta n", 1.0, ornstein_uhlenbeck, true},
    {"rotating", "not reversible: decay and rotation in the plane; eigenvalues -beta (1 +- 2i), ...", 1.0, rotating},
    {"ring", "a ring, U = (r^2-1)^2, with noise that depends on the place, A = I/4 + x x^T/2", 4.0, ring},
    {"mueller-brown", "three wells behind bent valleys, the potential of Müller and Brown", 0.1, mueller_brown},
}};

const Entry& find_entry(const std::string& name) {
  const auto* found = std::ranges::find(entries, name, &Entry::name);
  if (found != entries.end()) {
    return *found;
  }
  std::string known;
  for (const Entry& entry : entries) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  throw InvalidArgument(fmt::format("system: '{}' is unknown; there are {}", name, known));
}

Index checked_dimension(const Entry& entry, std::optional<Index> wanted) {
  const Index dimension = wanted.value_or(2);
  if (dimension < 1) {
    throw InvalidArgument(fmt::format("dimension: {} is wrong; it must be >= 1", dimension));
  }
  if (dimension != 2 && !entry.any_dimension) {
    throw InvalidArgument(fmt::format("dimension: {} is wrong; {} has 2", dimension, entry.name));
  }
  return dimension;
}

void check_points(const ItoSystem& system, PointsView points) {
  if (points.cols() != system.dimension) {
    throw InvalidArgument(fmt::format("points: {} coordinates are wrong; the system {} has {}", points.cols(),
                                      system.name, system.dimension));
  }
}

Place row(PointsView points, Index i) { return {points.row(i).data(), std::size_t(points.cols())}; }

/// A field at all points, `size` numbers a row.
Points evaluate(const Field& field, PointsView points, Index size) {
  Points values(points.rows(), size);
  for (Index i = 0; i < points.rows(); ++i) {
    field(row(points, i), {values.row(i).data(), std::size_t(size)});
  }
  return values;
}

}  // namespace

bool Box::contains(std::span<const double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] >= low[Index(i)] && x[i] <= high[Index(i)])) {
      return false;
    }
  }
  return true;
}

void Box::validate(Index dimension) const {
  if (low.size() != dimension || high.size() != dimension) {
    throw InvalidArgument(fmt::format("box: {} lower and {} upper ends are wrong; there are {} coordinates", low.size(),
                                      high.size(), dimension));
  }
  for (Index i = 0; i < dimension; ++i) {
    if (!std::isfinite(low[i]) || !std::isfinite(high[i]) || !(low[i] < high[i])) {
      throw InvalidArgument(
          fmt::format("box: {:g} to {:g} in coordinate {} is wrong; low < high, both finite", low[i], high[i], i));
    }
  }
}

Box Box::cube(Index dimension, double half_width) {
  return {Vector::Constant(dimension, -half_width), Vector::Constant(dimension, half_width)};
}

ItoSystem gradient_system(std::string name, LogDensity log_target, Field gradient, Box box, Vector start) {
  ItoSystem system;
  system.name = std::move(name);
  system.dimension = start.size();
  system.drift = std::move(gradient);
  system.log_target = std::move(log_target);
  system.box = std::move(box);
  system.start = std::move(start);
  return system;
}

std::vector<SystemInfo> list_systems() {
  std::vector<SystemInfo> list;
  for (const Entry& entry : entries) {
    list.push_back({std::string(entry.name), std::string(entry.summary), entry.beta});
  }
  return list;
}

ItoSystem make_system(const std::string& name, const SystemOptions& options) {
  const Entry& entry = find_entry(name);
  const double beta = options.beta.value_or(entry.beta);
  if (!(beta > 0.0) || !std::isfinite(beta)) {
    throw InvalidArgument(fmt::format("beta: {:g} is wrong; it must be > 0", beta));
  }
  ItoSystem system = entry.make(beta, checked_dimension(entry, options.dimension));
  system.name = entry.name;
  system.summary = entry.summary;
  system.beta = beta;
  return system;
}

Vector log_target_at(const ItoSystem& system, PointsView points) {
  check_points(system, points);
  if (!system.log_target) {
    throw InvalidArgument(fmt::format("system: {} has no known invariant density; use its drift", system.name));
  }
  Vector values(points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    values[i] = system.log_target(row(points, i));
  }
  return values;
}

Points drift_at(const ItoSystem& system, PointsView points) {
  check_points(system, points);
  return evaluate(system.drift, points, system.dimension);
}

Diffusion diffusion_at(const ItoSystem& system, PointsView points) {
  check_points(system, points);
  if (!system.noise) {
    return Diffusion::constant(1.0);
  }
  const Index n = system.dimension;
  Points matrices = evaluate(system.noise, points, n * n);
  for (Index i = 0; i < points.rows(); ++i) {
    const Points sigma = Eigen::Map<const Points>(matrices.row(i).data(), n, n);
    Eigen::Map<Points>(matrices.row(i).data(), n, n) = 0.5 * sigma * sigma.transpose();
  }
  return Diffusion::matrices(matrices);
}

}  // namespace itomap
