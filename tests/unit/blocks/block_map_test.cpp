#include "itomap/blocks/block_map.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <vector>

#include "itomap/io/array_file.hpp"
#include "itomap/io/row_file.hpp"
#include "support/block_results.hpp"
#include "support/double_well.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

/// The grid's accuracy, with which every kernel value is right.
constexpr double accuracy = 1e-8;
constexpr Index m = 5000;

class Blocks : public test::BlockResults {};

BlockOptions small_blocks(Index count = 5) { return {.eigenpairs = {.count = count}, .block_points = 700}; }

Points well_points(std::uint64_t seed = 1) { return samples::hot_double_well(m, 3.0, seed); }

MapDefinition tmd_definition() {
  MapDefinition d;
  d.method = Method::TargetMeasureMap;
  d.epsilon = 0.02;
  return d;
}

struct TmdCase {
  Points points;
  Points log_target;
  BlockInput input() const {
    return {.definition = tmd_definition(), .points = Trajectory(points), .target = Trajectory(log_target)};
  }
  Map in_memory() const {
    MapDefinition d = tmd_definition();
    d.points = points;
    d.log_target = log_target.col(0);
    d.kernel.engine = Engine::Grid;
    return make_map(d);
  }
};

TmdCase tmd_case(std::uint64_t seed = 1) {
  const Points points = well_points(seed);
  return {points, exact::DoubleWell(1.0).log_invariant(points)};
}

/// A flow that turns, on a torus: complex pairs.
struct LkdCase {
  Points points;
  Points drift;

  LkdCase() : points(samples::skewed_torus(m, 3)), drift(m, 2) {
    for (Index i = 0; i < m; ++i) {
      drift(i, 0) = 1.0 + 0.3 * std::sin(points(i, 1));
      drift(i, 1) = 0.2 * std::cos(points(i, 0));
    }
  }
  MapDefinition definition() const {
    MapDefinition d;
    d.method = Method::LocalKernelMap;
    d.epsilon = 0.05;
    d.density_epsilon = 0.03;
    d.diffusion = Diffusion::constant(0.7);
    d.kernel.period = {2.0 * std::numbers::pi, 2.0 * std::numbers::pi};
    return d;
  }
  BlockInput input() const {
    return {.definition = definition(), .points = Trajectory(points), .drift = Trajectory(drift)};
  }
  Map in_memory() const {
    MapDefinition d = definition();
    d.points = points;
    d.drift = drift;
    d.kernel.engine = Engine::Grid;
    return make_map(d);
  }
};

void expect_same_values(const Spectrum& blocks, const Spectrum& memory, double epsilon) {
  ASSERT_EQ(blocks.eigenvalues.size(), memory.eigenvalues.size());
  for (Index n = 0; n < blocks.eigenvalues.size(); ++n) {
    // mu is right to the accuracy of the grid and the tolerance of the solver, times the condition of the pair.
    EXPECT_LT(std::abs(blocks.eigenvalues[n] - memory.eigenvalues[n]) * epsilon, 10.0 * accuracy) << n;
    EXPECT_LT(blocks.residuals[n], 1e-9) << n;
    EXPECT_LT(blocks.left_residuals[n], 1e-9) << n;
  }
}

