#include "reproduce/markov_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"

namespace itomap::reproduce {
namespace {

/// Two states that are left with probability `leave` a step: mu = 1 - 2 leave.
States two_states(std::size_t length, double leave, std::uint64_t seed) {
  samples::Random random(seed);
  States run{0};
  while (run.size() < length) {
    run.push_back(random.uniform() < leave ? 1 - run.back() : run.back());
  }
  return run;
}

TEST(AngleBins, CoverTheCircle) {
  Vector angles(5);
  angles << 0, 119.9, 120, 359.999, 360;
  EXPECT_EQ(angle_bins(angles, 3), (States{0, 0, 1, 2, 2}));
}

// The number of jumps in n steps has relative error (n leave)^-1/2 = 1 %, and so has the time scale.
TEST(ImpliedTimescales, OfTwoStatesAreExactAtAnyLag) {
  const double leave = 0.02;
  const std::vector<States> runs{two_states(250000, leave, 1), two_states(250000, leave, 2)};
  const double exact = -1 / std::log(1 - 2 * leave);
  for (const Index lag : {1, 5, 20}) {
    EXPECT_NEAR(implied_timescales(runs, 2, lag, 1)[0], exact, 0.05 * exact);
  }
}

TEST(ImpliedTimescales, CountNothingAcrossRuns) {
  const States first{0, 0, 0, 0}, second{1, 1, 1, 1};
  EXPECT_GT(implied_timescales({first, second}, 2, 1, 1)[0], 1e12);  // infinite up to rounding of mu = 1
}

TEST(ImpliedTimescales, LeaveOutStatesThatNeverOccur) {
  const auto run = two_states(20000, 0.1, 3);
  States apart;
  for (const Index state : run) {
    apart.push_back(3 * state);
  }
  const auto times = implied_timescales({apart}, 5, 1, 3);
  EXPECT_NEAR(times[0], implied_timescales({run}, 2, 1, 1)[0], 1e-9);
  EXPECT_EQ(times[1], 0);
}

}  // namespace
}  // namespace itomap::reproduce
