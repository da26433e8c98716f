#include "scales/mode_correction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/dense_algebra.hpp"
#include "scales/function_algebra.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

constexpr Index size = 60;

/// diag(1, 0.9, 0.8, .. towards 0), seen in other coordinates if `mix` is not zero, and disturbed a little.
Matrix disturbed(double mix, double noise) {
  Vector values(size);
  for (Index i = 0; i < size; ++i) {
    values[i] = std::exp(-0.1 * double(i));
  }
  const Matrix basis = Matrix::Identity(size, size) + mix * samples::normal(size, size, 4);
  const Matrix error = noise * samples::normal(size, size, 5);
  return basis * (Matrix(values.asDiagonal()) + error + error.transpose()) * inverted(basis);
}

Eigenfunctions leading_vectors(const Matrix& a, Index count) {
  const GeneralEigen pairs = general_pairs(a);
  std::vector<Index> order(std::size_t(size), 0);
  for (Index i = 0; i < size; ++i) {
    order[std::size_t(i)] = i;
  }
  std::sort(order.begin(), order.end(),
            [&](Index i, Index k) { return pairs.values[i].real() > pairs.values[k].real(); });
  order.resize(std::size_t(count));
  return {Block(pairs.vectors(Eigen::all, order).real())};
}

FunctionOperator product_with(const Matrix& a) {
  return [&a](const Eigenfunctions& f) { return applied([&a](const Block& g) { return Block(a * g); }, f); };
}

/// Largest part of P f that is not along f.
double defect(const Matrix& a, const Eigenfunctions& f) {
  const Matrix image = a * f.re;
  const Matrix g = f.re;
  return (image - g * least_squares(g, image)).norm() / g.norm();
}

class ModeCorrection : public testing::TestWithParam<double> {};

TEST_P(ModeCorrection, LeadsToTheModesOfTheOther) {
  const Matrix near = disturbed(GetParam(), 0.0);
  const Matrix other = disturbed(GetParam(), 1e-4);
  const Eigenfunctions f = leading_vectors(near, 3);
  const Eigenfunctions g = leading_vectors(near.transpose(), 3);
  const CorrectedModes c =
      corrected_modes(product_with(other), f, g, Vector::Ones(size), {.steps = 40, .residual = 1e-3});
  EXPECT_LT(defect(other, c.f), 0.01 * defect(other, f));
  EXPECT_LT((c.image.re - other * c.f.re).cwiseAbs().maxCoeff(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(NormalOrNot, ModeCorrection, testing::Values(0.0, 0.02));

// The slowest mode, that of an outlier, is not among those that are asked for. Powers of P would turn towards it.
TEST(ModeCorrectionOf, AModeDoesNotTurnToASlowerOne) {
  Matrix other = disturbed(0.0, 1e-4);
  const Eigenfunctions all = leading_vectors(disturbed(0.0, 0.0), 3);
  const Eigenfunctions asked = columns_of(all, {1, 2});
  const CorrectedModes c =
      corrected_modes(product_with(other), asked, asked, Vector::Ones(size), {.steps = 40, .residual = 1e-3});
  EXPECT_LT(inner_products(columns_of(all, {0}), c.f).cwiseAbs().maxCoeff(), 0.02);
  EXPECT_LT(defect(other, c.f), 0.01 * defect(other, asked));
}

TEST(ModeCorrectionOf, ModesThatAreRightStay) {
  const Matrix a = disturbed(0.02, 0.0);
  const Eigenfunctions f = leading_vectors(a, 3);
  const Eigenfunctions g = leading_vectors(a.transpose(), 3);
  const CorrectedModes c = corrected_modes(product_with(a), f, g, Vector::Ones(size), {.steps = 8, .residual = 0.1});
  EXPECT_LT((c.f.re - f.re).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace itomap