TEST_F(Blocks, ReversibleMapsAreThoseInMemory) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const TmdCase tmd = tmd_case(seed);
    const Map map = tmd.in_memory();
    const Spectrum memory = eigenpairs(map, {.count = 5});
    OutputDirectory out(path("tmd" + std::to_string(seed)), false);
    const BlockOutcome blocks = map_in_blocks(tmd.input(), small_blocks(), out.path(""));
    expect_same_values(blocks.spectrum, memory, map.epsilon());
    const Points psi = read_array(out.path("eigenfunctions.npy")).as_points();
    const Points phi = read_array(out.path("left_eigenfunctions.npy")).as_points();
    const Vector stationary = read_array(out.path("stationary.npy")).as_vector();
    const Vector density = read_array(out.path("density.npy")).as_vector();
    EXPECT_LT((density - map.density()).cwiseQuotient(map.density()).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((stationary - memory.stationary).lpNorm<1>(), 1e-6);
    // A row keeps five digits at least.
    EXPECT_LT((psi - memory.eigenfunctions.re).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_LT((phi - memory.left_eigenfunctions.re).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_TRUE(std::filesystem::exists(out.path("embedding.npy")));
  }
}

TEST_F(Blocks, DiffusionMapsForAnyAlpha) {
  const Points points = well_points();
  for (const double alpha : {-0.5, 0.0, 0.5, 1.0}) {
    MapDefinition d;
    d.epsilon = 0.02;
    d.alpha = alpha;
    const BlockOutcome blocks = map_in_blocks({.definition = d, .points = Trajectory(points)}, small_blocks());
    d.points = points;
    d.kernel.engine = Engine::Grid;
    expect_same_values(blocks.spectrum, eigenpairs(make_map(d), {.count = 5}), 0.02);
  }
}

TEST_F(Blocks, PeriodicLinesAndSpace) {
  for (const Index dimension : {1, 3}) {
    MapDefinition d;
    d.epsilon = dimension == 1 ? 0.01 : 0.3;
    d.alpha = 1.0;
    d.kernel.period.assign(std::size_t(dimension), 0.0);
    d.kernel.period[0] = 2.0 * std::numbers::pi;
    Points points(m, dimension);
    points.col(0) = samples::skewed_angles(m, 4).array() + 2.0 * std::numbers::pi;  // folded back
    samples::Random random(5);
    for (Index i = 0; i < m; ++i) {
      for (Index a = 1; a < dimension; ++a) {
        points(i, a) = random.uniform(-0.6, 0.6);
      }
    }
    const BlockOutcome blocks = map_in_blocks({.definition = d, .points = Trajectory(points)}, small_blocks(4));
    d.points = points;
    d.kernel.engine = Engine::Grid;
    expect_same_values(blocks.spectrum, eigenpairs(make_map(d), {.count = 4}), d.epsilon.value());
  }
}

TEST_F(Blocks, LocalKernelMapsHaveTheirComplexPairs) {
  const LkdCase lkd;
  const Map map = lkd.in_memory();
  const Spectrum memory = eigenpairs(map, {.count = 6});
  OutputDirectory out(path("lkd"), false);
  const BlockOutcome blocks = map_in_blocks(lkd.input(), small_blocks(6), out.path(""));
  ASSERT_GT(memory.eigenvalues.imag().maxCoeff(), 0.5);
  expect_same_values(blocks.spectrum, memory, map.epsilon());
  const Vector stationary = read_array(out.path("stationary.npy")).as_vector();
  EXPECT_LT((stationary - memory.stationary).lpNorm<1>(), 1e-6);
  EXPECT_NEAR(stationary.sum(), 1.0, 1e-12);
  EXPECT_LT((blocks.spectrum.condition_numbers() - memory.condition_numbers()).cwiseAbs().maxCoeff(), 1e-5);
  // Loading builds the map again and checks all arrays against it.
  out.commit();
  const Result loaded = load(path("lkd"));
  EXPECT_LT((loaded.spectrum.eigenfunctions.re - memory.eigenfunctions.re).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((loaded.spectrum.left_eigenfunctions.im - memory.left_eigenfunctions.im).cwiseAbs().maxCoeff(), 1e-6);
}

TEST_F(Blocks, TheSameBitsFromFilesAndOnAnyThreads) {
  const TmdCase tmd = tmd_case();
  const test::BlockFiles memory = files(tmd.input(), small_blocks(), "memory");
  EXPECT_EQ(memory.size(), 8U);
  write_npy(path("x.npy"), {tmd.points.data(), std::size_t(tmd.points.size())}, {std::size_t(m), 2});
  write_npy(path("log_pi.npy"), {tmd.log_target.data(), std::size_t(m)}, {std::size_t(m)});
  for (const int threads : {1, 3}) {
    BlockOptions options = small_blocks();
    options.execution.threads = threads;
    const BlockInput input{
        .definition = tmd_definition(), .points = open_rows(path("x.npy")), .target = open_rows(path("log_pi.npy"))};
    EXPECT_EQ(files(input, options, "threads" + std::to_string(threads)), memory) << threads;
  }
}

TEST_F(Blocks, TheSameBitsOverRanks) {
  const TmdCase tmd = tmd_case();
  const LkdCase lkd;
  for (const bool local : {false, true}) {
    const BlockInput input = local ? lkd.input() : tmd.input();
    const std::string name = local ? "lkd" : "tmd";
    const test::BlockFiles alone = files(input, small_blocks(), name + "1");
    for (const int size : local ? std::vector{2, 4} : std::vector{3}) {
      EXPECT_EQ(files_over_ranks(input, small_blocks(), size, name + std::to_string(size)), alone) << size;
    }
  }
}

TEST_F(Blocks, ARunThatWasStoppedGoesOnToTheSameBits) {
  const TmdCase tmd = tmd_case();
  const test::BlockFiles undisturbed = files(tmd.input(), small_blocks(), "undisturbed");
  samples::Random random(11);
  int stops = 0;
  for (bool finished = false; !finished;) {
    BlockOptions options = small_blocks();
    options.execution.threads = 2;
    options.checkpoint = path("checkpoint");
    options.checkpoint_seconds = stops % 2 == 0 ? 0.0 : 1000.0;
    std::atomic<Index> patience = stops < 10 ? 1 + random.below(16) : 1000000;
    BlockInput input = tmd.input();
    const auto read_some = [&](Index begin, Index end, double* to) {
      if (--patience < 0) {
        throw IoError("the disk is gone");
      }
      std::copy(tmd.points.data() + 2 * begin, tmd.points.data() + 2 * end, to);
    };
    input.points = Trajectory(read_some, m, 2, "trajectory");
    OutputDirectory out(path("result"), false);
    try {
      map_in_blocks(input, options, out.path(""));
      out.commit();
      finished = true;
    } catch (const IoError&) {
      ++stops;
    }
  }
  EXPECT_EQ(stops, 10);
  EXPECT_EQ(read("result"), undisturbed);
  forget_checkpoint(path("checkpoint"));
  EXPECT_FALSE(std::filesystem::exists(path("checkpoint")));
}

TEST_F(Blocks, CheckpointsThatAreDamagedCountForNothing) {
  const TmdCase tmd = tmd_case();
  BlockOptions options = small_blocks();
  const test::BlockFiles undisturbed = files(tmd.input(), options, "undisturbed");
  options.checkpoint = path("checkpoint");
  files(tmd.input(), options, "first");
  for (const auto& entry : std::filesystem::directory_iterator(path("checkpoint"))) {
    if (entry.path().extension() == ".sums") {
      std::fstream stream(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
      stream.seekp(200);
      stream.put('!');
    }
  }
  EXPECT_EQ(files(tmd.input(), options, "second"), undisturbed);
}

TEST_F(Blocks, CheckpointsOfAnotherRunAreRefused) {
  const TmdCase tmd = tmd_case();
  BlockOptions options = small_blocks();
  options.checkpoint = path("checkpoint");
  map_in_blocks(tmd.input(), options);
  BlockInput other = tmd.input();
  other.definition.epsilon = 0.03;
  EXPECT_THROW(map_in_blocks(other, options), InvalidArgument);
}

TEST_F(Blocks, WriteWhatIsAskedFor) {
  const TmdCase tmd = tmd_case();
  const SaveOptions save{.arrays = {"eigenfunctions", "stationary"}, .single = true};
  const test::BlockFiles some = files(tmd.input(), small_blocks(), "some", save);
  const test::BlockFiles all = files(tmd.input(), small_blocks(), "all");
  ASSERT_EQ(some.size(), 3U);
  EXPECT_EQ(some.at("eigenvalues.npy"), all.at("eigenvalues.npy"));
  const Points rounded = read_array(path("some/eigenfunctions.npy")).as_points();
  const Points full = read_array(path("all/eigenfunctions.npy")).as_points();
  EXPECT_EQ(rounded, full.cast<float>().cast<double>());
  EXPECT_THROW((SaveOptions{.arrays = {"eigenvectors"}}.validate()), InvalidArgument);
}

TEST_F(Blocks, WhatCannotComeInBlocksIsRefused) {
  TmdCase tmd = tmd_case();
  const auto refused = [&](const std::function<void(MapDefinition&)>& change) {
    BlockInput input = tmd.input();
    change(input.definition);
    EXPECT_THROW(map_in_blocks(input, small_blocks()), NotInBlocks);
  };
  refused([](MapDefinition& d) { d.epsilon = Scale::balanced(); });
  refused([](MapDefinition& d) { d.normalization = Normalization::Bistochastic; });
  refused([](MapDefinition& d) { d.bandwidth.strength = 0.5; });
  refused([](MapDefinition& d) { d.kernel.engine = Engine::Sparse; });
  tmd.points.row(7) << 3.5, 0.0;  // far from all others
  refused([](MapDefinition&) {});
  const Points high = samples::normal(100, 4, 1);
  const auto refused_there = [&](const KernelOptions& kernel) {
    MapDefinition d;
    d.epsilon = 0.1;
    d.kernel = kernel;
    EXPECT_THROW(map_in_blocks({.definition = d, .points = Trajectory(high)}, small_blocks()), NotInBlocks);
  };
  refused_there({.engine = Engine::Grid});
  refused_there({.engine = Engine::Dense});
  refused_there({.period = {1.0, 0.0, 0.0, 0.0}});
}

}  // namespace
}  // namespace itomap
