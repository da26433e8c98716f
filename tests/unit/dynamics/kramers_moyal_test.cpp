#include "itomap/dynamics/kramers_moyal.hpp"
#include "core/dense_algebra.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "itomap/core/error.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

constexpr double dt = 0.5;

Points walk(Index frames, Index dimension, std::uint64_t seed) {
  Points all = 0.3 * samples::normal(frames, dimension, seed);
  for (Index t = 1; t < frames; ++t) all.row(t) += 0.9 * all.row(t - 1);
  return all;
}

struct Pair {
  double distance;
  Index time;  // pairs of different trajectories are far apart
  Vector start, increment;
};

std::vector<Pair> all_pairs(const std::vector<Points>& runs, const Points& queries, Index i, Index lag) {
  std::vector<Pair> pairs;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    for (Index t = 0; t + lag < runs[k].rows(); ++t) {
      const Vector start = runs[k].row(t), end = runs[k].row(t + lag);
      pairs.push_back({(start - queries.row(i).transpose()).norm(), t + 100000 * Index(k), start, end - start});
    }
  }
  return pairs;
}

/// The formulas of the header, word by word, for one query.
struct Reference {
  Vector b, centre;
  Matrix a;
  double independent = 0.0, products = 0.0;

  Reference(const std::vector<Pair>& pairs, Index lag) {
    const auto n = double(pairs.size());
    Vector mean = Vector::Zero(pairs[0].increment.size());
    centre = mean;
    for (const Pair& p : pairs) {
      mean += p.increment / n;
      centre += p.start / n;
    }
    Matrix scatter = Matrix::Zero(mean.size(), mean.size());
    for (const Pair& p : pairs) {
      scatter += (p.increment - mean) * (p.increment - mean).transpose();
      for (const Pair& q : pairs) {
        const double overlap = std::max(0.0, 1.0 - std::abs(double(p.time - q.time)) / double(lag));
        independent += overlap / (n * n);
        products += overlap * overlap / (n * n);
      }
    }
    independent = 1.0 / independent;
    products = 1.0 / products;
    b = mean / (double(lag) * dt);
    a = scatter / (2.0 * double(lag) * dt * n * (1.0 - 1.0 / independent));
  }
};

void expect_near(const DynamicsEstimate& e, Index i, const Reference& r, Index lag) {
  const Index n = e.points.cols();
  EXPECT_LT((e.drift.row(i).transpose() - r.b).norm(), 1e-12);
  EXPECT_LT((Eigen::Map<const Points>(e.diffusion.row(i).data(), n, n) - r.a).norm(), 1e-12);
  EXPECT_LT((e.centres.row(i).transpose() - r.centre).norm(), 1e-12);
  EXPECT_NEAR(e.independent_counts(i), r.independent, 1e-9 * r.independent);
  EXPECT_NEAR(e.drift_error(i, 0), std::sqrt(2.0 * r.a(0, 0) / (double(lag) * dt * r.independent)), 1e-12);
  const double variance = (r.a(0, 0) * r.a(1, 1) + r.a(0, 1) * r.a(0, 1)) / r.products;
  EXPECT_NEAR(e.diffusion_error(i, 1), std::sqrt(variance), 1e-12);
}

// Two to twelve coordinates: cells, tree and brute force.
class EstimateDynamics : public testing::TestWithParam<Index> {
 protected:
  std::vector<Points> runs{walk(700, GetParam(), 1), walk(3, GetParam(), 2), walk(500, GetParam(), 3)};
  std::vector<Trajectory> trajectories{Trajectory(runs[0]), Trajectory(runs[1]), Trajectory(runs[2])};
  Points queries = runs[0].topRows(20);
  static constexpr Index lag = 4;
};

TEST_P(EstimateDynamics, ByRadiusIsTheDefinition) {
  const double radius = 0.8 * std::sqrt(double(GetParam()));
  const auto e = estimate_dynamics(trajectories, queries, {.dt = dt, .lag = lag * dt, .radius = radius});
  for (Index i = 0; i < queries.rows(); ++i) {
    auto pairs = all_pairs(runs, queries, i, lag);
    std::erase_if(pairs, [&](const Pair& p) { return p.distance > radius; });
    ASSERT_EQ(e.counts[std::size_t(i)], Index(pairs.size()));
    expect_near(e, i, Reference(pairs, lag), lag);
  }
}

TEST_P(EstimateDynamics, ByNeighboursIsTheDefinition) {
  const auto e = estimate_dynamics(trajectories, queries, {.dt = dt, .lag = lag * dt, .neighbours = 60});
  for (Index i = 0; i < queries.rows(); ++i) {
    auto pairs = all_pairs(runs, queries, i, lag);
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
    pairs.resize(60);
    ASSERT_EQ(e.counts[std::size_t(i)], 60);
    expect_near(e, i, Reference(pairs, lag), lag);
  }
}

