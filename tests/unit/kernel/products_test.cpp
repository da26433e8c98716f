// Products of both engines against the O(m^2) matrix, where their tiles, strips, blocks and slabs have odd sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/context.hpp"
#include "itomap/core/error.hpp"
#include "kernel/pairs/dense_operator.hpp"
#include "kernel/pairs/sparse_operator.hpp"
#include "support/reference.hpp"
#include "support/same_bits.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

using test::same_bits;

constexpr double tight = 1e-16;  // a cut-off that does not show

std::unique_ptr<KernelOperator> make(KernelGeometry geometry, Engine engine, const KernelOptions& options) {
  if (engine == Engine::Sparse) {
    return std::make_unique<SparseOperator>(geometry, options);
  }
  return std::make_unique<DenseOperator>(std::move(geometry));
}

Block product(const KernelOperator& op, const Block& x, bool transposed = false) {
  Block y(x.rows(), x.cols());
  transposed ? op.apply_transpose(x, y) : op.apply(x, y);
  return y;
}

double largest_error(const Block& a, const Block& b) { return (a - b).cwiseAbs().maxCoeff(); }

/// Three clusters so far apart that no entry joins them, the points shuffled among them.
Points clusters(Index m, Index dimension) {
  Points x = 0.3 * samples::normal(m, dimension, 3);
  for (Index i = 0; i < m; ++i) {
    x(i, 0) += 100.0 * double(i % 3);
  }
  return x;
}

const Execution two_threads{.threads = 2};

class Products : public testing::TestWithParam<Engine> {
 protected:
  void check_isotropic(const Points& x, double epsilon, Index width) const {
    const ExecutionScope scope(two_threads);
    const KernelOptions options{.cutoff = tight};
    const auto op = make(KernelGeometry::isotropic(x, epsilon, options), GetParam(), options);
    const Matrix k = reference::log_isotropic_kernel(x, epsilon).array().exp();
    const Block f = samples::normal(x.rows(), width, 7);
    const Block expected = k * f;
    const double scale = (k * f.cwiseAbs()).maxCoeff();
    EXPECT_LT(largest_error(product(*op, f), expected), 1e-13 * scale) << x.rows() << " points, width " << width;
  }

  void check_local(const Points& x, const Points& drift, const Diffusion& diffusion, double epsilon) const {
    const ExecutionScope scope(two_threads);
    const KernelOptions options{.cutoff = tight};
    const auto op = make(KernelGeometry::local(x, drift, diffusion, epsilon, 0.01, options), GetParam(), options);
    const Matrix k = reference::log_local_kernel(x, drift, diffusion, epsilon, 0.01).array().exp();
    for (const Index width : {1, 4, 7}) {
      const Block f = samples::normal(x.rows(), width, 7);
      const double scale = 1.0 + (k * f).cwiseAbs().maxCoeff();
      EXPECT_LT(largest_error(product(*op, f), k * f), 1e-12 * scale);
      EXPECT_LT(largest_error(product(*op, f, true), k.transpose() * f), 1e-12 * scale);
    }
  }
};

TEST_P(Products, EveryWidthOfBlock) {
  const Points x = samples::normal(333, 2, 1);
  for (const Index width : {1, 2, 3, 4, 5, 8, 11, 12, 13, 16, 24, 25}) {
    check_isotropic(x, 0.05, width);
  }
}

TEST_P(Products, FewerPointsThanATileAndOddNumbers) {
  for (const Index m : {1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 511, 513}) {
    check_isotropic(samples::normal(m, 2, 2), 0.1, 1);
    check_isotropic(samples::normal(m, 2, 2), 0.1, 5);
  }
}

TEST_P(Products, AnyDimension) {
  for (const Index dimension : {1, 2, 3, 4, 12, 40}) {
    check_isotropic(samples::normal(200, dimension, 4), 0.5 * double(dimension), 3);
  }
}

TEST_P(Products, DuplicatesCountEachTime) {
  Points x = samples::normal(300, 3, 5);
  x.bottomRows(200).rowwise() = Eigen::RowVector3d(0.1, 0.2, 0.3);
  check_isotropic(x, 0.05, 4);
}

TEST_P(Products, FarFromTheOrigin) {
  Points x = samples::normal(400, 2, 6);
  x.col(0).array() += 1048576.0;  // a power of two: the coordinates lose bits, but both sides see the same numbers
  check_isotropic(x, 0.01, 3);
}

TEST_P(Products, ClustersBeyondEachOthersReach) {
  for (const Index dimension : {2, 6}) {
    const Points x = clusters(650, dimension);
    check_isotropic(x, 0.02, 1);
    check_isotropic(x, 0.02, 6);
    check_local(x, 0.3 * x.rowwise().reverse().cwiseMax(-1.0).cwiseMin(1.0), Diffusion::constant(0.5), 0.02);
  }
}

