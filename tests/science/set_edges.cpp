// Edges of sets: the chain sees them once a step and lets them recede by 0.58 (2 epsilon)^1/2; weighted steps do not.
//
// An annulus between r = 0.4 and r = 1, on points as even as a lattice: q = log(r / 0.4) / log(2.5), the time to r = 1
// is (1 - r^2) / 4, the flux 2 / log(2.5) per weight of the disc of radius 1. A drift around the centre changes nothing
// of it. Errors of the map itself are O(epsilon).
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "itomap/analysis/committor.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/statistics.hpp"

namespace itomap::science_set_edges {

constexpr double inner = 0.4;
constexpr double rim = 1.3;

/// A Kronecker sequence on the disc of radius `rim`.
Points disc(Index m) {
  constexpr double plastic = 1.3247179572447460;  // x^3 = x + 1
  Points x(m, 2);
  Index found = 0;
  for (Index k = 0; found < m; ++k) {
    const double u = std::fmod(0.5 + double(k) / plastic, 1.0);
    const double v = std::fmod(0.5 + double(k) / (plastic * plastic), 1.0);
    const Eigen::RowVector2d p(rim * (2.0 * u - 1.0), rim * (2.0 * v - 1.0));
    if (p.norm() < rim) {
      x.row(found++) = p;
    }
  }
  return x;
}

struct Errors {
  double committor;
  double time;
  double flux;
};

/// The largest ones at points of the annulus, and the relative one of the flux.
Errors errors(const Points& x, const Map& map, bool sharp) {
  const Vector r = x.rowwise().norm();
  std::vector<bool> source, sink;
  for (Index i = 0; i < r.size(); ++i) {
    source.push_back(r[i] < inner);
    sink.push_back(r[i] > 1.0);
  }
  const Spectrum spectrum = eigenpairs(map, {.count = 4});
  const CommittorResult found =
      committor(map, spectrum, indices_of(source), indices_of(sink), {.tolerance = 1e-7, .sharp_edges = sharp});
  EXPECT_TRUE(found.converged());
  Errors worst{0.0, 0.0, 0.0};
  double weight = 0.0;
  for (Index i = 0; i < r.size(); ++i) {
    if (r[i] < 1.0) {
      weight += spectrum.stationary[i];
      worst.time = std::max(worst.time, std::abs(found.time_to_sink[i] - 0.25 * (1.0 - r[i] * r[i])));
    }
    if (!source[std::size_t(i)] && !sink[std::size_t(i)]) {
      const double exact = std::log(r[i] / inner) / std::log(1.0 / inner);
      worst.committor = std::max(worst.committor, std::abs(found.forward[i] - exact));
    }
  }
  worst.flux = std::abs(found.total_flux / weight * std::log(1.0 / inner) / 2.0 - 1.0);
  return worst;
}

/// The edges are no sharper than the points are dense: 0.026 apart, in steps of 0.07.
void check_annulus(const Points& x, const Map& map) {
  const Errors chain = errors(x, map, false);
  const Errors sharp = errors(x, map, true);
  EXPECT_GT(chain.committor, 0.1);
  EXPECT_LT(sharp.committor, 0.3 * chain.committor);
  EXPECT_LT(sharp.time, 0.2 * chain.time);
  EXPECT_LT(sharp.flux, 0.2 * chain.flux);
}

constexpr double annulus_epsilon = 0.0025;

TEST(SetEdges, OfAnAnnulus) {
  const Points x = disc(8000);
  check_annulus(x, target_measure_map(x, Vector::Zero(x.rows()), {.epsilon = annulus_epsilon}));
}

TEST(SetEdges, OfAnAnnulusThatTurns) {
  const Points x = disc(8000);
  Points drift(x.rows(), 2);
  drift << -2.0 * x.col(1), 2.0 * x.col(0);
  check_annulus(x, local_kernel_map(x, drift, Diffusion::constant(1.0), {.epsilon = annulus_epsilon}));
}

/// U = 2 (x^2 - 1)^2 between -1.9 and 1.9, from x < -0.7 to x > 0.5.
struct Well {
  static constexpr double end = 1.9, left = -0.7, right = 0.5;
  static double potential(double x) { return 2.0 * std::pow(x * x - 1.0, 2); }
  static double slope(double x) { return 8.0 * x * (x * x - 1.0); }
};

/// The largest error of the committor at the points, by integrals.
double error_in_well(const Vector& x, const Map& map, bool sharp) {
  std::vector<bool> source, sink;
  for (const double y : x) {
    source.push_back(y < Well::left);
    sink.push_back(y > Well::right);
  }
  const CommittorResult found = committor(map, eigenpairs(map, {.count = 3}), indices_of(source), indices_of(sink),
                                          {.passage_times = false, .sharp_edges = sharp});
  constexpr int cells = 20000;
  const double width = (Well::right - Well::left) / cells;
  std::vector<double> climbed{0.0};
  for (int k = 0; k < cells; ++k) {
    climbed.push_back(climbed.back() + std::exp(Well::potential(Well::left + (k + 0.5) * width)));
  }
  double worst = 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    const double place = (x[i] - Well::left) / width;
    if (place > 0.0 && place < cells) {
      worst = std::max(worst, std::abs(found.forward[i] - climbed[std::size_t(place)] / climbed.back()));
    }
  }
  return worst;
}

template <class MapAt>
void check_well(const MapAt& map_at) {
  const Vector x = Vector::LinSpaced(1500, -Well::end, Well::end);
  const std::vector<double> epsilons{0.0025, 0.005, 0.01};
  std::vector<double> chain, sharp;
  for (const double epsilon : epsilons) {
    const Map map = map_at(x, epsilon);
    chain.push_back(error_in_well(x, map, false));
    sharp.push_back(error_in_well(x, map, true));
  }
  EXPECT_NEAR(statistics::log_log_slope(epsilons, chain), 0.45, 0.1);
  // Not quite 1: weights are cut at 1 (set_edges.hpp), which leaves some per cent of the chain's epsilon^1/2. Measured:
  // 0.80 by the drift.
  EXPECT_GT(statistics::log_log_slope(epsilons, sharp), 0.75) << sharp[0] << " " << sharp[1] << " " << sharp[2];
  EXPECT_LT(sharp[0], 0.25 * chain[0]);
}

TEST(SetEdges, OfAWellAreRightToFirstOrder) {
  check_well([](const Vector& x, double epsilon) {
    return target_measure_map(x, x.unaryExpr([](double y) { return -Well::potential(y); }), {.epsilon = epsilon});
  });
}

TEST(SetEdges, OfAWellByItsDriftAreRightToFirstOrder) {
  check_well([](const Vector& x, double epsilon) {
    return local_kernel_map(x, Points(x.unaryExpr([](double y) { return -Well::slope(y); })), Diffusion::constant(1.0),
                            {.epsilon = epsilon});
  });
}

}  // namespace itomap::science_set_edges
