// Points in blocks between landmarks: what the engine makes of them in memory, the same bits however they are summed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>

#include "itomap/blocks/block_map.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/io/row_file.hpp"
#include "support/block_results.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

using testing::HasSubstr;

class LandmarkBlocks : public test::BlockResults {};

/// So few that the sample of the file is the file: landmarks are then those in memory.
constexpr Index landmark_points = 3000;
/// Sums in another order are off by rounding, times what the smallest pivot of K_zz leaves of it, 1e6 times; beside it
/// the solver's tolerance.
constexpr double mu_error = 1e-8;

BlockOptions landmark_options(Index count = 4) { return {.eigenpairs = {.count = count}, .block_points = 500}; }

/// A noisy circle in five dimensions: dmap, tmd, and a process that turns.
struct CircleCase {
  Points points = 0.05 * samples::normal(landmark_points, 5, 1);
  Points log_target = Points(landmark_points, 1);
  Points drift = Points::Zero(landmark_points, 5);
  MapDefinition definition{};

  explicit CircleCase(Method method, std::uint64_t seed = 1) {
    points = 0.05 * samples::normal(landmark_points, 5, seed);
    const Vector angle = samples::skewed_angles(landmark_points, seed + 100);
    points.col(0).array() += angle.array().cos();
    points.col(1).array() += angle.array().sin();
    log_target = 0.7 * angle.array().cos();
    drift.col(0) = -2.0 * angle.array().sin();
    drift.col(1) = 2.0 * angle.array().cos();
    definition.method = method;
    definition.epsilon = 0.03;
    definition.alpha = 1.0;
    definition.kernel.landmarks = 150;
    if (method == Method::LocalKernelMap) {
      definition.diffusion = Diffusion::constant(0.8);
    }
  }
  BlockInput input() const {
    BlockInput input{.definition = definition, .points = Trajectory(points)};
    if (definition.method == Method::TargetMeasureMap) {
      input.target = Trajectory(log_target);
    }
    if (definition.method == Method::LocalKernelMap) {
      input.drift = Trajectory(drift);
    }
    return input;
  }
  Map in_memory() const {
    MapDefinition d = definition;
    d.points = points;
    d.kernel.engine = Engine::Landmarks;
    if (d.method == Method::TargetMeasureMap) {
      d.log_target = log_target.col(0);
    }
    if (d.method == Method::LocalKernelMap) {
      d.drift = drift;
    }
    return make_map(d);
  }
};

void expect_same_pairs(const Spectrum& blocks, const Spectrum& memory, double epsilon) {
  ASSERT_EQ(blocks.eigenvalues.size(), memory.eigenvalues.size());
  for (Index n = 0; n < blocks.eigenvalues.size(); ++n) {
    EXPECT_LT(std::abs(blocks.eigenvalues[n] - memory.eigenvalues[n]) * epsilon, mu_error) << n;
    EXPECT_LT(blocks.residuals[n], 1e-9) << n;
    EXPECT_LT(blocks.left_residuals[n], 1e-9) << n;
  }
}

TEST_F(LandmarkBlocks, ReversibleMapsAreThoseInMemory) {
  for (const Method method : {Method::DiffusionMap, Method::TargetMeasureMap}) {
    for (const std::uint64_t seed : {1, 2}) {
      const CircleCase circle(method, seed);
      const Map map = circle.in_memory();
      const Spectrum memory = eigenpairs(map, {.count = 4});
      OutputDirectory out(path(std::string(to_string(method)) + std::to_string(seed)), false);
      const BlockOutcome blocks = map_in_blocks(circle.input(), landmark_options(), out.path(""));
      expect_same_pairs(blocks.spectrum, memory, map.epsilon());
      const Vector density = read_array(out.path("density.npy")).as_vector();
      const Vector stationary = read_array(out.path("stationary.npy")).as_vector();
      const Points psi = read_array(out.path("eigenfunctions.npy")).as_points();
      EXPECT_LT((density - map.density()).cwiseQuotient(map.density()).cwiseAbs().maxCoeff(), 1e-7);
      EXPECT_LT((stationary - memory.stationary).lpNorm<1>(), 1e-7);
      EXPECT_LT((psi - memory.eigenfunctions.re).cwiseAbs().maxCoeff(), 1e-4);
      EXPECT_THAT(blocks.map_report, HasSubstr("landmarks"));
    }
  }
}

