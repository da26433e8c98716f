#include "reproduce/stream_function.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "itomap/core/error.hpp"

namespace itomap::reproduce {
namespace {

/// s = f(r) sin(angle): the flow past a circle of radius 1, from the left with speed 1.
struct CircleFlow {
  std::function<double(double)> f;
  std::function<double(double)> derivative;

  double stream(double x, double y) const {
    const double r = std::hypot(x, y);
    return f(r) * y / r;
  }
  Eigen::RowVector2d velocity(double x, double y) const {
    const double r = std::hypot(x, y);
    const double slope = derivative(r);
    const double chord = f(r) / r;
    const double sine = y / r;
    const double cosine = x / r;
    return {slope * sine * sine + chord * cosine * cosine, (chord - slope) * sine * cosine};
  }
};

double potential(double r) { return r - 1.0 / r; }
double potential_slope(double r) { return 1.0 + 1.0 / (r * r); }

constexpr double bessel_zero = 3.8317059702075125;  // of J_1
const double strength = 2.0 / (bessel_zero * std::cyl_bessel_j(0.0, bessel_zero));

/// The dipole of Lamb and Chaplygin: two vortices inside the circle, a potential flow outside.
CircleFlow dipole() {
  const auto inside = [](double r) { return strength * std::cyl_bessel_j(1.0, bessel_zero * r); };
  const auto slope = [](double r) {
    const double z = bessel_zero * r;
    return strength * bessel_zero * (std::cyl_bessel_j(0.0, z) - std::cyl_bessel_j(1.0, z) / z);
  };
  return {[=](double r) { return r < 1.0 ? inside(r) : potential(r); },
          [=](double r) { return r < 1.0 ? slope(r) : potential_slope(r); }};
}

/// On [-2, 2]^2, with no point on an axis.
PlaneFlow sampled(const CircleFlow& circle, Index count) {
  PlaneFlow flow;
  flow.columns = flow.rows = count;
  flow.step = 4.0 / double(count);
  flow.points.resize(flow.size(), 2);
  flow.velocity.resize(flow.size(), 2);
  flow.body.assign(std::size_t(flow.size()), false);
  for (Index i = 0; i < flow.size(); ++i) {
    flow.points.row(i) << -2.0 + flow.step * (double(i % count) + 0.5), -2.0 + flow.step * (double(i / count) + 0.5);
    flow.velocity.row(i) = circle.velocity(flow.points(i, 0), flow.points(i, 1));
  }
  return flow;
}

std::vector<bool> where(const PlaneFlow& flow, const std::function<bool(double, double)>& holds) {
  std::vector<bool> set(std::size_t(flow.size()));
  for (Index i = 0; i < flow.size(); ++i) {
    set[std::size_t(i)] = holds(flow.points(i, 0), flow.points(i, 1));
  }
  return set;
}

bool in_circle(double x, double y) { return std::hypot(x, y) < 1.0; }

/// Largest difference outside the body, up to a constant.
double error(const PlaneFlow& flow, const Vector& stream, const CircleFlow& circle) {
  double low = INFINITY;
  double high = -INFINITY;
  for (Index i = 0; i < flow.size(); ++i) {
    if (flow.body[std::size_t(i)]) {
      continue;
    }
    const double difference = stream[i] - circle.stream(flow.points(i, 0), flow.points(i, 1));
    low = std::min(low, difference);
    high = std::max(high, difference);
  }
  return high - low;
}

TEST(StreamFunction, IsThatOfADipoleToSecondOrder) {
  const auto circle = dipole();
  const auto coarse = sampled(circle, 40);
  const auto fine = sampled(circle, 80);
  const double coarse_error = error(coarse, stream_function(coarse), circle);
  const double fine_error = error(fine, stream_function(fine), circle);
  // The trapezoidal rule: h^2 / 12 times the second derivative of the velocity, at most strength * zero^3 * max |J|,
  // over a path through the circle.
  const double bound = std::abs(strength) * std::pow(bessel_zero, 3) * 0.6 * 2.0 / 12.0;
  EXPECT_LT(coarse_error, bound * coarse.step * coarse.step);
  EXPECT_LT(fine_error, coarse_error / 3.0);
}

TEST(StreamFunction, IsNotDisturbedByVelocitiesInsideTheBody) {
  const CircleFlow circle{potential, potential_slope};
  auto flow = sampled(circle, 80);
  flow.body = where(flow, in_circle);
  for (Index i = 0; i < flow.size(); ++i) {
    if (flow.body[std::size_t(i)]) {
      flow.velocity.row(i) << 1e6, NAN;
    }
  }
  const Vector stream = stream_function(flow);
  // |d^2 u / dr^2| <= 6 at the wall.
  EXPECT_LT(error(flow, stream, circle), 6.0 * 4.0 / 12.0 * flow.step * flow.step);
  for (Index i = 0; i < flow.size(); ++i) {
    EXPECT_EQ(std::isnan(stream[i]), bool(flow.body[std::size_t(i)]));
  }
}

TEST(StreamFunction, RefusesABodyThatDividesTheWindow) {
  auto flow = sampled(dipole(), 20);
  flow.body = where(flow, [](double x, double) { return std::abs(x) < 0.3; });
  EXPECT_THROW(stream_function(flow), NumericalError);
}

TEST(Vortices, FillTheCircleOfADipole) {
  const auto flow = sampled(dipole(), 80);
  const auto vortices = largest_vortices(flow, stream_function(flow));
  ASSERT_EQ(vortices.size(), 2U);
  EXPECT_TRUE(vortices[0].clockwise);
  EXPECT_FALSE(vortices[1].clockwise);
  // Points of one ring of cells along the border may fall on either side.
  const double upper_half =
      overlap(vortices[0].inside, where(flow, [](double x, double y) { return in_circle(x, y) && y > 0.0; }));
  EXPECT_GT(upper_half, 1.0 - flow.step * (std::numbers::pi + 2.0) / (0.5 * std::numbers::pi));
}

TEST(SeparatingStreamline, IsTheCircleOfADipole) {
  const auto flow = sampled(dipole(), 80);
  const auto line = separating_streamline(flow, largest_vortices(flow, stream_function(flow)));
  EXPECT_NEAR(flow.points(line.rest, 0), 1.0, flow.step);
  EXPECT_NEAR(flow.points(line.rest, 1), 0.0, flow.step);
  for (const auto* branch : {&line.upper, &line.lower}) {
    ASSERT_GT(branch->rows(), 100);
    // It starts one step beside the point at rest and approaches the circle from there.
    for (Index k = branch->rows() / 8; k < branch->rows() / 2; ++k) {
      EXPECT_NEAR(branch->row(k).norm(), 1.0, flow.step) << k;
    }
  }
  // Points of one ring of cells along the border may fall on either side.
  EXPECT_GT(overlap(recirculation_zone(flow, line), where(flow, in_circle)), 1.0 - 2.0 * flow.step);
}

TEST(Vortices, HaveTheirCentresWhereBesselsFunctionIsLargest) {
  const auto flow = sampled(dipole(), 80);
  const double height = 1.8411837813406593 / bessel_zero;
  for (const auto& vortex : largest_vortices(flow, stream_function(flow))) {
    EXPECT_NEAR(flow.points(vortex.centre, 0), 0.0, flow.step);
    EXPECT_NEAR(flow.points(vortex.centre, 1), vortex.clockwise ? height : -height, flow.step);
    EXPECT_EQ(std::count(vortex.inside.begin(), vortex.inside.end(), true), vortex.area);
  }
}

TEST(Vortices, AreMissedWhereTheFlowHasNone) {
  const auto flow = sampled({[](double r) { return r; }, [](double) { return 1.0; }}, 40);
  EXPECT_THROW(largest_vortices(flow, stream_function(flow)), InvalidArgument);
}

TEST(Overlap, IsIntersectionOverUnion) {
  EXPECT_DOUBLE_EQ(overlap({true, true, false, false}, {false, true, true, false}), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(overlap({true, false}, {true, false}), 1.0);
  EXPECT_DOUBLE_EQ(overlap({false}, {false}), 0.0);
}

}  // namespace
}  // namespace itomap::reproduce