TEST_P(EstimateDynamics, HasTheSameBitsForAnyNumberOfThreads) {
  for (const bool by_radius : {true, false}) {
    EstimateOptions options{.dt = dt, .lag = lag * dt, .threads = 1};
    if (by_radius) options.radius = 0.8 * std::sqrt(double(GetParam()));
    if (!by_radius) options.neighbours = 60;
    const auto one = estimate_dynamics(trajectories, queries, options);
    options.threads = 3;
    const auto three = estimate_dynamics(trajectories, queries, options);
    EXPECT_EQ(one.drift, three.drift);
    EXPECT_EQ(one.diffusion, three.diffusion);
    EXPECT_EQ(one.diffusion_error, three.diffusion_error);
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, EstimateDynamics, testing::Values(2, 5, 12));

// The frames do not exist in memory, and the visit to the query lies across the border of two blocks.
TEST(EstimateDynamicsInBlocks, ForgetsNothingAtTheBorder) {
  constexpr Index dimension = 64, border = (Index{32} << 20) / (dimension * 8), reach = 3;
  Index most = 0;
  const auto read = [&](Index begin, Index end, double* out) {
    most = std::max(most, end - begin);
    for (Index t = begin; t < end; ++t) {
      for (Index j = 0; j < dimension; ++j) *out++ = double(t - border) + 0.01 * double((t * (7 + j)) % 13);
    }
  };
  const std::vector<Trajectory> runs{Trajectory(read, border + 1000, dimension, "ramp")};
  const Points query = Points::Zero(1, dimension);
  const auto radius = estimate_dynamics(runs, query, {.dt = 1.0, .lag = 1.0, .radius = 8.0 * (reach + 0.5)});
  const auto nearest = estimate_dynamics(runs, query, {.dt = 1.0, .lag = 1.0, .neighbours = radius.counts[0]});
  EXPECT_LE(most, border);
  EXPECT_EQ(radius.counts[0], 2 * reach + 1);
  EXPECT_NEAR(radius.drift(0, 0), 1.0, 0.05);
  EXPECT_EQ(radius.drift, nearest.drift);
  EXPECT_EQ(radius.diffusion, nearest.diffusion);
}

TEST(EstimateDynamicsRepair, RaisesWhatTooFewIncrementsLeaveAtZero) {
  const Points starts = Points::Zero(1, 5);
  const Points ends = samples::normal(1, 15, 4);  // three runs in five dimensions: rank two
  const auto e = estimate_dynamics_from_bursts(starts, ends, {.lag = 0.5});
  EXPECT_EQ(e.repaired, std::vector<Index>{0});
  ASSERT_FALSE(e.warnings.empty());
  const Matrix a = Eigen::Map<const Points>(e.diffusion.row(0).data(), 5, 5);
  const Vector values = symmetric_values(a);
  const double kept = values.tail(2).sum();
  EXPECT_NEAR(values(0), kept / 5.0 * std::sqrt(2.0 / 3.0), 1e-12);
  EXPECT_NEAR(values(2), values(0), 1e-12);
}

TEST(EstimateDynamicsRepair, LeavesAloneWhatIsPositiveDefinite) {
  const auto e = estimate_dynamics_from_bursts(Points::Zero(3, 2), samples::normal(3, 80, 4), {.lag = 0.5});
  EXPECT_TRUE(e.repaired.empty());
  // cov / (2 lag) = 1 and 40 runs: every error of the diagonal is about (2/40)^1/2.
  EXPECT_NEAR(e.suggested_eta, std::sqrt(2.0 / 40.0), 0.12);
}

TEST(EstimateDynamicsFromBursts, CallsTheBlackBoxAndTakesArraysAlike) {
  const Points starts = samples::normal(7, 2, 1);
  const BlackBox box = [](std::span<const double> start, std::uint64_t seed, std::span<double> end) {
    samples::Random random(seed);
    for (std::size_t j = 0; j < 2; ++j) end[j] = start[j] - 0.1 * start[j] + random.normal();
  };
  Points ends(7, 2 * 50);
  std::vector<std::uint64_t> seeds;
  const auto e = estimate_dynamics_from_bursts(starts, 50, box, {.lag = 0.1, .seed = 3, .threads = 2});
  const BlackBox recording = [&](std::span<const double> start, std::uint64_t seed, std::span<double> end) {
    box(start, seed, end);
    const auto k = Index(seeds.size());
    ends(k / 50, 2 * (k % 50)) = end[0];
    ends(k / 50, 2 * (k % 50) + 1) = end[1];
    seeds.push_back(seed);
  };
  estimate_dynamics_from_bursts(starts, 50, recording, {.lag = 0.1, .seed = 3, .threads = 1});
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::adjacent_find(seeds.begin(), seeds.end()), seeds.end());
  const auto from_array = estimate_dynamics_from_bursts(starts, ends, {.lag = 0.1});
  EXPECT_EQ(e.drift, from_array.drift);
  EXPECT_EQ(e.diffusion, from_array.diffusion);
  EXPECT_EQ(e.counts, std::vector<Index>(7, 50));
}

