#include "itomap/dynamics/align.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "itomap/core/error.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

constexpr Index atoms = 5, dimension = 3 * atoms;

/// A rotation and a translation, drawn at random.
struct Motion {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d shift;

  explicit Motion(samples::Random& random)
      : rotation(Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal())
                     .normalized()
                     .toRotationMatrix()),
        shift(random.normal(), random.normal(), random.normal()) {}

  template <class Row>
  void operator()(Row&& frame) const {
    for (Index a = 0; a < frame.size(); a += 3) {
      const Eigen::Vector3d x(frame(a), frame(a + 1), frame(a + 2));
      const Eigen::Vector3d y = rotation * x + shift;
      for (Index j = 0; j < 3; ++j) {
        frame(a + j) = y(j);
      }
    }
  }
};

Points molecule(std::uint64_t seed) { return 2.0 * samples::normal(1, dimension, seed); }

TEST(AlignFrames, UndoesAnyRigidMotion) {
  const Points reference = molecule(1);
  samples::Random random(2);
  Points frames = reference.replicate(20, 1);
  for (Index i = 0; i < frames.rows(); ++i) {
    Motion{random}(frames.row(i));
  }
  const auto aligned = align_frames(frames, {.reference = reference.row(0)});
  EXPECT_LT((aligned.frames - reference.replicate(20, 1)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(AlignFrames, FitsTheChosenAtomsAndMovesAll) {
  const Points reference = molecule(1);
  samples::Random random(3);
  Points frames = reference;
  frames.rightCols(6) += samples::normal(1, 6, 4);  // the last two atoms moved
  const Points expected = frames;
  Motion{random}(frames.row(0));
  const auto aligned = align_frames(frames, {.reference = reference.row(0), .atoms = {0, 1, 2}});
  EXPECT_LT((aligned.frames - expected).cwiseAbs().maxCoeff(), 1e-12);
}

// Least squares: no small rotation does better.
TEST(AlignFrames, LeavesTheLeastDeviation) {
  const Points reference = molecule(1);
  const Points frame = reference + samples::normal(1, dimension, 5);
  const Points aligned = align_frames(frame, {.reference = reference.row(0)}).frames;
  const double least = (aligned - reference).norm();
  const Eigen::Map<const Eigen::Matrix<double, atoms, 3, Eigen::RowMajor>> y(aligned.data());
  const Eigen::RowVector3d centre = y.colwise().mean();
  for (int axis = 0; axis < 3; ++axis) {
    for (const double angle : {-0.01, 0.01}) {
      const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, Eigen::Vector3d::Unit(axis)).toRotationMatrix();
      const Eigen::Matrix<double, atoms, 3, Eigen::RowMajor> turned =
          ((y.rowwise() - centre) * turn.transpose()).rowwise() + centre;
      EXPECT_GT((Eigen::Map<const Points>(turned.data(), 1, dimension) - reference).norm(), least);
    }
  }
}

TEST(AlignFrames, NeverMirrors) {
  const Points reference = molecule(1);
  Points mirrored = reference;
  for (Index a = 0; a < dimension; a += 3) {
    mirrored(0, a) *= -1.0;
  }
  const auto aligned = align_frames(mirrored, {.reference = reference.row(0)});
  EXPECT_NEAR((Eigen::Map<const Eigen::Matrix3d>(aligned.rotations.data()).determinant()), 1.0, 1e-12);
  EXPECT_GT((aligned.frames - reference).norm(), 0.1);
}

TEST(AlignFrames, RefusesWhatFixesNoRotation) {
  const Points frame = molecule(1);
  EXPECT_THROW(align_frames(frame.leftCols(4), {.reference = Vector::Ones(4)}), InvalidArgument);
  EXPECT_THROW(align_frames(frame, {.reference = Vector::Ones(12)}), InvalidArgument);
  EXPECT_THROW(align_frames(frame, {.reference = frame.row(0), .atoms = {0, 1}}), InvalidArgument);
  EXPECT_THROW(align_frames(frame, {.reference = frame.row(0), .atoms = {0, 1, 5}}), InvalidArgument);
  Vector line = Vector::Zero(dimension);
  for (Index a = 0; a < atoms; ++a) {
    line(3 * a) = double(a);
  }
  EXPECT_THROW(align_frames(frame, {.reference = line}), InvalidArgument);
}

// Each burst is moved rigidly, start and ends alike: the aligned estimate must not notice.
TEST(AlignedEstimate, BurstsTurnWithTheirStart) {
  constexpr Index m = 6, runs = 30;
  samples::Random random(7);
  const Points reference = molecule(1);
  const Alignment align{.reference = reference.row(0)};
  Points starts = reference.replicate(m, 1) + 0.1 * samples::normal(m, dimension, 8);
  Points ends = starts.replicate(1, runs) + 0.05 * samples::normal(m, dimension * runs, 9);
  const auto still = estimate_dynamics_from_bursts(starts, ends, {.lag = 0.1, .align = align});
  for (Index i = 0; i < m; ++i) {
    const Motion move(random);
    move(starts.row(i));
    move(ends.row(i));
  }
  const auto tumbling = estimate_dynamics_from_bursts(starts, ends, {.lag = 0.1, .align = align});
  EXPECT_LT((still.points - tumbling.points).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((still.drift - tumbling.drift).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((still.diffusion - tumbling.diffusion).cwiseAbs().maxCoeff(), 1e-11);
}

// Two frames are one pair: a rigid motion for each pair must not show either.
TEST(AlignedEstimate, PairsOfFramesTurnWithTheirStart) {
  constexpr Index pairs = 40;
  samples::Random random(11);
  const Points reference = molecule(1);
  std::vector<Points> still, tumbling;
  for (Index k = 0; k < pairs; ++k) {
    still.push_back(reference.replicate(2, 1) + 0.1 * samples::normal(2, dimension, 20 + std::uint64_t(k)));
    tumbling.push_back(still.back());
    const Motion move(random);
    move(tumbling.back().row(0));
    move(tumbling.back().row(1));
  }
  const auto estimate = [&](const std::vector<Points>& runs) {
    std::vector<Trajectory> trajectories;
    for (const Points& run : runs) {
      trajectories.emplace_back(run);
    }
    return estimate_dynamics(
        trajectories, reference,
        {.dt = 1.0, .lag = 1.0, .neighbours = 30, .align = Alignment{.reference = reference.row(0)}});
  };
  const auto a = estimate(still), b = estimate(tumbling);
  EXPECT_LT((a.drift - b.drift).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((a.diffusion - b.diffusion).cwiseAbs().maxCoeff(), 1e-11);
}

}  // namespace
}  // namespace itomap