TEST_F(LandmarkBlocks, LocalKernelMapsHaveTheirComplexPairs) {
  for (const bool own_density : {false, true}) {
    CircleCase circle(Method::LocalKernelMap);
    if (own_density) {
      circle.definition.density_epsilon = 0.02;
    }
    const Map map = circle.in_memory();
    const Spectrum memory = eigenpairs(map, {.count = 4});
    OutputDirectory out(path(own_density ? "own" : "same"), false);
    const BlockOutcome blocks = map_in_blocks(circle.input(), landmark_options(), out.path(""));
    ASSERT_GT(memory.eigenvalues.imag().maxCoeff(), 0.5);
    expect_same_pairs(blocks.spectrum, memory, map.epsilon());
    const Vector stationary = read_array(out.path("stationary.npy")).as_vector();
    EXPECT_LT((stationary - memory.stationary).lpNorm<1>(), 1e-6);
    EXPECT_NEAR(stationary.sum(), 1.0, 1e-9);
    EXPECT_LT((blocks.spectrum.condition_numbers() - memory.condition_numbers()).cwiseAbs().maxCoeff(), 1e-5);
    out.commit();
    const Result loaded = load(path(own_density ? "own" : "same"));
    EXPECT_LT((loaded.spectrum.left_eigenfunctions.im - memory.left_eigenfunctions.im).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST_F(LandmarkBlocks, AlsoInThePlane) {
  MapDefinition d;
  d.epsilon = 0.05;
  d.alpha = 1.0;
  d.kernel.engine = Engine::Landmarks;
  const Points points = samples::skewed_ball(landmark_points, 2, 1.0, 3);
  const BlockOutcome blocks = map_in_blocks({.definition = d, .points = Trajectory(points)}, landmark_options());
  d.points = points;
  const Map map = make_map(d);
  EXPECT_EQ(map.plan().landmarks, blocks.spectrum.condensed_size);
  expect_same_pairs(blocks.spectrum, eigenpairs(map, {.count = 4}), map.epsilon());
}

/// Some points a few widths of the kernel away from the others, and from each other.
CircleCase with_outliers() {
  CircleCase circle(Method::TargetMeasureMap);
  for (Index k = 0; k < 10; ++k) {
    const Index i = 300 * k + 7;
    circle.points.row(i) *= 1.75;
    circle.points(i, 2 + k % 3) += 0.3;
  }
  return circle;
}

TEST_F(LandmarkBlocks, OutliersBecomeLandmarks) {
  const CircleCase circle = with_outliers();
  const Map map = circle.in_memory();
  const Spectrum memory = eigenpairs(map, {.count = 4});
  ASSERT_GT(memory.condensed_size, 150);
  const BlockOutcome blocks = map_in_blocks(circle.input(), landmark_options());
  EXPECT_EQ(blocks.spectrum.condensed_size, memory.condensed_size);
  expect_same_pairs(blocks.spectrum, memory, map.epsilon());
}

TEST_F(LandmarkBlocks, TheSameBitsHoweverTheyAreSummed) {
  for (const Method method : {Method::TargetMeasureMap, Method::LocalKernelMap}) {
    const CircleCase circle = method == Method::TargetMeasureMap ? with_outliers() : CircleCase(method);
    const std::string name(to_string(method));
    const test::BlockFiles memory = files(circle.input(), landmark_options(), name);
    ASSERT_GE(memory.size(), 8U);
    const auto save = [&](const char* file, const Points& x) {
      write_npy(path(file), {x.data(), std::size_t(x.size())}, {std::size_t(x.rows()), std::size_t(x.cols())});
      return open_rows(path(file));
    };
    BlockInput input = circle.input();
    input.points = save("x.npy", circle.points);
    if (input.drift) {
      input.drift = save("b.npy", circle.drift);
    }
    for (const int threads : {1, 3}) {
      BlockOptions options = landmark_options();
      options.execution.threads = threads;
      EXPECT_EQ(files(input, options, name + "-threads" + std::to_string(threads)), memory) << threads;
    }
    for (const int size : {2, 3, 4}) {
      EXPECT_EQ(files_over_ranks(circle.input(), landmark_options(), size, name + std::to_string(size)), memory)
          << size;
    }
  }
}

TEST_F(LandmarkBlocks, ARunThatWasStoppedGoesOnToTheSameBits) {
  const CircleCase circle = with_outliers();
  const test::BlockFiles undisturbed = files(circle.input(), landmark_options(), "undisturbed");
  samples::Random random(12);
  int stops = 0;
  for (bool finished = false; !finished;) {
    BlockOptions options = landmark_options();
    options.execution.threads = 2;
    options.checkpoint = path("checkpoint");
    options.checkpoint_seconds = stops % 2 == 0 ? 0.0 : 1000.0;
    // Whole blocks alone are counted: rows of the sample come one by one.
    std::atomic<Index> patience = stops < 8 ? 1 + random.below(10) : 1000000;
    BlockInput input = circle.input();
    const auto read_some = [&](Index begin, Index end, double* to) {
      if (end - begin > 1 && --patience < 0) {
        throw IoError("the disk is gone");
      }
      std::copy(circle.points.data() + 5 * begin, circle.points.data() + 5 * end, to);
    };
    input.points = Trajectory(read_some, landmark_points, 5, "trajectory");
    OutputDirectory out(path("result"), false);
    try {
      map_in_blocks(input, options, out.path(""));
      out.commit();
      finished = true;
    } catch (const IoError&) {
      ++stops;
    }
  }
  EXPECT_EQ(stops, 8);
  EXPECT_EQ(read("result"), undisturbed);
}

TEST_F(LandmarkBlocks, PointsThatNobodySeesAreRefused) {
  CircleCase circle(Method::TargetMeasureMap);
  circle.points.row(11) *= 20.0;
  EXPECT_THROW(map_in_blocks(circle.input(), landmark_options()), NotInBlocks);
  CircleCase jumps(Method::LocalKernelMap);
  jumps.drift.row(11) *= 1000.0;
  EXPECT_THROW(map_in_blocks(jumps.input(), landmark_options()), NotInBlocks);
}

TEST_F(LandmarkBlocks, PartsThatPointsJoinAreOne) {
  // Two clouds with a landmark each, at their means: these do not see each other, but points between them see both.
  const auto clouds = [](double apart) {
    Points x = samples::skewed_ball(landmark_points, 4, 0.3, 5);
    x.topRows(landmark_points / 2).col(0).array() += apart;
    return x;
  };
  MapDefinition d;
  d.epsilon = 0.05;
  d.kernel.landmarks = 2;
  const Points parts = clouds(8.0);
  EXPECT_THROW(map_in_blocks({.definition = d, .points = Trajectory(parts)}, landmark_options(1)), NotInBlocks);
  const Points joined = clouds(2.05);
  const Points means = (Points(2, 4) << joined.topRows(landmark_points / 2).colwise().mean(),
                        joined.bottomRows(landmark_points / 2).colwise().mean())
                           .finished();
  ASSERT_GT((means.row(0) - means.row(1)).squaredNorm() / (4.0 * d.epsilon.value()), -std::log(d.kernel.cutoff));
  const BlockOutcome blocks = map_in_blocks({.definition = d, .points = Trajectory(joined)}, landmark_options(1));
  EXPECT_EQ(blocks.spectrum.condensed_size, 2);
  EXPECT_LT(blocks.spectrum.eigenvalues[1].real(), 0.0);
  EXPECT_LT(blocks.spectrum.residuals[1], 1e-9);
}

}  // namespace
}  // namespace itomap