TEST(EstimateDynamicsFromBursts, SharesNoRunBetweenSeeds) {
  std::vector<std::uint64_t> used;
  const BlackBox box = [&](std::span<const double> /*start*/, std::uint64_t seed, std::span<double> end) {
    used.push_back(seed);
    end[0] = double(seed % 1000);
  };
  for (const std::uint64_t seed : {0, 1, 2}) {
    estimate_dynamics_from_bursts(Points::Zero(5, 1), 4, box, {.lag = 1.0, .seed = seed, .threads = 1});
  }
  std::sort(used.begin(), used.end());
  EXPECT_EQ(used.size(), 60U);
  EXPECT_EQ(std::adjacent_find(used.begin(), used.end()), used.end());
}

TEST(ThinFrames, SpreadsEvenlyOverAllTrajectories) {
  const Points first = Vector::LinSpaced(6, 0.0, 5.0), second = Vector::LinSpaced(4, 6.0, 9.0);
  const std::vector<Trajectory> runs{Trajectory(first), Trajectory(second)};
  EXPECT_EQ(thin_frames(runs, 5), (Points(5, 1) << 0.0, 2.0, 4.0, 6.0, 8.0).finished());
  EXPECT_EQ(thin_frames(runs, 10).col(0), Vector::LinSpaced(10, 0.0, 9.0));
  EXPECT_THROW(thin_frames(runs, 11), InvalidArgument);
}

TEST(EstimateDynamicsErrors, SayWhatIsWrong) {
  const Points frames = walk(50, 2, 1);
  const Points query = frames.topRows(1);
  const std::vector<Trajectory> runs{Trajectory(frames)};
  const auto refused = [&](const Points& queries, const EstimateOptions& options) {
    try {
      estimate_dynamics(runs, queries, options);
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused(query, {.dt = 1, .lag = 1}).find("exactly one"), std::string::npos);
  EXPECT_NE(refused(query, {.dt = 1, .lag = 1.5, .radius = 1}).find("whole number of dt"), std::string::npos);
  EXPECT_NE(refused(query, {.dt = 1, .lag = 50, .radius = 1}).find("longest trajectory has 50"), std::string::npos);
  EXPECT_NE(refused(query, {.dt = 1, .lag = 1, .radius = -1}).find("radius: -1"), std::string::npos);
  EXPECT_NE(refused(query, {.dt = 1, .lag = 1, .neighbours = 50}).find("only 49 frames"), std::string::npos);
  EXPECT_NE(refused(Points::Constant(1, 2, 99.0), {.dt = 1, .lag = 1, .radius = 1}).find("no frames"),
            std::string::npos);
  EXPECT_NE(refused(Points::Zero(1, 3), {.dt = 1, .lag = 1, .radius = 1}).find("coordinates"), std::string::npos);
  EXPECT_NE(refused(Points::Constant(1, 2, std::nan("")), {.dt = 1, .lag = 1, .radius = 1}).find("NaN"),
            std::string::npos);
  EXPECT_NE(refused(query, {.dt = 1, .lag = 40, .radius = 10}).find("independent"), std::string::npos);
}

TEST(EstimateDynamicsErrors, NameTheFrameThatIsNotFinite) {
  Points frames = walk(50, 2, 1);
  frames(49, 1) = std::numeric_limits<double>::infinity();
  const std::vector<Trajectory> runs{Trajectory(frames, "run.npy")};
  try {
    estimate_dynamics(runs, frames.topRows(1), {.dt = 1, .lag = 1, .radius = 1});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("run.npy: inf in row 49, column 1"), std::string::npos) << error.what();
  }
}

TEST(EstimateDynamicsErrors, StopOnRequest) {
  const Points frames = walk(50, 2, 1);
  const std::vector<Trajectory> runs{Trajectory(frames)};
  const Progress stop = [](const ProgressUpdate&) { return false; };
  EXPECT_THROW(estimate_dynamics(runs, frames.topRows(1), {.dt = 1, .lag = 1, .radius = 1, .progress = stop}),
               Cancelled);
}

}  // namespace
}  // namespace itomap
