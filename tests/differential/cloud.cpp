#include "differential/cloud.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "support/random_problem.hpp"
#include "support/statistics.hpp"

namespace itomap::differential {
namespace {

using samples::Random;

Index between(Index low, Index high, Random& random) { return low + random.below(high - low + 1); }
bool chance(double share, Random& random) { return random.uniform() < share; }

Eigen::RowVectorXd direction(Index n, Random& random) {
  Eigen::RowVectorXd x(n);
  for (double& value : x) {
    value = random.normal();
  }
  return x.normalized();
}

Points stacked(const Points& above, const Points& below) {
  Points both(above.rows() + below.rows(), above.cols());
  both << above, below;
  return both;
}

/// Whole numbers along each axis, as many as make m.
Points lattice(Index m, Index n) {
  const auto side = Index(std::ceil(std::pow(double(m), 1.0 / double(n)) - 1e-9));
  Points points(m, n);
  for (Index i = 0; i < m; ++i) {
    for (Index a = 0, rest = i; a < n; ++a, rest /= side) {
      points(i, a) = double(rest % side);
    }
  }
  return points;
}

Points ring(Index m, Index n) {
  Points points = Points::Zero(m, std::max<Index>(n, 2));
  const double radius = double(m) / (2.0 * std::numbers::pi);
  for (Index i = 0; i < m; ++i) {
    const double angle = 2.0 * std::numbers::pi * double(i) / double(m);
    points(i, 0) = radius * std::cos(angle);
    points(i, 1) = radius * std::sin(angle);
  }
  return points;
}

Points line(Index m, Index n, Random& random) {
  const Eigen::RowVectorXd along = direction(n, random);
  const bool even = chance(0.5, random);
  Points points(m, n);
  for (Index i = 0; i < m; ++i) {
    points.row(i) = (even ? double(i) : random.uniform(0.0, double(m))) * along;
  }
  return points;
}

/// Gaussian clusters along a line, a few widths apart.
Points clusters(Index m, Index n, Random& random) {
  const Index count = between(2, 4, random);
  const double apart = random.uniform(3.0, 12.0);
  Points points = samples::normal(m, n, random.bits());
  for (Index i = 0; i < m; ++i) {
    points(i, 0) += apart * double(i % count);
  }
  return points;
}

/// Two clusters with a few points on the way from one to the other.
Points bridge(Index m, Index n, Random& random) {
  Points points = samples::normal(m, n, random.bits());
  const double apart = random.uniform(6.0, 15.0);
  const Index on_bridge = std::max<Index>(2, m / 12);
  for (Index i = 0; i < m; ++i) {
    points(i, 0) += i % 2 == 0 ? 0.0 : apart;
  }
  for (Index k = 0; k < on_bridge; ++k) {
    points.row(k) = 0.1 * points.row(k);
    points(k, 0) = apart * double(k + 1) / double(on_bridge + 1);
  }
  return points;
}

/// A dense core in a thin halo.
Points halo(Index m, Index n, Random& random) {
  Points points = samples::normal(m, n, random.bits());
  for (Index i = 0; i < m; ++i) {
    points.row(i) *= i % 5 == 0 ? 6.0 : 1.0;
  }
  return points;
}

/// The same cloud several times, out of sight of itself: every eigenvalue is repeated.
Points copies(Index m, Index n, Random& random) {
  const Index count = between(2, 6, random);
  const Points one = samples::normal(std::max<Index>(2, m / count), n, random.bits());
  Points all = one;
  for (Index k = 1; k < count; ++k) {
    Points next = one;
    next.col(0).array() += 64.0 * double(k);  // a power of two: differences keep their bits
    all = stacked(all, next);
  }
  return all;
}

Points uniform(Index m, Index n, Random& random) {
  Points points(m, n);
  for (double& value : points.reshaped()) {
    value = random.uniform();
  }
  return points;
}

struct Shape {
  const char* name;
  std::function<Points(Index, Index, Random&)> make;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"normal", [](Index m, Index n, Random& r) { return samples::normal(m, n, r.bits()); }},
      {"uniform", uniform},
      {"clusters", clusters},
      {"bridge", bridge},
      {"halo", halo},
      {"copies", copies},
      {"line", line},
      {"lattice", [](Index m, Index n, Random&) { return lattice(m, n); }},
      {"ring", [](Index m, Index n, Random&) { return ring(m, n); }},
      {"one place", [](Index m, Index n, Random&) { return Points(Points::Ones(m, n)); }},
  };
  return all;
}

double extent(const Points& points) {
  const double range = (points.colwise().maxCoeff() - points.colwise().minCoeff()).maxCoeff();
  return range > 0.0 ? range : 1.0;
}

/// Median distance to the fourth nearest of the points elsewhere.
double typical_spacing(const Points& points) {
  std::vector<double> all;
  for (Index i = 0; i < points.rows(); ++i) {
    std::vector<double> distances;
    for (Index j = 0; j < points.rows(); ++j) {
      const double r = (points.row(i) - points.row(j)).norm();
      if (r > 0.0) {
        distances.push_back(r);
      }
    }
    if (distances.empty()) {
      continue;
    }
    const auto fourth = distances.begin() + std::min<std::ptrdiff_t>(3, std::ptrdiff_t(distances.size()) - 1);
    std::nth_element(distances.begin(), fourth, distances.end());
    all.push_back(*fourth);
  }
  return all.empty() ? 1.0 : statistics::median(all);
}

