// Small maps, where P is a matrix that can be written down and every system solved by elimination.
#include "itomap/analysis/committor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/dense_algebra.hpp"
#include "itomap/core/error.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/double_well.hpp"
#include "support/matrix_map.hpp"
#include "support/passages.hpp"

namespace itomap {
using namespace detail;
namespace {

constexpr double beta = 2.0;
const Points cloud = exact::Rectangle{1.6, 1.2}.sample(300, 1);

std::vector<Index> where(const Points& points, const std::function<bool(double x)>& inside) {
  std::vector<bool> mask;
  for (Index i = 0; i < points.rows(); ++i) {
    mask.push_back(inside(points(i, 0)));
  }
  return indices_of(mask);
}

const std::vector<Index> left = where(cloud, [](double x) { return x < -1.0; });
const std::vector<Index> right = where(cloud, [](double x) { return x > 1.0; });

Map reversible_map(int threads = 1, Engine engine = Engine::Dense) {
  return target_measure_map(cloud, exact::DoubleWell(beta).log_invariant(cloud),
                            {.epsilon = 0.02, .kernel = {.engine = engine}, .execution = {.threads = threads}});
}

Map swirling_map(int threads = 1) {
  return local_kernel_map(cloud, exact::swirling_drift(cloud, beta, 1.0), Diffusion::constant(1.0),
                          {.epsilon = 0.02, .kernel = {.engine = Engine::Dense}, .execution = {.threads = threads}});
}

Matrix markov_matrix(const Map& g) { return g.markov(Block::Identity(g.size(), g.size())); }

/// The stationary distribution by elimination.
Vector stationary(const Matrix& p) {
  Matrix system = (p - Matrix::Identity(p.rows(), p.cols())).transpose();
  system.row(0).setOnes();
  return solved(system, Vector::Unit(p.rows(), 0));
}

/// (P - I) f = right off the sets, f = 0 on `zero`, 1 on `one`.
Vector eliminate(const Matrix& p, const std::vector<Index>& zero, const std::vector<Index>& one, double right_side) {
  Matrix system = p - Matrix::Identity(p.rows(), p.cols());
  Vector b = Vector::Constant(p.rows(), right_side);
  for (const auto* set : {&zero, &one}) {
    for (const Index i : *set) {
      system.row(i) = Vector::Unit(p.rows(), i).transpose();
      b[i] = set == &one ? 1.0 : 0.0;
    }
  }
  return solved(system, b);
}

double largest_difference(const Vector& a, const Vector& b) { return (a - b).lpNorm<Eigen::Infinity>(); }

/// The sets as P meets them: what elimination finds.
constexpr CommittorOptions chain_edges{.tolerance = 1e-11, .sharp_edges = false};

class CommittorOfMap : public testing::TestWithParam<bool> {
 protected:
  Map map = GetParam() ? reversible_map() : swirling_map();
  Spectrum spectrum = eigenpairs(map, {.count = 5, .tolerance = 1e-12});
  CommittorResult result = committor(map, spectrum, left, right, chain_edges);
  Matrix p = markov_matrix(map);
  Vector phi = stationary(p);
};

// Residuals of 1e-11 times the mean number of steps, at most some thousands.
constexpr double rounding = 1e-7;

TEST_P(CommittorOfMap, IsWhatEliminationFinds) {
  ASSERT_TRUE(result.converged());
  EXPECT_LT(largest_difference(result.forward, eliminate(p, left, right, 0.0)), rounding);
  EXPECT_TRUE(result.warnings.empty()) << result.warnings[0];
}

TEST_P(CommittorOfMap, BackwardIsThatOfTheReversedProcess) {
  const Matrix reversed = phi.cwiseInverse().asDiagonal() * p.transpose() * phi.asDiagonal();
  EXPECT_LT(largest_difference(result.backward, eliminate(reversed, right, left, 0.0)), rounding);
}

TEST_P(CommittorOfMap, PassageTimesAreWhatEliminationFinds) {
  const Vector to_sink = eliminate(p, right, {}, -map.epsilon());
  const Vector to_source = eliminate(p, left, {}, -map.epsilon());
  EXPECT_LT(largest_difference(result.time_to_sink, to_sink), rounding * to_sink.maxCoeff());
  EXPECT_LT(largest_difference(result.time_to_source, to_source), rounding * to_source.maxCoeff());
  EXPECT_NEAR(result.source_to_sink, phi(left).dot(to_sink(left)) / phi(left).sum(), rounding * to_sink.maxCoeff());
}

TEST_P(CommittorOfMap, FluxIsTheSumOverPairs) {
  const Vector q = eliminate(p, left, right, 0.0);
  const Vector w = phi.cwiseProduct(result.backward);
  const Matrix f = w.asDiagonal() * p * q.asDiagonal() / map.epsilon();
  const Matrix net = f - f.transpose();
  double leaving = 0.0;
  for (const Index i : left) {
    leaving += f.row(i).sum();
  }
  EXPECT_NEAR(result.total_flux, leaving, rounding * leaving);
  EXPECT_NEAR(result.flux_into_sink, leaving, rounding * leaving);
  EXPECT_NEAR(result.flux.sum(), leaving, rounding * leaving);
  for (Index i = 0; i < q.size(); ++i) {
    const double through = 0.5 * net.row(i).dot((q.array() - q[i]).matrix());
    ASSERT_NEAR(result.flux[i], through, rounding * leaving);
  }
}

// Between two entrances into the sink with a visit of the source between them, the process is first on the way back
// and then on the way: the cycle lasts 1 / F.
TEST_P(CommittorOfMap, RatesAreInverseTimesFromFirstEntrance) {
  Vector entrance = Vector::Zero(p.rows());
  const Vector returning = phi.cwiseProduct(Vector::Ones(p.rows()) - result.backward);
  const Vector arriving = p.transpose() * returning;
  for (const Index i : left) {
    entrance[i] = arriving[i];
  }
  entrance /= entrance.sum();
  EXPECT_NEAR(result.rate * entrance.dot(result.time_to_sink), 1.0, 1e-6);
  EXPECT_NEAR(1.0 / result.rate + 1.0 / result.reverse_rate, 1.0 / result.total_flux, 1e-6 / result.total_flux);
}

TEST_P(CommittorOfMap, HasTheSameBitsForAnyNumberOfThreads) {
  const Map threaded = GetParam() ? reversible_map(3) : swirling_map(3);
  const CommittorResult other = committor(threaded, spectrum, left, right, chain_edges);
  EXPECT_EQ(largest_difference(result.forward, other.forward), 0.0);
  EXPECT_EQ(largest_difference(result.backward, other.backward), 0.0);
  EXPECT_EQ(largest_difference(result.time_to_sink, other.time_to_sink), 0.0);
  EXPECT_EQ(result.rate, other.rate);
}

TEST_P(CommittorOfMap, NeedsNoEigenfunctionsToBeRight) {
  Spectrum bare = spectrum;
  for (Block* block :
       {&bare.eigenfunctions.re, &bare.eigenfunctions.im, &bare.left_eigenfunctions.re, &bare.left_eigenfunctions.im}) {
    *block = block->leftCols(std::min<Index>(1, block->cols())).eval();
  }
  bare.eigenvalues = bare.eigenvalues.head(1).eval();
  const CommittorResult plain = committor(map, bare, left, right, chain_edges);
  ASSERT_TRUE(plain.converged());
  EXPECT_LT(largest_difference(plain.forward, result.forward), rounding);
  EXPECT_LT(largest_difference(plain.time_to_sink, result.time_to_sink), rounding * result.time_to_sink.maxCoeff());
}

TEST_P(CommittorOfMap, SaysSoWhenItDidNotConverge) {
  const CommittorResult poor = committor(map, spectrum, left, right, {.max_products = 3});
  EXPECT_FALSE(poor.converged());
  ASSERT_FALSE(poor.warnings.empty());
  EXPECT_NE(poor.warnings[0].find("not converged"), std::string::npos);
}

// tests/science/set_edges.cpp says that they are the edges of the process.
TEST_P(CommittorOfMap, SharpEdgesKeepTheBalance) {
  const CommittorResult sharp = committor(map, spectrum, left, right, {.tolerance = 1e-11});
  ASSERT_TRUE(sharp.converged());
  EXPECT_NEAR(sharp.flux.sum(), sharp.total_flux, 1e-6 * sharp.total_flux);
  EXPECT_NEAR(sharp.flux_into_sink, sharp.total_flux, 1e-6 * sharp.total_flux);
  EXPECT_GT(sharp.total_flux, result.total_flux) << "the sets are larger";
  EXPECT_LT(sharp.source_to_sink, result.source_to_sink);
  EXPECT_NEAR(1.0 / sharp.rate + 1.0 / sharp.reverse_rate, 1.0 / sharp.total_flux, 1e-6 / sharp.total_flux);
  const CommittorResult back = committor(map, spectrum, right, left, {.tolerance = 1e-11});
  EXPECT_LT(largest_difference(sharp.forward, Vector::Ones(300) - back.forward), rounding);
  EXPECT_LT(largest_difference(sharp.backward, Vector::Ones(300) - back.backward), rounding);
  EXPECT_GE(sharp.forward.minCoeff(), 0.0);
  EXPECT_LE(sharp.forward.maxCoeff(), 1.0);
}

INSTANTIATE_TEST_SUITE_P(Maps, CommittorOfMap, testing::Bool(),
                         [](const auto& map) { return map.param ? "Reversible" : "Swirling"; });

TEST(Committor, ABarrierSoHighThatRoundingLimitsTheResidual) {
  // 20 kT: times of 1e7 beside steps of 0.02. A residual of 1e-8 is beyond double precision; elimination, whose error
  // is that of the machine times as much, still has six digits.
  const Map map = target_measure_map(cloud, exact::DoubleWell(20.0).log_invariant(cloud),
                                     {.epsilon = 0.02, .kernel = {.engine = Engine::Dense}});
  const Matrix p = markov_matrix(map);
  const Vector phi = stationary(p);
  const Vector to_sink = eliminate(p, right, {}, -map.epsilon());
  const Vector q = eliminate(p, left, right, 0.0);
  double flux = 0.0;
  for (const Index i : left) {
    flux += phi[i] * p.row(i).dot(q) / map.epsilon();
  }
  for (const double tolerance : {1e-6, 1e-8, 1e-14}) {
    const auto path =
        committor(map, eigenpairs(map, {.count = 10}), left, right, {.tolerance = tolerance, .sharp_edges = false});
    for (const SolveReport& solve : path.solves) {
      EXPECT_EQ(solve.status == SolveStatus::Converged, solve.residual <= tolerance) << solve.name << " " << tolerance;
      EXPECT_NE(solve.status, SolveStatus::NotConverged) << solve.name << " " << tolerance;
    }
    EXPECT_EQ(path.converged(), tolerance > 1e-7) << tolerance;
    EXPECT_LT(largest_difference(path.time_to_sink, to_sink), 1e-4 * to_sink.maxCoeff()) << tolerance;
    EXPECT_NEAR(path.total_flux, flux, 1e-4 * flux) << tolerance;
  }
}

TEST(Committor, IsOneMinusItselfBackwardsIfReversible) {
  const Map map = reversible_map();
  const CommittorResult result = committor(map, eigenpairs(map, {.count = 3}), left, right);
  EXPECT_EQ(largest_difference(result.backward, Vector::Ones(300) - result.forward), 0.0);
  EXPECT_GE(result.flux.minCoeff(), 0.0);
}

TEST(Committor, PassageTimesInAnyUnitOfTime) {
  // The same process in units of length of 2^-266: times are squared lengths, their squares beyond all numbers.
  const double unit = 0x1p266;
  const Vector log_target = exact::DoubleWell(beta).log_invariant(cloud);
  const auto times = [&](double scale) -> Vector {
    const Map map = target_measure_map(
        scale * cloud, log_target,
        {.epsilon = 0.02 * scale * scale, .kernel = {.engine = Engine::Dense}, .execution = {.threads = 1}});
    return committor(map, eigenpairs(map, {.count = 3}), left, right).time_to_sink / (scale * scale);
  };
  const Vector usual = times(1.0);
  EXPECT_LT(largest_difference(times(unit), usual), 1e-6 * usual.maxCoeff());
}

TEST(Committor, LeavesOutPassageTimesOnRequest) {
  const Map map = reversible_map();
  const CommittorResult result = committor(map, eigenpairs(map, {.count = 3}), left, right, {.passage_times = false});
  EXPECT_EQ(result.time_to_sink.size(), 0);
  EXPECT_EQ(result.solves.size(), 1u);
}

/// Four copies of a small cloud, far from each other.
class CommittorOfComponents : public testing::Test {
 protected:
  CommittorOfComponents() {
    for (Index c = 0; c < 4; ++c) {
      points.middleRows(c * 40, 40) = exact::Rectangle{0.5, 0.5}.sample(40, 3);
      points.middleRows(c * 40, 40).col(0).array() += 100.0 * double(c);
    }
  }
  Points points{160, 2};
};

// The first holds both sets, the second the source alone, the third the sink alone, the fourth neither.
TEST_F(CommittorOfComponents, KnowsWhatCannotBeReached) {
  const Map map = target_measure_map(points, Vector::Zero(160), {.epsilon = 0.02});
  ASSERT_EQ(map.diagnostics().components, 4);
  const CommittorResult result = committor(map, eigenpairs(map, {.count = 6}), {0, 1, 41}, {2, 82});
  EXPECT_TRUE(result.converged());
  EXPECT_GT(result.forward.segment(3, 37).minCoeff(), 0.0);
  EXPECT_LT(result.forward.segment(3, 37).maxCoeff(), 1.0);
  EXPECT_EQ(result.forward.segment(40, 40).lpNorm<Eigen::Infinity>(), 0.0);
  EXPECT_EQ(result.forward.segment(80, 40).minCoeff(), 1.0);
  EXPECT_TRUE(result.forward.segment(120, 40).array().isNaN().all());
  EXPECT_EQ(result.undefined_points, 40);
  EXPECT_TRUE(result.time_to_sink.segment(40, 40).array().isInf().all());
  EXPECT_TRUE(result.time_to_sink.segment(80, 40).allFinite());
  EXPECT_TRUE(result.time_to_source.segment(40, 40).allFinite());
  EXPECT_TRUE(result.flux.allFinite());
  EXPECT_GT(result.rate, 0.0);
  EXPECT_EQ(result.stuck_in_source, 1);
  EXPECT_EQ(result.stuck_in_sink, 1);
  const Vector& phi = map.stationary();
  const double mean = (phi[0] * result.time_to_sink[0] + phi[1] * result.time_to_sink[1]) / (phi[0] + phi[1]);
  EXPECT_NEAR(result.source_to_sink, mean, 1e-9 * mean);
  EXPECT_DOUBLE_EQ(result.sink_to_source, result.time_to_source[2]);
  ASSERT_EQ(result.warnings.size(), 3u);
  EXPECT_NE(result.warnings[0].find("source: from 1 of 3 points the sink cannot be reached"), std::string::npos);
  EXPECT_NE(result.warnings[1].find("sink: from 1 of 2 points the source cannot be reached"), std::string::npos);
  EXPECT_NE(result.warnings[2].find("NaN at 40 point(s)"), std::string::npos);
}

TEST_F(CommittorOfComponents, SetsThatSeeNothingOfEachOther) {
  const Map map = target_measure_map(points, Vector::Zero(160), {.epsilon = 0.02});
  const CommittorResult result = committor(map, eigenpairs(map, {.count = 6}), {0}, {40});
  EXPECT_EQ(result.total_flux, 0.0);
  EXPECT_EQ(result.rate, 0.0);
  EXPECT_TRUE(std::isinf(result.source_to_sink));
  EXPECT_FALSE(result.warnings.empty());
}

TEST(Committor, FindsEigenpairsOfItsOwn) {
  for (const Map& map : {reversible_map(), swirling_map()}) {
    const CommittorResult own = committor(map, left, right, {.passage_times = false});
    const CommittorResult given = committor(map, eigenpairs(map), left, right, {.passage_times = false});
    EXPECT_EQ(own.forward, given.forward);
    EXPECT_EQ(own.rate, given.rate);
  }
  const Map small = target_measure_map(Points(Vector::LinSpaced(4, 0.0, 0.3)), Vector::Zero(4), {.epsilon = 0.02});
  EXPECT_NEAR(committor(small, {0}, {3}).forward[1] + committor(small, {3}, {0}).forward[1], 1.0, 1e-7);
}

TEST(Committor, WhoMayComeToAPlaceWithoutReturnNeedsForEver) {
  Matrix kernel(5, 5);
  kernel << 1.0, 1.0, 0.0, 0.0, 0.0,  //
      1.0, 1.0, 1.0, 0.0, 0.0,        //
      0.0, 1.0, 1.0, 1e-9, 0.0,       // however unlikely
      0.0, 0.0, 0.0, 1.0, 0.0,        //
      1.0, 0.0, 0.0, 0.0, 1.0;
  const test::Chain chain = test::chain(kernel, 0.5);
  const CommittorResult result = committor(chain.map, chain.spectrum, {0}, {1}, {.sharp_edges = false});
  EXPECT_DOUBLE_EQ(result.time_to_source[4], 1.0);  // two steps of 0.5
  for (const Index i : {1, 2, 3}) {
    EXPECT_EQ(result.time_to_source[i], std::numeric_limits<double>::infinity()) << i;
  }
  EXPECT_DOUBLE_EQ(result.time_to_sink[0], 1.0);
  EXPECT_EQ(result.time_to_sink[2], std::numeric_limits<double>::infinity());
}

TEST(Committor, AllPointsInOneOfTheSets) {
  const Points points = Points(Vector::LinSpaced(4, 0.0, 0.3));
  const Map map = target_measure_map(points, Vector::Zero(4), {.epsilon = 0.02});
  const CommittorResult result = committor(map, eigenpairs(map, {.count = 1}), {0, 1}, {2, 3});
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.forward, (Vector(4) << 0, 0, 1, 1).finished());
  EXPECT_GT(result.rate, 0.0);
}

void refuse(const std::vector<Index>& source, const std::vector<Index>& sink, const std::string& says) {
  const Map map = reversible_map();
  const Spectrum spectrum = eigenpairs(map, {.count = 2});
  try {
    committor(map, spectrum, source, sink);
    FAIL() << "accepted; expected: " << says;
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

TEST(Committor, RefusesWrongSets) {
  refuse({}, {1}, "source: holds no point");
  refuse({1}, {}, "sink: holds no point");
  refuse({1, 2}, {5, 2}, "both hold point 2");
  refuse({1}, {300}, "sink: there is no point 300");
  refuse({-1}, {3}, "source: there is no point -1");
}

TEST(Committor, RefusesASpectrumOfOtherPoints) {
  const Map map = reversible_map();
  Spectrum spectrum = eigenpairs(map, {.count = 2});
  spectrum.stationary.conservativeResize(299);
  EXPECT_THROW(committor(map, spectrum, left, right), InvalidArgument);
}

TEST(Committor, RefusesWrongOptions) {
  EXPECT_THROW(CommittorOptions{.tolerance = 0.0}.validate(), InvalidArgument);
  EXPECT_THROW(CommittorOptions{.max_products = 0}.validate(), InvalidArgument);
}

}  // namespace
}  // namespace itomap
