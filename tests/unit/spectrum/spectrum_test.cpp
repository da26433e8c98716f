#include "itomap/spectrum/spectrum.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/dense_algebra.hpp"
#include "generator/generator.hpp"
#include "itomap/core/error.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "spectrum/components.hpp"
#include "spectrum/symmetric_form.hpp"
#include "spectrum/tails.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Three far groups of 100, 60 and 1 points.
Points three_groups() {
  Points x = 0.3 * samples::normal(161, 2, 1);
  x.middleRows(100, 60).array() += 40.0;
  x.row(160).setConstant(-40.0);
  return x;
}

TEST(ComponentModes, AreOrthonormalAndStartConstant) {
  const Vector weights = (Vector(4) << 0.1, 0.5, 1e-12, 0.4).finished();
  const Matrix modes = component_modes(weights.cwiseSqrt(), heaviest_first(weights), 4);
  EXPECT_LT((modes.col(0).array() - modes(0, 0)).abs().maxCoeff(), 1e-15);
  const Matrix gram = modes.transpose() * weights.asDiagonal() * modes;
  EXPECT_LT((gram - Matrix::Identity(4, 4)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ComponentModes, TwoLightComponentsInFront) {
  const Vector weights = (Vector(3) << 1e-290, 1e-290, 1.0).finished();
  const Matrix modes = component_modes(weights.cwiseSqrt(), {0, 1, 2}, 3);
  ASSERT_TRUE(modes.allFinite());
  const Matrix rooted = weights.cwiseSqrt().asDiagonal() * modes;
  EXPECT_LT((rooted.transpose() * rooted - Matrix::Identity(3, 3)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ComponentModes, WeightsMayUnderflow) {
  const Vector roots = (Vector(4) << 1e-190, 1.0, 1e-200, 1e-190).finished();
  const Matrix modes = component_modes(roots, {0, 3, 1, 2}, 4);
  const Matrix rooted = roots.asDiagonal() * modes;
  EXPECT_LT((rooted.transpose() * rooted - Matrix::Identity(4, 4)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Spectrum, EveryComponentAddsAZeroAndALonePointIsFlagged) {
  const Points x = three_groups();
  const auto reversible = diffusion_map(x, {.epsilon = 0.1});
  const auto general = local_kernel_map(x, Points::Zero(161, 2), Diffusion::constant(1.0), {.epsilon = 0.1});
  for (const Map& map : {reversible, general}) {
    const Spectrum s = eigenpairs(map, {.count = 4});
    for (Index n = 0; n < 3; ++n) {
      EXPECT_EQ(s.eigenvalues[n], 0.0);
      EXPECT_TRUE(std::isinf(s.timescales[n]));
    }
    EXPECT_LT(s.eigenvalues[3].real(), -0.1);
    EXPECT_EQ(s.spurious, std::vector<Index>{2}) << "the mode of the lone point";
    EXPECT_THAT(s.warnings, Contains(HasSubstr("mode(s) 2 live on a handful")));
    EXPECT_LT(s.residuals.maxCoeff(), 1e-9);
    EXPECT_LT(s.left_residuals.maxCoeff(), 1e-9);
  }
}

TEST(Spectrum, MoreComponentsThanPairsAskedAreAllZeros) {
  const Points x = 1000.0 * samples::normal(50, 2, 1);
  const auto map = diffusion_map(x, {.epsilon = 0.1});
  EXPECT_EQ(map.diagnostics().components, 50);
  const Spectrum s = eigenpairs(map, {.count = 5});
  EXPECT_EQ(s.eigenvalues.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_TRUE(s.eigenfunctions.re.allFinite());
}

TEST(Spectrum, NormalisationSignAndBiorthogonality) {
  const Points x = samples::skewed_ball(500, 2, 1.0, 5);
  Points b(500, 2);
  b << -x.col(0) + 2.0 * x.col(1), -2.0 * x.col(0) - x.col(1);
  const Spectrum s = eigenpairs(local_kernel_map(x, b, Diffusion::constant(0.5), {.epsilon = 0.05}), {.count = 6});
  EXPECT_NEAR(s.stationary.sum(), 1.0, 1e-12);
  EXPECT_GE(s.stationary.minCoeff(), 0.0);
  const std::complex<double> i(0.0, 1.0);
  const Eigen::MatrixXcd psi = s.eigenfunctions.re + i * s.eigenfunctions.im;
  const Eigen::MatrixXcd phi = s.left_eigenfunctions.re + i * s.left_eigenfunctions.im;
  EXPECT_LT((phi.transpose() * psi - Matrix::Identity(7, 7)).cwiseAbs().maxCoeff(), 1e-7);
  for (Index n = 0; n < 7; ++n) {
    EXPECT_NEAR(s.stationary.dot(psi.col(n).cwiseAbs2()), 1.0, 1e-12);
    Index largest = 0;
    psi.col(n).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(psi(largest, n).real(), 0.0);
  }
  EXPECT_GT(s.eigenvalues[1].imag(), 1.0) << "it rotates, and the positive imaginary part comes first";
  EXPECT_EQ(s.eigenvalues[2], std::conj(s.eigenvalues[1]));
}

TEST(Spectrum, ConditionNumbersAreOneWhereTheProcessIsReversible) {
  const Spectrum s = eigenpairs(diffusion_map(samples::normal(300, 2, 1), {.epsilon = 0.1}), {.count = 3});
  EXPECT_LT((s.condition_numbers().array() - 1.0).abs().maxCoeff(), 1e-6);
}

// dX = -B X dt + 2^1/2 dW with B = [1 3; 0 2] has the covariance S = [2.5 -0.5; -0.5 0.5]. The slowest mode is v x with
// v = (1, -3), its left function that of S^-1 u with u = (1, 0): (v S v  u S^-1 u)^1/2 / u v = 5^1/2.
TEST(Spectrum, ConditionNumbersOfAShear) {
  samples::Random random(3);
  Points x(1500, 2), drift(1500, 2);
  for (Index i = 0; i < x.rows();) {
    const double a = random.uniform(-3.0, 3.0), c = random.uniform(-3.0, 3.0);
    x.row(i) << std::sqrt(2.0) * a - std::sqrt(0.5) * c, std::sqrt(0.5) * c;
    i += std::hypot(a, c) < 3.0 ? 1 : 0;  // no outliers
  }
  drift << -x.col(0) - 3.0 * x.col(1), -2.0 * x.col(1);
  const Spectrum s = eigenpairs(local_kernel_map(x, drift, Diffusion::constant(1.0), {.epsilon = 0.05}), {.count = 3});
  const Vector conditions = s.condition_numbers();
  EXPECT_NEAR(conditions[0], 1.0, 1e-6);
  Index slowest = 1;
  while (s.is_spurious(slowest)) {
    ++slowest;
  }
  EXPECT_NEAR(conditions[slowest], std::sqrt(5.0), 0.4) << s.report();
  EXPECT_GE(conditions.minCoeff(), 1.0 - 1e-6);
}

TEST(Spectrum, BothFormulasForTimeScales) {
  const auto map = diffusion_map(samples::skewed_ball(400, 2, 1.0, 5), {.epsilon = 0.05});
  const Spectrum s = eigenpairs(map, {.count = 3});
  for (Index n = 1; n < 4; ++n) {
    const double lambda = s.eigenvalues[n].real();
    EXPECT_DOUBLE_EQ(s.timescales[n], -1.0 / lambda);
    EXPECT_NEAR(s.rates_log[n], std::log(1.0 + 0.05 * lambda) / 0.05, 1e-12);
    EXPECT_DOUBLE_EQ(s.timescales_log[n], -1.0 / s.rates_log[n]);
  }
}

TEST(Spectrum, RefusesMorePairsThanPoints) {
  const auto map = diffusion_map(samples::normal(10, 2, 1), {.epsilon = 1.0});
  EXPECT_THROW(eigenpairs(map, {.count = 10}), InvalidArgument);
  EXPECT_THROW(eigenpairs(map, {.count = 0}), InvalidArgument);
  EXPECT_EQ(eigenpairs(map, {.count = 9}).eigenvalues.size(), 10);
}

TEST(Spectrum, RefusesWhenEigenvectorsDoNotFit) {
  Generator generator = generator_of(diffusion_map(samples::normal(2000, 2, 1), {.epsilon = 0.01}));
  generator.execution.memory = generator.kernel->memory() + 1000;
  EXPECT_THROW(eigenpairs(map_of(std::move(generator)), {.count = 10}), InvalidArgument);
}

TEST(Spectrum, NonConvergenceIsAStatus) {
  const auto map = diffusion_map(samples::skewed_ball(3000, 2, 1.0, 1), {.epsilon = 0.001, .alpha = 1.0});
  const Spectrum s = eigenpairs(map, {.count = 10, .max_products = 48});
  EXPECT_THAT(s.status, Contains(PairStatus::NotConverged));
  EXPECT_THAT(s.warnings, Contains(HasSubstr("did not converge")));
}

TEST(Spectrum, StopsWhenAsked) {
  bool go_on = true;
  const Execution execution{.progress = [&](const ProgressUpdate&) { return go_on; }};
  const auto map = diffusion_map(samples::normal(2000, 2, 1), {.epsilon = 0.01, .execution = execution});
  go_on = false;
  EXPECT_THROW(eigenpairs(map), Cancelled);
}

TEST(Spectrum, EigenfunctionsInTheTailsSatisfyTheirEquation) {
  // The target falls to e^-200 within the sample: there sqrt(pi) psi is far below the solver's tolerance.
  const Points x = samples::skewed_ball(2000, 1, 2.0, 5);
  const auto map = target_measure_map(x, -50.0 * x.rowwise().squaredNorm(), {.epsilon = 0.002});
  const Spectrum s = eigenpairs(map, {.count = 2});
  ASSERT_LT(s.stationary.minCoeff(), 1e-50);
  for (Index n = 1; n <= 2; ++n) {
    const Vector defect =
        map.markov(s.eigenfunctions.col(n)) - (1.0 + map.epsilon() * s.eigenvalues[n].real()) * s.eigenfunctions.col(n);
    EXPECT_LT(defect.cwiseAbs().maxCoeff(), 1e-5 * s.eigenfunctions.col(n).cwiseAbs().maxCoeff());
  }
}

TEST(Spectrum, NoPartOfAModeIsTakenForTailWherePhi0Underflows) {
  // Down a slope of e^-1000 the weights d and K d are numbers, their product phi_0 is none; sqrt(phi_0) psi is.
  Points x(100, 1);
  x << Vector::LinSpaced(100, 0.0, 99.0);
  const auto map = target_measure_map(x, -10.0 * x.col(0), {.epsilon = 0.05});
  const Vector root = stationary_root(generator_of(map));
  Vector y = Vector::Zero(100);
  y[0] = 1.0;
  y[99] = 0.01;
  Spectrum s;
  s.stationary = map.stationary();
  ASSERT_EQ(s.stationary[99], 0.0);
  s.eigenfunctions.re = y.cwiseQuotient(root);
  s.left_eigenfunctions.re = y.cwiseProduct(root);
  s.residuals = Vector::Zero(1);
  const auto whatever = [](const Vector& mu, const Block&) { return Vector(Vector::Zero(mu.size())); };
  refine_tails(generator_of(map), Vector::Constant(1, 0.9), {0}, whatever, 1e-9, s);
  EXPECT_NEAR(root[99] * s.eigenfunctions.re(99, 0), 0.01, 1e-6);
  EXPECT_NEAR(s.left_eigenfunctions.re(99, 0) / root[99], 0.01, 1e-6);
}

TEST(Spectrum, NearlyDiagonalKernelsHaveNoEigenvalueAboveZero) {
  // A noisy circle in many dimensions at a small scale: blocks of the Krylov space are nearly dependent.
  Points x = 0.05 * samples::normal(1000, 12, 3);
  for (Index i = 0; i < x.rows(); ++i) {
    x(i, 0) += std::cos(0.00628318530717959 * double(i));
    x(i, 1) += std::sin(0.00628318530717959 * double(i));
  }
  const Spectrum s = eigenpairs(diffusion_map(x, {.epsilon = 0.002, .alpha = 1.0}), {.count = 9});
  for (Index n = 1; n < s.eigenvalues.size(); ++n) {
    EXPECT_LT(s.eigenvalues[n].real(), 1e-6);
    EXPECT_EQ(s.status[std::size_t(n)], PairStatus::Converged);
  }
  EXPECT_FALSE(s.spurious.empty());
}

/// Two wells of 250 points each, joined by a bridge of 20.
Points two_wells() {
  Points x = 0.3 * samples::normal(520, 2, 4);
  x.topRows(250).col(0).array() -= 1.0;
  x.middleRows(250, 250).col(0).array() += 1.0;
  x.bottomRows(20).col(0) = Vector::LinSpaced(20, -0.8, 0.8);
  return x;
}

Points with_rows(const Points& x, const Points& more) {
  Points all(x.rows() + more.rows(), x.cols());
  all << x, more;
  return all;
}

/// n far places, on a circle, with as many points each.
Points far_groups(Index n, Index each, double apart = 0.01) {
  Points x(n * each, 2);
  for (Index k = 0; k < x.rows(); ++k) {
    const double angle = double(k / each);
    x.row(k) << 20.0 * std::cos(angle) + apart * double(k % each), 20.0 * std::sin(angle);
  }
  return x;
}

/// All eigenvalues of a reversible map, leading first, by a dense decomposition.
Vector dense_eigenvalues(const Map& map) {
  const Index m = map.size();
  Block k(m, m);
  const Generator& g = generator_of(map);
  g.kernel->apply(Block::Identity(m, m), k);
  const Vector w = g.right_weights.cwiseQuotient(g.row_sums).cwiseSqrt();
  const Matrix s = w.asDiagonal() * k * w.asDiagonal();
  return (symmetric_values(s).reverse().array() - 1.0) / map.epsilon();
}

/// The eigenvalues that are not flagged.
Vector true_values(const Spectrum& s) {
  std::vector<Index> kept;
  for (Index n = 0; n < s.eigenvalues.size(); ++n) {
    if (!s.is_spurious(n)) {
      kept.push_back(n);
    }
  }
  return s.eigenvalues(kept).real();
}

TEST(Spectrum, FarPairsHideNoSlowMode) {
  // Far pairs are exact invariant subspaces: a solver that starts from them may never look elsewhere. Points 0.8 apart
  // see so little of each other that each is next to a mode of its own.
  for (const Engine engine : {Engine::Sparse, Engine::Dense, Engine::Grid}) {
    const auto map =
        diffusion_map(with_rows(two_wells(), far_groups(8, 2, 0.8)), {.epsilon = 0.02, .kernel = {.engine = engine}});
    ASSERT_EQ(map.diagnostics().components, 9);
    const Vector exact = dense_eigenvalues(map);
    const Spectrum s = eigenpairs(map, {.count = 10});
    EXPECT_NEAR(true_values(s)[1], exact[17], 1e-6) << "the mode between the wells, after two of each pair";
    for (Index n = 0; n < s.eigenvalues.size(); ++n) {
      EXPECT_NEAR(s.eigenvalues[n].real(), exact[n], 1e-6) << n;
    }
  }
}

TEST(Spectrum, EveryCopyOfAnEigenvalueAlsoIfOneRoundHoldsFourOfThem) {
  // Five equal groups and far points whose modes are flagged: the search goes on, and must see the fifth copy.
  const Points group = samples::normal(24, 1, 3);
  Points x(5 * 24 + 5, 1);
  for (Index k = 0; k < 5; ++k) {
    x.middleRows(24 * k, 24) = group.array() + 1000.0 * double(k);
    x(5 * 24 + k, 0) = -1000.0 * double(k + 1);
  }
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto map = diffusion_map(x, {.epsilon = 0.05});
    const Vector exact = dense_eigenvalues(map);
    const Spectrum s = eigenpairs(map, {.count = 8, .seed = seed});
    for (Index n = 0; n < s.eigenvalues.size(); ++n) {
      EXPECT_NEAR(s.eigenvalues[n].real(), exact[n], 1e-6) << n;
    }
  }
}

TEST(Spectrum, PointsAtOnePlaceHaveFunctionsWhateverTheGrid) {
  // P = 1/m everywhere: beyond lambda_0 all vectors are mapped to zero, and none of the grid's nodes knows them.
  const Points x = Points::Ones(150, 1);
  const KernelOptions grid{.engine = Engine::Grid};
  const auto reversible = diffusion_map(x, {.epsilon = 0.5, .kernel = grid});
  const auto general =
      local_kernel_map(x, Points::Constant(150, 1, 0.3), Diffusion::constant(1.0), {.epsilon = 0.5, .kernel = grid});
  for (const Map& map : {reversible, general}) {
    const Spectrum s = eigenpairs(map, {.count = 5});
    ASSERT_TRUE(s.effective_points.allFinite());
    const Block image = map.markov(s.eigenfunctions.re.rightCols(5));
    const Matrix gram = s.left_eigenfunctions.re.transpose() * s.eigenfunctions.re;
    EXPECT_LT(image.cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((gram - Matrix::Identity(6, 6)).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(Spectrum, NothingOfAModeOnAComponentItDoesNotReach) {
  // The second group weighs e^-60 of the first: what the solver leaves there of a mode of the first is noise.
  Points x = samples::normal(120, 1, 5);
  x.bottomRows(60).array() += 1000.0;
  Vector log_target = Vector::Zero(120);
  log_target.tail(60).setConstant(-60.0);
  const auto map = target_measure_map(x, log_target, {.epsilon = 0.1});
  const Spectrum s = eigenpairs(map, {.count = 6});
  Index checked = 0;
  for (Index n = 0; n < s.eigenvalues.size(); ++n) {
    const Vector y = map.stationary().cwiseSqrt().cwiseProduct(s.eigenfunctions.col(n));
    if (s.eigenvalues[n].real() < -1e-6 && y.tail(60).norm() < 1e-6) {
      EXPECT_LT(s.eigenfunctions.col(n).tail(60).cwiseAbs().maxCoeff(), 1e-9) << n;
      ++checked;
    }
  }
  EXPECT_GT(checked, 0);
}

TEST(Spectrum, AsManyTrueModesAsAskedWhateverIsFlagged) {
  const Points x = two_wells();
  const Vector expected = true_values(eigenpairs(diffusion_map(x, {.epsilon = 0.05}), {.count = 6}));
  ASSERT_GE(expected.size(), 7);
  const auto map = diffusion_map(with_rows(x, far_groups(12, 1)), {.epsilon = 0.05});
  const Spectrum s = eigenpairs(map, {.count = 6});
  const Vector found = true_values(s);
  ASSERT_EQ(found.size(), 7);
  EXPECT_LT((found - expected.head(7)).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GE(Index(s.spurious.size()), 12);
}

TEST(Spectrum, FlaggedModesBeyondTheCapAreSaidToBeLeftOut) {
  const auto map = diffusion_map(with_rows(two_wells(), far_groups(40, 1)), {.epsilon = 0.05});
  const Spectrum s = eigenpairs(map, {.count = 3});
  EXPECT_EQ(true_values(s).size(), 4);
  EXPECT_THAT(s.warnings, Contains(HasSubstr("are not listed")));
}

TEST(Spectrum, TrueModesAreFoundBehindMoreFlaggedOnesThanAreListed) {
  // Beside a line of 300 points 28 others, each so far off that it is left once in 10^5 steps or so: their modes
  // come first.
  Points line(300, 2), beside(28, 2);
  for (Index i = 0; i < line.rows(); ++i) {
    line.row(i) << 0.2 * double(i), 0.0;
  }
  for (Index k = 0; k < beside.rows(); ++k) {
    beside.row(k) << 2.1 * double(k + 1), 1.5 + 0.0125 * double(k * 11 % 28);  // no two of them alike
  }
  const Vector expected = true_values(eigenpairs(diffusion_map(line, {.epsilon = 0.05}), {.count = 3}));
  const Spectrum s = eigenpairs(diffusion_map(with_rows(line, beside), {.epsilon = 0.05}), {.count = 3});
  ASSERT_EQ(true_values(s).size(), 4);
  EXPECT_LT((true_values(s) - expected.head(4)).cwiseAbs().maxCoeff(), 0.02 * expected.cwiseAbs().maxCoeff());
  EXPECT_EQ(Index(s.spurious.size()), 20);
  EXPECT_THAT(s.warnings, Contains(HasSubstr("8 more mode(s) that live on a handful of points each are not listed")));
}

TEST(Spectrum, ASlowModeThatMixesWithAnOutlierIsNotLostWithoutAWord) {
  // A point that moves away becomes slower, and at some distance as slow as the passage between the wells.
  Points x = 0.25 * samples::normal(600, 2, 4);
  x.topRows(300).col(0).array() -= 0.75;
  x.bottomRows(300).col(0).array() += 0.75;
  const auto with_one_at = [&](double height) {
    const Points lone = (Points(1, 2) << 0.75, height).finished();
    return eigenpairs(diffusion_map(with_rows(x, lone), {.epsilon = 0.03, .alpha = 1.0}), {.count = 2});
  };
  const double slowest = true_values(with_one_at(0.0))[1];
  int lost = 0;
  for (double height = 1.0; height < 1.6; height += 0.02) {
    const Spectrum s = with_one_at(height);
    if (true_values(s)[1] < 2.0 * slowest) {
      EXPECT_THAT(s.warnings, Contains(HasSubstr("do not live on a handful of points alone"))) << height;
      ++lost;
    }
  }
  EXPECT_GT(lost, 0);
  EXPECT_THAT(with_one_at(2.0).warnings, Not(Contains(HasSubstr("alone"))));
}

TEST(Spectrum, TheZeroModeOfALightPointIsFlagged) {
  // Its stationary weight is e^-200 of the others': what is left of the mode in the bulk is rounding.
  Points x = two_wells();
  Vector log_target = -4.0 * (x.col(0).array().square() - 1.0).square() - 2.0 * x.col(1).array().square();
  const Points lone = (Points(1, 2) << 3.4, 0.0).finished();
  Vector all(x.rows() + 1);
  all << log_target, -200.0;
  const Spectrum s = eigenpairs(target_measure_map(with_rows(x, lone), all, {.epsilon = 0.02}), {.count = 4});
  EXPECT_TRUE(s.is_spurious(1));
  EXPECT_NEAR(s.stationary.dot(s.eigenfunctions.col(1).cwiseAbs2()), 1.0, 1e-6);
  EXPECT_NEAR(s.left_eigenfunctions.col(1).dot(s.eigenfunctions.col(1)), 1.0, 1e-6);
}

/// Two vortices that turn against each other on [0, 2] x [0, 1].
TEST(Spectrum, TurningModesOfACondensedMapTakeFewProducts) {
  samples::Random random(3);
  Points x(30000, 2);
  for (Index i = 0; i < x.rows(); ++i) {
    x.row(i) << random.uniform(0.0, 2.0), random.uniform();
  }
  const auto along = std::numbers::pi * x.col(0).array();
  const auto across = std::numbers::pi * x.col(1).array();
  Points drift(x.rows(), 2);
  drift.col(0) = -std::numbers::pi * along.sin() * across.cos();
  drift.col(1) = std::numbers::pi * along.cos() * across.sin();
  const auto map =
      local_kernel_map(x, drift, Diffusion::constant(0.05), {.epsilon = 0.03, .kernel = {.engine = Engine::Grid}});
  const Spectrum coarse = eigenpairs(map, {.count = 9});
  const Spectrum krylov = eigenpairs(map, {.count = 9, .tolerance = 2e-8});  // too rough to build a coarse space for
  ASSERT_GT(coarse.condensed_size, 0);
  EXPECT_GT(coarse.eigenvalues.imag().cwiseAbs().maxCoeff(), 1.0);
  EXPECT_LT((coarse.eigenvalues - krylov.eigenvalues).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(coarse.residuals.maxCoeff(), 1e-9);
  EXPECT_LT(coarse.left_residuals.maxCoeff(), 1e-9);
  EXPECT_LT(2 * coarse.condensed_products, krylov.condensed_products);
}

TEST(Spectrum, BothSidesOfIllConditionedPairsConverge) {
  // A shear that is fast beside an anisotropic diffusion: left and right vectors are nearly orthogonal, and values of
  // either side agree to a hundred times their residuals only.
  samples::Random random(1);
  Points x(800, 2);
  for (Index i = 0; i < x.rows(); ++i) {
    x.row(i) << random.uniform(), random.uniform();
  }
  Points b(800, 2);
  b << 15.0 * x.col(1), 4.5 * (6.0 * x.col(0).array()).sin();
  Points a(800, 2);
  a.rowwise() = Eigen::RowVector2d(0.3, 0.01);
  for (const double epsilon : {0.015, 0.03}) {
    const Spectrum s = eigenpairs(local_kernel_map(x, b, Diffusion::diagonals(a), {.epsilon = epsilon}), {.count = 6});
    EXPECT_LT(s.residuals.maxCoeff(), 1e-9);
    EXPECT_LT(s.left_residuals.maxCoeff(), 1e-9);
    EXPECT_THAT(s.status, Not(Contains(PairStatus::NotConverged)));
  }
}

}  // namespace
}  // namespace itomap