TEST_P(Products, EveryKindOfDiffusion) {
  const Index m = 420;
  for (const Index n : {1, 2, 3, 5}) {
    const Points x = samples::normal(m, n, 8);
    const Points drift = -0.4 * x;
    const Vector a = 0.5 + x.col(0).array().square();
    check_local(x, drift, Diffusion::scalars(a), 0.05);
    check_local(x, drift, Diffusion::diagonals(0.3 + x.array().square()), 0.05);
    Points matrices(m, n * n);
    for (Index i = 0; i < m; ++i) {
      const Matrix root = Matrix::Identity(n, n) + 0.3 * x.row(i).transpose() * Vector::Ones(n).transpose();
      const Matrix full = root * root.transpose();
      matrices.row(i) = Eigen::Map<const Eigen::RowVectorXd>(full.data(), n * n);
    }
    check_local(x, drift, Diffusion::matrices(matrices), 0.05);
    const Points constant = Eigen::Map<const Points>(matrices.row(0).data(), n, n);
    check_local(x, drift, Diffusion::constant_matrix(constant), 0.05);
  }
}

TEST_P(Products, SymmetricToRounding) {
  const KernelOptions options{};
  const Points x = clusters(900, 3);
  const auto op = make(KernelGeometry::isotropic(x, 0.01, options), GetParam(), options);
  const Matrix k = product(*op, Block::Identity(900, 900));
  EXPECT_LT((k - k.transpose()).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(product(*op, Block(k.leftCols(3))), product(*op, Block(k.leftCols(3)), true));
}

TEST_P(Products, SameBitsForAnyNumberOfThreads) {
  const Points x = samples::normal(3000, 2, 9);
  for (const bool symmetric : {true, false}) {
    for (const Index width : {1, 5, 12}) {
      const Block f = samples::normal(x.rows(), width, 10);
      std::vector<Block> forward;
      std::vector<Block> transposed;
      for (const int threads : {1, 2, 3}) {
        const Execution execution{.threads = threads};
        const ExecutionScope scope(execution);
        const KernelOptions options{};
        const auto op = make(symmetric ? KernelGeometry::isotropic(x, 0.01, options)
                                       : KernelGeometry::local(x, -x, Diffusion::constant(0.7), 0.01, 0.0, options),
                             GetParam(), options);
        forward.push_back(product(*op, f));
        transposed.push_back(product(*op, f, true));
      }
      EXPECT_TRUE(same_bits(forward[0], forward[1]) && same_bits(forward[0], forward[2]));
      EXPECT_TRUE(same_bits(transposed[0], transposed[1]) && same_bits(transposed[0], transposed[2]));
    }
  }
}

TEST_P(Products, PeriodicCoordinatesWrap) {
  const reference::Period period{2.0, 0.0};
  const Points x = samples::normal(700, 2, 11);
  const KernelOptions options{.cutoff = tight, .period = period};
  const auto op = make(KernelGeometry::isotropic(x, 0.02, options), GetParam(), options);
  const Matrix k = reference::log_isotropic_kernel(x, 0.02, period).array().exp();
  const Block f = samples::normal(700, 3, 12);
  EXPECT_LT(largest_error(product(*op, f), k * f), 1e-10);
  EXPECT_EQ(op->graph().components, 1);
  const Points drift = -x;
  const auto local =
      make(KernelGeometry::local(x, drift, Diffusion::constant(1.0), 0.02, 0.0, options), GetParam(), options);
  const Matrix l = reference::log_local_kernel(x, drift, Diffusion::constant(1.0), 0.02, 0.0, period).array().exp();
  EXPECT_LT(largest_error(product(*local, f), l * f), 1e-10);
  EXPECT_LT(largest_error(product(*local, f, true), l.transpose() * f), 1e-10);
}

TEST_P(Products, RowsAreThoseOfTheProduct) {
  const Points x = clusters(1300, 2);
  const std::vector<Index> rows{1299, 0, 17, 640, 17};
  for (const bool symmetric : {true, false}) {
    const KernelOptions options{.cutoff = tight};
    const auto op = make(symmetric ? KernelGeometry::isotropic(x, 0.02, options)
                                   : KernelGeometry::local(x, -0.1 * x, Diffusion::constant(1.0), 0.02, 0.0, options),
                         GetParam(), options);
    const Block f = samples::normal(x.rows(), 2, 13);
    const Block all = product(*op, f);
    Block some(Index(rows.size()), 2);
    op->apply_rows(rows, f, some);
    EXPECT_LT((some - all(rows, Eigen::all)).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST_P(Products, RowsHaveTheImagesOfTheProductAtTheCutOff) {
  // One image of the heavy point is just within the cut-off, the next one, half as large, is not.
  Points x(2, 1);
  x << 0.0, 0.99;
  const KernelOptions options{.cutoff = 1e-8, .period = {2.0}};
  const auto op = make(KernelGeometry::isotropic(x, 0.0136, options), GetParam(), options);
  Block f(2, 1);
  f << 1e-40, 1.0;
  Block rows(2, 1);
  op->apply_rows(std::vector<Index>{0, 1}, f, rows);
  const Block all = product(*op, f);
  EXPECT_GT(all(0, 0), 1e-8);
  EXPECT_NEAR(rows(0, 0) / all(0, 0), 1.0, 1e-12);
}

TEST_P(Products, StrandedRowsAreScaled) {
  const Points x = samples::normal(300, 2, 14);
  Points drift = Points::Zero(300, 2);
  drift.row(77) << 500.0, 0.0;  // an Euler step that lands far outside
  const KernelOptions options{};
  const auto op =
      make(KernelGeometry::local(x, drift, Diffusion::constant(1.0), 0.05, 0.0, options), GetParam(), options);
  const Vector sums = product(*op, Block::Ones(300, 1)).col(0);
  EXPECT_GE(sums.minCoeff(), 0.9);
  EXPECT_EQ(op->graph().stranded, (std::vector<Index>{77}));
  const Matrix log_k = reference::log_local_kernel(x, drift, Diffusion::constant(1.0), 0.05, 0.0);
  const Vector row = (log_k.row(77).array() - log_k.row(77).maxCoeff()).exp();
  EXPECT_NEAR(sums[77], row.sum(), 1e-6);
}

TEST_P(Products, AStepThatNumbersCannotFollowIsRefused) {
  const Points x = samples::normal(300, 2, 14);
  Points drift = Points::Zero(300, 2);
  const auto sums = [&](double far, const KernelOptions& options) {
    drift.row(77) << far, 0.0;
    const auto op =
        make(KernelGeometry::local(x, drift, Diffusion::constant(1.0), 0.05, 0.0, options), GetParam(), options);
    return Vector(product(*op, Block::Ones(300, 1)).col(0));
  };
  EXPECT_NEAR(sums(1e6, {})[77], 1.0, 1e-5) << "the point that is farthest to the right";
  for (const double far : {1e12, 1e100, 1e160}) {
    EXPECT_THROW(sums(far, {}), InvalidArgument);
  }
  EXPECT_GT(sums(1e6, {.period = {3.0, 0.0}})[77], 0.0);
  EXPECT_THROW(sums(1e100, {.period = {3.0, 0.0}}), InvalidArgument) << "every place is near some image";
  EXPECT_THROW(sums(1e15, {.period = {3.0, 3.0}}), InvalidArgument) << "nothing is far from the data";
}

INSTANTIATE_TEST_SUITE_P(All, Products, testing::Values(Engine::Sparse, Engine::Dense),
                         [](const auto& engine) { return std::string(to_string(engine.param)); });

TEST(SinglePrecision, HalvesTheValuesAndKeepsSevenDigits) {
  const Points x = samples::normal(1000, 2, 15);
  const Block f = samples::normal(1000, 5, 16).cwiseAbs();
  const KernelOptions options{};
  const KernelOptions single{.single_precision = true};
  const KernelGeometry geometry = KernelGeometry::isotropic(x, 0.01, options);
  const SparseOperator exact(geometry, options);
  const SparseOperator rounded(geometry, single);
  for (const Index width : {1, 5}) {
    const Block expected = product(exact, f.leftCols(width));
    const Block y = product(rounded, f.leftCols(width));
    EXPECT_LT(((y - expected).array() / expected.array()).abs().maxCoeff(), 1e-7);
  }
  EXPECT_LT(double(rounded.memory()), 0.6 * double(exact.memory()));
  EXPECT_EQ(rounded.graph().mean_neighbours, exact.graph().mean_neighbours);
  EXPECT_THROW((KernelOptions{.cutoff = 1e-50, .single_precision = true}.validate(2)), InvalidArgument);
}

TEST(SparseOperator, PredictsItsMemory) {
  const Points x = samples::normal(4000, 2, 17);
  for (const double epsilon : {0.002, 0.01, 0.1}) {
    for (const bool single : {false, true}) {
      const KernelOptions options{.single_precision = single};
      const SparseOperator op(KernelGeometry::isotropic(x, epsilon, options), options);
      const double predicted = SparseOperator::predicted_bytes(4000.0, op.graph().mean_neighbours, true, single);
      EXPECT_NEAR(predicted / double(op.memory()), 1.0, 0.25);
    }
  }
}

}  // namespace
}  // namespace itomap
