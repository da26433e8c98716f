#include "itomap/kernel/diffusion.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

/// Entries mirrored across the diagonal may differ by what a float32 file loses, not by more.
constexpr double symmetry_tolerance = 1e-6;

void check_matrix(const Matrix& a, Index point, double eta) {
  if (!a.allFinite()) {
    throw InvalidArgument(
        fmt::format("diffusion: A at point {} holds NaN or infinity; mend or leave out that point", point));
  }
  if ((a - a.transpose()).cwiseAbs().maxCoeff() > symmetry_tolerance * a.cwiseAbs().maxCoeff()) {
    throw InvalidArgument(
        fmt::format("diffusion: A at point {} is not symmetric; give A = sigma sigma^T / 2, or (A + A^T) / 2", point));
  }
  const Matrix regular = a + eta * Matrix::Identity(a.rows(), a.cols());
  const Eigen::LLT<Matrix> factor(regular);
  if (factor.info() != Eigen::Success || !factor.matrixLLT().diagonal().allFinite()) {
    throw InvalidArgument(fmt::format(
        "diffusion: A at point {} is not positive definite{}; degenerate noise is outside the theory, raise eta to "
        "regularise it",
        point, eta > 0.0 ? fmt::format(" even with eta = {:g}", eta) : ""));
  }
}

}  // namespace

Diffusion Diffusion::constant(double a) { return {Kind::Constant, Points::Constant(1, 1, a)}; }

Diffusion Diffusion::constant_matrix(PointsView a) {
  const Points values = a;
  return {Kind::ConstantMatrix, Eigen::Map<const Points>(values.data(), 1, values.size())};
}

Diffusion Diffusion::scalars(VectorView a) { return {Kind::Scalars, a}; }
Diffusion Diffusion::diagonals(PointsView a) { return {Kind::Diagonals, a}; }
Diffusion Diffusion::matrices(PointsView a) { return {Kind::Matrices, a}; }

bool Diffusion::is_constant() const {
  for (Index i = 1; i < values_.rows(); ++i) {
    if (values_.row(i) != values_.row(0)) {
      return false;
    }
  }
  return true;
}

Matrix Diffusion::at(Index i, Index dimension) const {
  switch (kind_) {
    case Kind::Constant:
      return values_(0, 0) * Matrix::Identity(dimension, dimension);
    case Kind::Scalars:
      return values_(i, 0) * Matrix::Identity(dimension, dimension);
    case Kind::Diagonals:
      return values_.row(i).asDiagonal();
    case Kind::ConstantMatrix:
      return Eigen::Map<const Points>(values_.data(), dimension, dimension);
    case Kind::Matrices:
      return Eigen::Map<const Points>(values_.row(i).data(), dimension, dimension);
  }
  return {};
}

void Diffusion::validate(Index points, Index dimension, double eta) const {
  const bool constant = kind_ == Kind::Constant || kind_ == Kind::ConstantMatrix;
  const bool full = kind_ == Kind::ConstantMatrix || kind_ == Kind::Matrices;
  const Index columns = full ? dimension * dimension : kind_ == Kind::Diagonals ? dimension : 1;
  const Index rows = constant ? 1 : points;
  if (values_.rows() != rows || values_.cols() != columns) {
    throw InvalidArgument(
        fmt::format("diffusion: {} x {} values given, but {} points in {} dimensions need {} x {}; see Diffusion for "
                    "the five forms",
                    values_.rows(), values_.cols(), points, dimension, rows, columns));
  }
  for (Index i = 0; i < rows; ++i) {
    check_matrix(at(i, dimension), i, eta);
  }
}

Diffusion Diffusion::scaled(const Vector& factor, Index dimension, double eta) const {
  switch (kind_) {
    case Kind::Constant:
      return scalars(factor * (values_(0, 0) + eta));
    case Kind::Scalars:
      return scalars(factor.cwiseProduct((values_.array() + eta).matrix().col(0)));
    case Kind::Diagonals:
      return diagonals(factor.asDiagonal() * Points(values_.array() + eta));
    default:
      break;
  }
  Points rows(factor.size(), dimension * dimension);
  for (Index i = 0; i < factor.size(); ++i) {
    const Points a = factor[i] * (at(i, dimension) + eta * Matrix::Identity(dimension, dimension));
    rows.row(i) = Eigen::Map<const Eigen::RowVectorXd>(a.data(), a.size());
  }
  return matrices(rows);
}

Diffusion Diffusion::subset(const std::vector<Index>& indices) const {
  if (kind_ == Kind::Constant || kind_ == Kind::ConstantMatrix) {
    return *this;
  }
  return {kind_, values_(indices, Eigen::all)};
}

}  // namespace itomap
