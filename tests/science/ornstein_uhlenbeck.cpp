// The Ornstein-Uhlenbeck process in 1, 2 and 3 dimensions, from points that do not follow its Gaussian: eigenvalues -n.
//
// For a linear process the effect of a finite epsilon is known in closed form, so that the bias left in the budget is
// that of the density estimate alone, C = 1.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/samples.hpp"
#include "support/spectrum_check.hpp"
#include "support/systems.hpp"

namespace itomap::science_ornstein_uhlenbeck {

struct Setting {
  Index dimension;
  Index points;
  double radius;  // of the ball that is sampled; the invariant Gaussian has at most 1 % of its mass outside
  double epsilon;
  Index count;  // eigenvalues beyond 0: whole multiplets
};

constexpr Setting line{1, 2000, 4.0, 0.01, 3};
constexpr Setting plane{2, 4000, 3.7, 0.03, 5};
constexpr Setting space{3, 5000, 3.5, 0.08, 3};

class OrnsteinUhlenbeck : public testing::TestWithParam<std::tuple<Setting, std::uint64_t>> {
 protected:
  Setting setting() const { return std::get<0>(GetParam()); }
  Points sample() const {
    return samples::skewed_ball(setting().points, setting().dimension, setting().radius, std::get<1>(GetParam()));
  }
  exact::LinearProcess process() const { return exact::ornstein_uhlenbeck(setting().dimension); }

  /// How much of the budget the map's spectrum uses; lambda, not rates_log.
  double share_of_budget(const Map& map, const Eigen::VectorXcd& expected) const {
    const Spectrum s = eigenpairs(map, {.count = setting().count});
    SCOPED_TRACE(statistics::side_by_side(s.eigenvalues, expected));
    return statistics::worst_share_of_budget(map, s, s.eigenvalues, expected, 1.0);
  }

  Map targeted(const Points& x, double power) const {
    return target_measure_map(x, power * process().log_invariant(x),
                              {.epsilon = setting().epsilon, .kernel = {.engine = Engine::Sparse}});
  }
  Map local(const Points& x, bool biased) const {
    return local_kernel_map(x, process().drift(x), Diffusion::constant(1.0),
                            {.epsilon = setting().epsilon, .biased = biased, .kernel = {.engine = Engine::Sparse}});
  }
  Eigen::VectorXcd implicit() const { return process().implicit_spectrum(setting().epsilon, setting().count + 1); }
  Eigen::VectorXcd euler() const { return process().euler_spectrum(setting().epsilon, setting().count + 1); }
};

TEST_P(OrnsteinUhlenbeck, TargetMeasureMap) { EXPECT_LE(share_of_budget(targeted(sample(), 1.0), implicit()), 1.0); }

TEST_P(OrnsteinUhlenbeck, LocalKernelMap) { EXPECT_LE(share_of_budget(local(sample(), false), euler()), 1.0); }

// Controls: what the same budget must not let pass.

class OrnsteinUhlenbeckControl : public OrnsteinUhlenbeck {};

TEST_P(OrnsteinUhlenbeckControl, SquaredTargetFails) {
  EXPECT_GT(share_of_budget(targeted(sample(), 2.0), implicit()), 1.0);
}

TEST_P(OrnsteinUhlenbeckControl, BiasedKernelFails) { EXPECT_GT(share_of_budget(local(sample(), true), euler()), 1.0); }

std::string name_of(const testing::TestParamInfo<std::tuple<Setting, std::uint64_t>>& test) {
  return std::to_string(std::get<0>(test.param).dimension) + "D_seed" + std::to_string(std::get<1>(test.param));
}
INSTANTIATE_TEST_SUITE_P(Seeds, OrnsteinUhlenbeck,
                         testing::Combine(testing::Values(line, plane, space), testing::Values(1, 2, 3, 4, 5)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Seeds, OrnsteinUhlenbeckControl,
                         testing::Combine(testing::Values(line, plane, space), testing::Values(1)), name_of);

}  // namespace itomap::science_ornstein_uhlenbeck