void add_far_points(Cloud& cloud, Random& random) {
  const Index pairs = chance(0.25, random) ? between(1, 8, random) : 0;
  const Index lone = chance(0.3, random) ? between(1, 6, random) : 0;
  const double size = extent(cloud.points);
  const Index n = cloud.points.cols();
  for (Index k = 0; k < pairs + lone; ++k) {
    // From within reach of the others to out of all sight.
    const double away = size * std::exp(random.uniform(-0.5, 4.0));
    const Eigen::RowVectorXd place = cloud.points.row(random.below(cloud.points.rows())) + away * direction(n, random);
    Points far = place.replicate(k < pairs ? 2 : 1, 1);
    if (k < pairs) {
      far.row(1) += random.uniform(0.0, 2.0) * cloud.spacing * direction(n, random);
    }
    cloud.points = stacked(cloud.points, far);
  }
  if (pairs > 0) {
    cloud.kind += fmt::format(", {} far pairs", pairs);
  }
  if (lone > 0) {
    cloud.kind += fmt::format(", {} outliers", lone);
  }
}

void add_duplicates(Cloud& cloud, Random& random) {
  if (!chance(0.15, random)) {
    return;
  }
  const Index m = cloud.points.rows();
  const Index count = between(1, std::max<Index>(1, m / 8), random);
  for (Index k = 0; k < count; ++k) {
    cloud.points.row(random.below(m)) = cloud.points.row(random.below(m)).eval();
  }
  cloud.kind += fmt::format(", {} duplicates", count);
}

void add_columns(Cloud& cloud, Random& random) {
  const auto append = [&](const Vector& column) {
    cloud.points.conservativeResize(Eigen::NoChange, cloud.points.cols() + 1);
    cloud.points.rightCols(1) = column;
  };
  const Index m = cloud.points.rows();
  if (chance(0.12, random)) {
    append(Vector::Constant(m, chance(0.5, random) ? 0.0 : random.uniform(-3.0, 3.0)));
    cloud.kind += ", constant column";
  }
  if (chance(0.12, random)) {
    const double step = chance(0.5, random) ? 1.0 : cloud.spacing;
    Vector bits(m);
    for (double& value : bits) {
      value = chance(0.5, random) ? step : 0.0;
    }
    append(bits);
    cloud.kind += ", 0/1 column";
  }
}

/// Some coordinates close on themselves; points may lie outside of [0, period).
void add_period(Cloud& cloud, Random& random) {
  if (!chance(0.15, random)) {
    return;
  }
  const Index n = cloud.points.cols();
  cloud.period.assign(std::size_t(n), 0.0);
  // Images of a wide kernel multiply: two periodic axes are as good as many.
  for (Index a = 0, most = 2; a < n && most > 0; ++a) {
    if (chance(0.5, random)) {
      --most;
      cloud.period[std::size_t(a)] = extent(cloud.points.col(a)) * random.uniform(0.5, 1.5);
      cloud.kind += fmt::format(", axis {} periodic", a);
    }
  }
  if (cloud.kind.starts_with("lattice") && n <= 3) {
    const double side = 1.0 + cloud.points.maxCoeff();
    cloud.period.assign(std::size_t(n), side);  // a torus without a seam: high multiplicities
  }
}

void change_units(Cloud& cloud, Random& random) {
  const double unit = chance(0.7, random)   ? 1.0
                      : chance(0.8, random) ? std::exp(random.uniform(-14.0, 14.0))
                                            : std::exp(random.uniform(-200.0, 200.0));
  cloud.points *= unit;
  cloud.spacing *= unit;
  for (double& length : cloud.period) {
    length *= unit;
  }
  if (unit != 1.0) {
    cloud.kind += fmt::format(", unit {:.2g}", unit);
  }
  if (chance(0.12, random)) {
    const double offset = extent(cloud.points) * std::exp(random.uniform(0.0, 14.0));
    cloud.points.array() += offset;
    cloud.kind += fmt::format(", offset {:.2g}", offset);
  }
}

Index random_dimension(Random& random) {
  const double u = random.uniform();
  return u < 0.2 ? 1 : u < 0.65 ? 2 : u < 0.85 ? 3 : between(4, 12, random);
}

}  // namespace

Cloud random_cloud(Index m, Random& random) {
  const Index n = random_dimension(random);
  const auto& all = shapes();
  // Identical points are one case in a hundred, the others share the rest.
  const auto last = Index(all.size()) - 1;
  const Shape& shape = all[std::size_t(chance(0.01, random) ? last : random.below(last))];
  Cloud cloud;
  cloud.kind = shape.name;
  cloud.points = shape.make(std::max<Index>(m, 4), n, random);
  cloud.spacing = typical_spacing(cloud.points);
  add_far_points(cloud, random);
  add_duplicates(cloud, random);
  add_columns(cloud, random);
  add_period(cloud, random);
  change_units(cloud, random);
  if (chance(0.5, random)) {
    cloud.points = cloud.points(samples::random_permutation(cloud.points.rows(), random.bits()), Eigen::all).eval();
  }
  return cloud;
}

}  // namespace itomap::differential
