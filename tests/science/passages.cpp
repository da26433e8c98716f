// Committors, passage times and rates in the double well against integrals and a finite volume method.
//
// One error is known beforehand: TMDmap's density is off by the factor exp(epsilon V) (tests/science/double_well.cpp),
// 4 beta epsilon = 5 % in the rate at beta = 6. The rest of the budgets, 0.03 in the committor and 10 % in rates and
// times, is for the sample. The backward committor of a process that turns has the noise of both of its sides: 0.04 at
// the worst of 20,000 points. Were the edges of the sets those of the chain, they would recede by 0.58 (2 epsilon)^1/2
// = 0.037: an error in the whole of the committor, that its root mean square shows and its worst point does not.
#include "support/passages.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "itomap/analysis/committor.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/double_well.hpp"

namespace itomap::science_passages {

constexpr double committor_budget = 0.03;
constexpr double backward_budget = 0.04;
constexpr double mean_budget = 0.006;  // root mean square; 0.007 and more with the edges of the chain
constexpr double rate_budget = 0.1;
constexpr Index points_of_sample = 20000;

std::vector<Index> inside(const Points& points, const exact::Region& region) {
  std::vector<bool> mask;
  for (Index i = 0; i < points.rows(); ++i) {
    mask.push_back(region(points(i, 0), points(i, 1)));
  }
  return indices_of(mask);
}

double mean_error(const Vector& found, const Vector& exact) {
  return (found - exact).norm() / std::sqrt(double(found.size()));
}

struct Setting {
  double beta;
  exact::Rectangle rectangle;  // beyond it exp(-beta U) is below a thousandth of its maximum
  double epsilon;
};

const Setting settings[] = {{1.0, {1.9, 2.6}, 0.002}, {2.0, {1.8, 1.9}, 0.002}, {6.0, {1.5, 1.1}, 0.002}};

class Passage : public testing::TestWithParam<std::tuple<Setting, std::uint64_t>> {
 protected:
  Setting setting = std::get<0>(GetParam());
  Points points = setting.rectangle.sample(points_of_sample, std::get<1>(GetParam()));

  CommittorResult passage(const exact::Region& source, const exact::Region& sink) const {
    const exact::DoubleWell well(setting.beta);
    const Map map = target_measure_map(points, well.log_invariant(points), {.epsilon = setting.epsilon});
    CommittorResult result =
        committor(map, eigenpairs(map, {.count = 5}), inside(points, source), inside(points, sink));
    expect_cheap(result);
    return result;
  }

  // Slow processes are deflated: what is left is the relaxation within a well, tens to a few hundred products.
  static void expect_cheap(const CommittorResult& result) {
    EXPECT_TRUE(result.converged());
    EXPECT_TRUE(result.warnings.empty());
    for (const SolveReport& solve : result.solves) {
      EXPECT_LE(solve.products, 400) << solve.name;
    }
  }
};

constexpr double edge = 1.0;
const exact::Region left_side = [](double x, double) { return x < -edge; };
const exact::Region right_side = [](double x, double) { return x > edge; };

TEST_P(Passage, BetweenTwoSides) {
  const CommittorResult result = passage(left_side, right_side);
  const exact::WellPassage exact(setting.beta, edge, setting.rectangle.reach_x);
  double worst = 0.0;
  double worst_time = 0.0;
  for (Index i = 0; i < points.rows(); ++i) {
    const double x = points(i, 0);
    if (std::abs(x) > edge) {
      continue;
    }
    worst = std::max(worst, std::abs(result.forward[i] - exact.committor(x)));
    worst_time = std::max(worst_time, std::abs(result.time_to_sink[i] - exact.time(x)));
  }
  EXPECT_LT(worst, committor_budget);
  EXPECT_LT(worst_time, rate_budget * exact.time_from_source());
  EXPECT_NEAR(result.rate / exact.rate(), 1.0, rate_budget);
  EXPECT_NEAR(result.total_flux / exact.flux(), 1.0, rate_budget);
  EXPECT_NEAR(result.source_to_sink / exact.time_from_source(), 1.0, rate_budget);
}

INSTANTIATE_TEST_SUITE_P(Temperatures, Passage,
                         testing::Combine(testing::ValuesIn(settings), testing::Values(1, 2, 3)));

constexpr double radius = 0.4;
const exact::Region left_disc = [](double x, double y) { return std::hypot(x + 1.0, y) < radius; };
const exact::Region right_disc = [](double x, double y) { return std::hypot(x - 1.0, y) < radius; };
constexpr double cell = 0.02;

class PassageBetweenDiscs : public Passage {};

TEST_P(PassageBetweenDiscs, ReversibleProcess) {
  const CommittorResult result = passage(left_disc, right_disc);
  const exact::PlanePassage exact({setting.beta, 0.0, setting.rectangle, left_disc, right_disc}, cell);
  EXPECT_LT((result.forward - exact.forward(points)).lpNorm<Eigen::Infinity>(), committor_budget);
  EXPECT_NEAR(result.rate / exact.rate(), 1.0, rate_budget);
  EXPECT_NEAR(result.source_to_sink / exact.time_from_source(), 1.0, rate_budget);
}

TEST_P(PassageBetweenDiscs, SwirlingProcess) {
  constexpr double swirl = 1.0;
  const Map map = local_kernel_map(points, exact::swirling_drift(points, setting.beta, swirl), Diffusion::constant(1.0),
                                   {.epsilon = setting.epsilon});
  const CommittorResult result =
      committor(map, eigenpairs(map, {.count = 5}), inside(points, left_disc), inside(points, right_disc));
  expect_cheap(result);
  const exact::PlanePassage exact({setting.beta, swirl, setting.rectangle, left_disc, right_disc}, cell);
  EXPECT_LT((result.forward - exact.forward(points)).lpNorm<Eigen::Infinity>(), committor_budget);
  EXPECT_LT((result.backward - exact.backward(points)).lpNorm<Eigen::Infinity>(), backward_budget);
  EXPECT_LT(mean_error(result.forward, exact.forward(points)), mean_budget);
  EXPECT_LT(mean_error(result.backward, exact.backward(points)), mean_budget);
  EXPECT_NEAR(result.rate / exact.rate(), 1.0, rate_budget);
  EXPECT_NEAR(result.source_to_sink / exact.time_from_source(), 1.0, rate_budget);
  // Control: the process knows its direction.
  EXPECT_GT((result.forward + result.backward - Vector::Ones(points.rows())).lpNorm<Eigen::Infinity>(),
            3.0 * committor_budget);
}

INSTANTIATE_TEST_SUITE_P(Temperatures, PassageBetweenDiscs,
                         testing::Combine(testing::Values(settings[1]), testing::Values(1, 2, 3)));

}  // namespace itomap::science_passages
