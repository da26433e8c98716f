// The diffusion A(x) of an Itô process at every point: a number, a number or a vector per point, or a full matrix.
//
// For dX = b dt + sigma dW it is A = sigma sigma^T / 2, so that the generator is L f = b . grad f + A_ij d_i d_j f.
// A must be symmetric and A + eta I positive definite; the first point where it is not is named in the error.
//
//   Diffusion::constant(0.5)            A = 0.5 I everywhere
//   Diffusion::scalars(a)               A_i = a_i I                     a: m
//   Diffusion::diagonals(a)             A_i = diag(a_i1, ..., a_iN)     a: m x N
//   Diffusion::matrices(a)              A_i full                        a: m x N*N, each row a matrix in C order
//   Diffusion::constant_matrix(a)       A full, the same everywhere     a: N x N
#pragma once

#include "itomap/core/types.hpp"

namespace itomap {

class Diffusion {
 public:
  enum class Kind { Constant, ConstantMatrix, Scalars, Diagonals, Matrices };

  static Diffusion constant(double a);
  static Diffusion constant_matrix(PointsView a);
  static Diffusion scalars(VectorView a);
  static Diffusion diagonals(PointsView a);
  static Diffusion matrices(PointsView a);

  Kind kind() const { return kind_; }
  /// The numbers as they were given: one row per point, or a single row for the constant kinds.
  const Points& values() const { return values_; }

  /// A is the same at all points, even if given for each.
  bool is_constant() const;

  /// A at point i as an N x N matrix.
  Matrix at(Index i, Index dimension) const;

  /// Throws InvalidArgument unless there is one symmetric A per point, finite, with A + eta I positive definite.
  void validate(Index points, Index dimension, double eta) const;

  /// factor_i (A_i + eta I) at every point: the process at another pace there.
  Diffusion scaled(const Vector& factor, Index dimension, double eta) const;

  /// The same process on a subset of the points.
  Diffusion subset(const std::vector<Index>& indices) const;

 private:
  Diffusion(Kind kind, Points values) : kind_(kind), values_(std::move(values)) {}

  Kind kind_;
  Points values_;  // one row per point, or a single row for the constant kinds
};

}  // namespace itomap
