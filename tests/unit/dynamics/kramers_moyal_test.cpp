#include "itomap/dynamics/kramers_moyal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/dense_algebra.hpp"
#include "itomap/core/error.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

constexpr double dt = 0.5;

Points walk(Index frames, Index dimension, std::uint64_t seed) {
  Points all = 0.3 * samples::normal(frames, dimension, seed);
  for (Index t = 1; t < frames; ++t) {
    all.row(t) += 0.9 * all.row(t - 1);
  }
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

/// By a fresh look at all images next to the data: a start is where its image nearest to the query is.
std::vector<Pair> all_pairs_on_torus(const std::vector<Points>& runs, const Points& queries, Index i, Index lag,
                                     const std::vector<double>& period) {
  std::vector<Pair> pairs = all_pairs(runs, queries, i, lag);
  const auto shortest = [&](Vector way) {
    for (Index a = 0; a < way.size(); ++a) {
      const double length = period[std::size_t(a)];
      while (length > 0.0 && way[a] > 0.5 * length) {
        way[a] -= length;
      }
      while (length > 0.0 && way[a] < -0.5 * length) {
        way[a] += length;
      }
    }
    return way;
  };
  for (Pair& pair : pairs) {
    const Vector way = shortest(pair.start - queries.row(i).transpose());
    pair.distance = way.norm();
    pair.start = queries.row(i).transpose() + way;
    pair.increment = shortest(pair.increment);
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

bool contains(const std::vector<Index>& numbers, Index number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
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
    EstimateOptions options{.dt = dt, .lag = lag * dt, .execution = {.threads = 1}};
    if (by_radius) {
      options.radius = 0.8 * std::sqrt(double(GetParam()));
    }
    if (!by_radius) {
      options.neighbours = 60;
    }
    const auto one = estimate_dynamics(trajectories, queries, options);
    options.execution.threads = 3;
    const auto three = estimate_dynamics(trajectories, queries, options);
    EXPECT_EQ(one.drift, three.drift);
    EXPECT_EQ(one.diffusion, three.diffusion);
    EXPECT_EQ(one.diffusion_error, three.diffusion_error);
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, EstimateDynamics, testing::Values(2, 5, 12));

// Walks that go around several times, seen with the wrapped and the unwrapped coordinates. The first coordinate does
// not come back.
class EstimateDynamicsOnATorus : public testing::TestWithParam<Index> {
 protected:
  static constexpr Index lag = 4;
  static constexpr double length = 3.0;

  static Points drifting(Index frames, std::uint64_t seed) {
    Points all = 0.2 * samples::normal(frames, GetParam(), seed);
    all.array() += 0.05;
    for (Index t = 1; t < frames; ++t) {
      all.row(t) += all.row(t - 1);
    }
    all.col(0) = walk(frames, 1, seed + 10);
    return all;
  }

  Points wrapped(Points all) const {
    for (Index a = 1; a < all.cols(); ++a) {
      for (double& x : all.col(a)) {
        x -= length * std::floor(x / length + 0.5);
      }
    }
    return all;
  }

  std::vector<Points> runs{drifting(600, 1), drifting(400, 2)};
  std::vector<Points> wrapped_runs{wrapped(runs[0]), wrapped(runs[1])};
  std::vector<Trajectory> trajectories{Trajectory(runs[0]), Trajectory(runs[1])};
  std::vector<Trajectory> wrapped_trajectories{Trajectory(wrapped_runs[0]), Trajectory(wrapped_runs[1])};
  Points queries = runs[0].topRows(20) * 5.0;
  std::vector<double> period = [] {
    std::vector<double> lengths(std::size_t(GetParam()), length);
    lengths[0] = 0.0;
    return lengths;
  }();
};

// The widest balls meet themselves on the other side.
TEST_P(EstimateDynamicsOnATorus, ByRadiusIsTheDefinition) {
  for (const double radius : {0.5, 1.0, 2.0, 4.0}) {
    const double reach = radius * std::sqrt(double(GetParam()));
    const EstimateOptions options{.dt = dt, .lag = lag * dt, .radius = reach, .period = period, .leave_out_poor = true};
    const auto e = estimate_dynamics(trajectories, queries, options);
    const auto same = estimate_dynamics(wrapped_trajectories, queries, options);
    EXPECT_LT((e.drift - same.drift).norm(), 1e-10);
    EXPECT_EQ(e.counts, same.counts);
    Index row = -1;
    for (Index i = 0; i < queries.rows(); ++i) {
      if (contains(e.left_out, i)) {
        continue;
      }
      auto pairs = all_pairs_on_torus(runs, queries, i, lag, period);
      std::erase_if(pairs, [&](const Pair& p) { return p.distance > reach; });
      ASSERT_EQ(e.counts[std::size_t(++row)], Index(pairs.size())) << radius;
      if (!contains(e.repaired, row)) {
        expect_near(e, row, Reference(pairs, lag), lag);
      }
    }
  }
}

TEST_P(EstimateDynamicsOnATorus, ByNeighboursIsTheDefinition) {
  for (const Index count : {Index{60}, Index{900}}) {
    const EstimateOptions options{.dt = dt, .lag = lag * dt, .neighbours = count, .period = period};
    const auto e = estimate_dynamics(trajectories, queries, options);
    const auto same = estimate_dynamics(wrapped_trajectories, queries, options);
    EXPECT_LT((e.drift - same.drift).norm(), 1e-10);
    for (Index i = 0; i < queries.rows(); ++i) {
      auto pairs = all_pairs_on_torus(runs, queries, i, lag, period);
      std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
      pairs.resize(std::size_t(count));
      expect_near(e, i, Reference(pairs, lag), lag);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, EstimateDynamicsOnATorus, testing::Values(2, 5, 12));

TEST(EstimateDynamicsFromBursts, TakeTheShortestWayAround) {
  const Points starts = samples::normal(5, 2, 1);
  Points ends = samples::normal(5, 2 * 40, 2) * 0.1;
  for (Index r = 0; r < 40; ++r) {
    ends.middleCols(2 * r, 2) += starts;
  }
  const auto plain = estimate_dynamics_from_bursts(starts, ends, {.lag = 0.1});
  for (Index r = 0; r < 40; ++r) {
    ends.col(2 * r + 1).array() += 2.0 * double(r % 5 - 2);
  }
  const auto folded = estimate_dynamics_from_bursts(starts, ends, {.lag = 0.1, .period = {0.0, 2.0}});
  EXPECT_LT((plain.drift - folded.drift).norm(), 1e-12);
  EXPECT_LT((plain.diffusion - folded.diffusion).norm(), 1e-12);
  EXPECT_EQ(folded.points, starts);
}

TEST(EstimateDynamicsFromBursts, SayThatALagMayLeadHalfwayAround) {
  const Points starts = Points::Zero(3, 1);
  const Points near = samples::normal(3, 500, 2) * 0.3, far = near * 10.0;
  EXPECT_TRUE(estimate_dynamics_from_bursts(starts, near, {.lag = 0.1, .period = {2.0}}).warnings.empty());
  const auto e = estimate_dynamics_from_bursts(starts, far, {.lag = 0.1, .period = {2.0}});
  ASSERT_FALSE(e.warnings.empty());
  EXPECT_NE(e.warnings[0].find("at 3 of 3 points the process may get more than half a period away"), std::string::npos);
}

// The frames do not exist in memory, and the visit to the query lies across the border of two blocks.
TEST(EstimateDynamicsInBlocks, ForgetsNothingAtTheBorder) {
  constexpr Index dimension = 64, border = (Index{32} << 20) / (dimension * 8), reach = 3;
  Index most = 0;
  const auto read = [&](Index begin, Index end, double* out) {
    most = std::max(most, end - begin);
    for (Index t = begin; t < end; ++t) {
      for (Index j = 0; j < dimension; ++j) {
        *out++ = double(t - border) + 0.01 * double((t * (7 + j)) % 13);
      }
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
    for (std::size_t j = 0; j < 2; ++j) {
      end[j] = start[j] - 0.1 * start[j] + random.normal();
    }
  };
  Points ends(7, 2 * 50);
  std::vector<std::uint64_t> seeds;
  const auto e = estimate_dynamics_from_bursts(starts, 50, box, {.lag = 0.1, .seed = 3, .execution = {.threads = 2}});
  const BlackBox recording = [&](std::span<const double> start, std::uint64_t seed, std::span<double> end) {
    box(start, seed, end);
    const auto k = Index(seeds.size());
    ends(k / 50, 2 * (k % 50)) = end[0];
    ends(k / 50, 2 * (k % 50) + 1) = end[1];
    seeds.push_back(seed);
  };
  estimate_dynamics_from_bursts(starts, 50, recording, {.lag = 0.1, .seed = 3, .execution = {.threads = 1}});
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
    estimate_dynamics_from_bursts(Points::Zero(5, 1), 4, box, {.lag = 1.0, .seed = seed, .execution = {.threads = 1}});
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

TEST(EstimateDynamicsErrors, RefuseWrongPeriods) {
  const Points starts = samples::normal(3, 3, 1), ends = samples::normal(3, 30, 2);
  for (const std::vector<double>& period : {std::vector{1.0}, {1.0, 2.0, -1.0}, {1.0, 2.0, std::nan("")}}) {
    EXPECT_THROW(estimate_dynamics_from_bursts(starts, ends, {.lag = 1.0, .period = period}), InvalidArgument);
  }
  const Points atoms = samples::normal(1, 9, 1), moved = samples::normal(1, 90, 2);
  const Alignment align{.reference = atoms.row(0)};
  const std::vector<double> period(9, 1.0);
  EXPECT_THROW(estimate_dynamics_from_bursts(atoms, moved, {.lag = 1.0, .period = period, .align = align}),
               InvalidArgument);
}

TEST(EstimateDynamicsErrors, LeaveOutPoorQueriesOnRequest) {
  const Points frames = walk(500, 2, 1);
  const std::vector<Trajectory> runs{Trajectory(frames)};
  Points queries = frames.topRows(4);
  queries.row(1).setConstant(99.0);
  queries.row(3).setConstant(98.0);
  const EstimateOptions options{.dt = 1, .lag = 1, .radius = 0.5, .leave_out_poor = true};
  const auto e = estimate_dynamics(runs, queries, options);
  EXPECT_EQ(e.left_out, (std::vector<Index>{1, 3}));
  EXPECT_EQ(e.points, queries({0, 2}, Eigen::all));
  const auto alone = estimate_dynamics(runs, e.points, {.dt = 1, .lag = 1, .radius = 0.5});
  EXPECT_EQ(e.drift, alone.drift);
  EXPECT_EQ(e.diffusion, alone.diffusion);
  EXPECT_EQ(e.counts, alone.counts);
  ASSERT_FALSE(e.warnings.empty());
  EXPECT_NE(e.warnings[0].find("2 of 4 queries see too little and are left out"), std::string::npos) << e.warnings[0];
  EXPECT_THROW(estimate_dynamics(runs, Points::Constant(2, 2, 99.0), options), InvalidArgument);
}

TEST(EstimateDynamicsErrors, RefuseUnitsWhoseSquaresOverflow) {
  const Points starts = Points::Zero(2, 2), ends = samples::normal(2, 40, 1);
  for (const double unit : {1e160, 1e100, 1e-100, 1e-170}) {
    EXPECT_THROW(estimate_dynamics_from_bursts(starts, ends * unit, {.lag = 1.0}), InvalidArgument) << unit;
  }
  EXPECT_NO_THROW(estimate_dynamics_from_bursts(starts, ends * 1e60, {.lag = 1.0}));
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
  EXPECT_THROW(
      estimate_dynamics(runs, frames.topRows(1), {.dt = 1, .lag = 1, .radius = 1, .execution = {.progress = stop}}),
      Cancelled);
}

}  // namespace
}  // namespace itomap
