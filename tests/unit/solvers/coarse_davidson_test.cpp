#include "solvers/coarse_davidson.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <numbers>

#include "core/circles.hpp"
#include "solvers/coarse_space.hpp"
#include "solvers/invariant_subspace.hpp"
#include "solvers/search_space.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Steps on a ring: normal, with a mean of one place and a deviation of five. Steps to place 17 and from it are taken
/// with the chance `leave`.
class Ring {
 public:
  explicit Ring(Index size, double leave = 1.0) : size_(size), leave_(leave), weights_(2 * reach + 1) {
    for (Index k = -reach; k <= reach; ++k) {
      weights_[k + reach] = std::exp(-std::pow(double(k) - 1.0, 2) / 50.0);
    }
    weights_ /= weights_.sum();
  }

  LinearOperator side(bool transposed) const {
    return {.size = size_,
            .apply = [ring = *this, transposed](PointsView x) { return ring.product(x, transposed); },
            .transposed = transposed};
  }

  /// The n-th of the slowest values: 1, then conjugate pairs.
  std::complex<double> value(Index n) const {
    const double wave = 2.0 * std::numbers::pi * double((n + 1) / 2) / double(size_);
    std::complex<double> sum = 0.0;
    for (Index k = -reach; k <= reach; ++k) {
      sum += weights_[k + reach] * std::polar(1.0, wave * double(k));
    }
    return n % 2 == 1 ? sum : std::conj(sum);
  }

  Places places() const {
    const Points along = Vector::LinSpaced(size_, 0.0, double(size_ - 1));
    return {on_circles(along, {double(size_)}), Vector::Ones(size_), Vector::Ones(size_)};
  }

 private:
  static constexpr Index reach = 30;
  static constexpr Index held = 17;

  Block product(PointsView x, bool transposed) const {
    Block y = Block::Zero(x.rows(), x.cols());
    for (Index i = 0; i < size_; ++i) {
      for (Index k = -reach; k <= reach; ++k) {
        const Index j = (i + k + size_) % size_;
        const double share = i == held || j == held ? leave_ : 1.0;
        const double weight = weights_[k + reach];
        y.row(transposed ? j : i) += share * weight * x.row(transposed ? i : j);
        y.row(i) += (1.0 - share) * weight * x.row(i);
      }
    }
    return y;
  }

  Index size_;
  double leave_;
  Vector weights_;
};

LinearOperator with_coarse(const Ring& ring, bool transposed, Index wanted) {
  LinearOperator a = ring.side(transposed);
  a.coarse = CoarseSpace::build(ring.side(false), ring.side(true), ring.places(), wanted);
  return a;
}

TEST(CoarseDavidson, FindsSlowModesOfBothSidesInFewProducts) {
  const Ring ring(2400);
  for (const bool transposed : {false, true}) {
    const LinearOperator a = with_coarse(ring, transposed, 7);
    ASSERT_NE(a.coarse, nullptr);
    const auto result = coarse_davidson(a, Block(a.size, 0), {.wanted = 7, .tolerance = 1e-10});
    ASSERT_TRUE(result.converged);
    for (Index n = 0; n < 7; ++n) {
      EXPECT_LT(std::abs(result.ritz[n] - ring.value(n)), 1e-9) << n;
    }
    EXPECT_LT(result.products, 200);
  }
}

TEST(CoarseDavidson, WorksInTheComplementOfWhatIsKnown) {
  const Ring ring(2400);
  const LinearOperator a = with_coarse(ring, false, 7);
  ASSERT_NE(a.coarse, nullptr);
  const Block known = Block::Constant(a.size, 1, 1.0 / std::sqrt(double(a.size)));
  const auto result = coarse_davidson(a, known, {.wanted = 4, .tolerance = 1e-10});
  ASSERT_TRUE(result.converged);
  for (Index n = 0; n < 4; ++n) {
    EXPECT_LT(std::abs(result.ritz[n] - ring.value(n + 1)), 1e-9) << n;
  }
}

TEST(CoarseDavidson, AModeOfOnePlaceIsFoundBesideTheSpace) {
  const Ring ring(2400, 2e-5);  // slower than the first pair, 1 - 9e-5
  const LinearOperator a = with_coarse(ring, false, 7);
  ASSERT_NE(a.coarse, nullptr);
  const auto found = leading_subspace(a, Block(a.size, 0), {.wanted = 4, .tolerance = 1e-9});
  ASSERT_TRUE(found.converged);
  EXPECT_TRUE(found.complete);
  EXPECT_GT(found.basis.row(17).norm(), 0.99);
}

TEST(CoarseMatrix, IsNotBuiltWhereAMassIsNextToNothing) {
  // What it is divided by: M^-1 T^T overflows.
  constexpr Index n = 200;
  const auto built = [](double least) {
    SparseMatrix t(n, n), mass(n, n);
    for (Index i = 0; i < n; ++i) {
      const double weight = i == 0 ? least : 1.0;
      mass.coeffRef(i, i) = weight;
      for (Index j = std::max<Index>(i - 1, 0); j <= std::min(i + 1, n - 1); ++j) {
        t.coeffRef(i, j) = (i == j ? 0.5 : 0.25) * weight;
      }
    }
    return CoarseMatrix::build(t, mass, 31, 7).has_value();
  };
  EXPECT_TRUE(built(1.0));
  EXPECT_FALSE(built(1e-310));
}

TEST(SearchSpace, TakesARandomDirectionForOneThatIsNoNumber) {
  const Ring ring(400);
  const LinearOperator a = ring.side(false);
  const Block locked(a.size, 0);
  SearchSpace space(a, locked, 20, 1);
  Block w = samples::normal(a.size, 3, 1);
  w(7, 1) = std::numeric_limits<double>::quiet_NaN();
  w(9, 2) = std::numeric_limits<double>::infinity();
  space.extend(w);
  EXPECT_EQ(space.size(), 3);
  const ProjectedPairs ritz = space.projected();
  EXPECT_TRUE(ritz.values.allFinite());
  const Block basis = space.vectors(Matrix::Identity(3, 3));
  EXPECT_LT((basis.transpose() * basis - Matrix::Identity(3, 3)).norm(), 1e-12);
}

TEST(CoarseSpace, IsNotBuiltForFewUnknowns) {
  const Ring ring(400);
  EXPECT_EQ(CoarseSpace::build(ring.side(false), ring.side(true), ring.places(), 7), nullptr);
}

}  // namespace
}  // namespace itomap
