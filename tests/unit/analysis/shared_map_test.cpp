// Maps whose work several processes share: the numbers of one process, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "itomap/analysis/error_bars.hpp"
#include "itomap/core/error.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"
#include "support/thread_ranks.hpp"

namespace itomap {
namespace {

/// A ring with a drift along it, and a point that sees nobody.
MapDefinition ring(Method method) {
  Points x = 0.05 * samples::normal(1400, 4, 3);
  Points drift = Points::Zero(x.rows(), x.cols());
  Vector log_target(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    const double angle = 0.7 * double(i);
    x(i, 0) += std::cos(angle);
    x(i, 1) += std::sin(angle);
    drift.row(i).head(2) << -2.0 * std::sin(angle), 2.0 * std::cos(angle);
    log_target[i] = std::cos(angle);
  }
  x.row(11).setConstant(4.0);
  MapDefinition d{.method = method, .points = x, .epsilon = 0.03, .kernel = {.engine = Engine::Sparse}};
  if (d.local()) {
    d.drift = drift;
    d.diffusion = Diffusion::constant(1.0);
  } else if (method == Method::TargetMeasureMap) {
    d.log_target = log_target;
    d.drop_isolated = true;
  }
  return d;
}

void expect_same_bits(const auto& a, const auto& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), std::size_t(a.size()) * sizeof(*a.data())), 0) << what;
}

void expect_same(const Map& a, const Spectrum& s, const Map& b, const Spectrum& t) {
  EXPECT_EQ(a.component(), b.component());
  EXPECT_EQ(a.diagnostics().warnings, b.diagnostics().warnings);
  expect_same_bits(a.density(), b.density(), "density");
  expect_same_bits(s.eigenvalues, t.eigenvalues, "eigenvalues");
  expect_same_bits(s.eigenfunctions.re, t.eigenfunctions.re, "eigenfunctions");
  expect_same_bits(s.left_eigenfunctions.re, t.left_eigenfunctions.re, "left eigenfunctions");
  expect_same_bits(s.residuals, t.residuals, "residuals");
  EXPECT_EQ(s.products, t.products);
}

class SharedMap : public testing::TestWithParam<Method> {};

TEST_P(SharedMap, HasTheBitsOfOneProcess) {
  const Map alone = make_map(ring(GetParam()));
  const Spectrum spectrum = eigenpairs(alone, {.count = 5});
  for (const int size : {1, 2, 3}) {
    test::ThreadRanks(size).run([&](const Ranks& ranks) {
      const Map shared = make_map(ring(GetParam()), {.threads = 1, .ranks = &ranks});
      expect_same(alone, spectrum, shared, eigenpairs(shared, {.count = 5}));
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, SharedMap,
                         testing::Values(Method::DiffusionMap, Method::TargetMeasureMap, Method::LocalKernelMap),
                         [](const auto& one) { return std::string(to_string(one.param)); });

TEST(SharedMaps, ScalesAndErrorBarsAreThoseOfOneProcess) {
  MapDefinition d = ring(Method::DiffusionMap);
  d.epsilon = Scale::balanced();
  const auto bars_of = [&](const Ranks* ranks) {
    const Map map = make_map(d, {.threads = 1, .ranks = ranks});
    const ErrorBars bars = error_bars(map, eigenpairs(map, {.count = 3}), {.blocks = 3, .ranks = ranks});
    Vector all(1 + bars.noise.size());
    all << map.epsilon(), bars.noise.real();
    return all;
  };
  const Vector alone = bars_of(nullptr);
  test::ThreadRanks(2).run([&](const Ranks& ranks) { expect_same_bits(bars_of(&ranks), alone, "scale and noise"); });
}

TEST(SharedMaps, ProcessesMustBeGivenTheSame) {
  const auto message = [](const MapDefinition& d, const Ranks& ranks) -> std::string {
    try {
      make_map(d, {.threads = 1, .ranks = &ranks});
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return {};
  };
  test::ThreadRanks(2).run([&](const Ranks& ranks) {
    MapDefinition d = ring(Method::TargetMeasureMap);
    d.log_target[5] += 1e-15 * double(ranks.rank());
    EXPECT_EQ(
        message(d, ranks),
        "log_target, drift or diffusion: what is given differs between the processes; all must be given the same");
    d = ring(Method::TargetMeasureMap);
    d.epsilon = 0.03 + 0.01 * double(ranks.rank());
    EXPECT_NE(message(d, ranks).find("epsilon"), std::string::npos);
  });
}

}  // namespace
}  // namespace itomap
