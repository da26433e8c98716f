#include "reproduce/dihedral.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reproduce/carbon_chain.hpp"
#include "support/samples.hpp"

namespace itomap::reproduce {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A right-angled chain whose last atom is turned by `angle` about the middle bond.
Points chain(double angle) {
  Points frame(1, 12);
  frame << 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, std::cos(angle * degree), std::sin(angle * degree);
  return frame;
}

TEST(DihedralAngles, AreTheTurnAboutTheMiddleBond) {
  for (const double angle : {0.0, 60.0, 120.0, 180.0, 200.0, 300.0, 359.0}) {
    EXPECT_NEAR(dihedral_angles(chain(angle))[0], angle, 1e-12);
  }
}

TEST(DihedralAngles, ChangeSignInTheMirrorAndNotWithTheNumbering) {
  Points mirrored = chain(75), renumbered(1, 12);
  for (Index a = 0; a < 4; ++a) {
    mirrored(0, 3 * a + 2) *= -1;
    renumbered.middleCols(3 * a, 3) = chain(75).middleCols(3 * (3 - a), 3);
  }
  EXPECT_NEAR(dihedral_angles(mirrored)[0], 285, 1e-12);
  EXPECT_NEAR(dihedral_angles(renumbered)[0], 75, 1e-12);
}

TEST(DihedralAngles, OfTheStretchedChain) {
  const Points frame = stretched_chain().transpose();
  EXPECT_NEAR(dihedral_angles(frame)[0], 180, 1e-9);
  EXPECT_NEAR((frame.middleCols(3, 3) - frame.middleCols(0, 3)).norm(), 0.153, 1e-12);
}

// Alignment on the stretched chain may jump at 0 only: steps of a degree stay small everywhere else.
TEST(AlignedChains, AreContinuousInTheAngleExceptWhereEclipsed) {
  Points turn(359, 12);
  for (Index i = 0; i < turn.rows(); ++i) {
    turn.row(i) = chain(double(i) + 1);
  }
  const auto frames = aligned({turn}).front();
  const Points steps = frames.bottomRows(358) - frames.topRows(358);
  EXPECT_LT(steps.rowwise().norm().maxCoeff(), 2 * degree);  // the last atom moves by one degree on a unit circle
  EXPECT_GT((frames.row(0) - frames.row(358)).norm(), 1);
}

TEST(FitByAngle, ExplainsWhatIsAFunctionOfTheAngle) {
  samples::Random random(1);
  Vector angles(2000), wave(2000), noisy(2000);
  for (Index i = 0; i < angles.size(); ++i) {
    angles[i] = 360 * random.uniform();
    wave[i] = 1 + std::sin(3 * angles[i] * degree);  // variance 1/2
    noisy[i] = wave[i] + random.normal();            // variance 1/2 + 1
  }
  const auto exact = fit_by_angle(angles, wave, 8);
  EXPECT_NEAR(exact.explained, 1, 1e-12);
  EXPECT_NEAR(exact.at(30), 2, 1e-10);
  // standard error of the share over 2000 draws: about sqrt(4 R^2 (1-R^2)^2 / m) = 0.017
  EXPECT_NEAR(fit_by_angle(angles, noisy, 8).explained, 1.0 / 3, 5 * 0.017);
}

TEST(SpreadFrames, EvensOutTheDensity) {
  samples::Random random(2);
  Points frames = Points::Zero(5000, 12);  // nine tenths in a heap, one tenth spread over a line
  for (Index i = 0; i < frames.rows(); ++i) {
    frames(i, 0) = i % 10 == 0 ? 1 + random.uniform() : 0.01 * random.normal();
  }
  const Points chosen = spread_frames({frames}, 600, 0.001, 3);
  ASSERT_EQ(chosen.rows(), 600);
  const auto on_line = (chosen.col(0).array() > 0.9).count();
  EXPECT_GT(on_line, 300);  // 60 if drawn evenly
  EXPECT_EQ(spread_frames({frames}, 9000, 0.001, 3).rows(), 5000);
}

TEST(StandingChains, ShowTheTurnOfTheLastAtom) {
  const Points moved = aligned({chain(75)}).front();
  const Points stood = standing(moved);
  EXPECT_LT((stood.middleCols(3, 3) + stood.middleCols(6, 3)).norm(), 1e-12);  // middle bond about the origin
  EXPECT_NEAR(stood(0, 1), 1, 1e-12);
  EXPECT_NEAR(std::atan2(stood(0, 11), stood(0, 10)) / degree, 75, 1e-9);
}

}  // namespace
}  // namespace itomap::reproduce
