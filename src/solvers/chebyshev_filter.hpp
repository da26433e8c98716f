// Polynomials of an operator that lift its leading eigenvalues out of the crowd.
//
// T_d, the Chebyshev polynomial of degree d, stays within [-1, 1] on [low, cut] and grows as fast as any polynomial can
// above. A Krylov space of T_d(A) holds the same leading eigenvectors as one of A but finds them in d times fewer
// steps; the products with A are as many, but the orthogonalisation, which costs more than a fast product, is d times
// rarer.
#pragma once

#include "solvers/linear_operator.hpp"

namespace itomap::detail {

struct ChebyshevFilter {
  double low = 0.0;
  double cut = 1.0;
  Index degree = 1;  ///< 1: the operator itself

  bool active() const { return degree > 1; }

  /// Filters out [low, cut] such that the value `wanted` > cut grows by a useful factor.
  static ChebyshevFilter above(double low, double cut, double wanted);

  /// p(mu), real or complex.
  std::complex<double> value(std::complex<double> mu) const;
  /// The mu >= cut with p(mu) = value; cut for values that do not exceed 1.
  double inverse(double value) const;
  /// A residual of p(A) divided by this bounds that of A, for a Ritz vector with p(mu) = value; 0 if it says nothing.
  double residual_factor(double value) const;

  /// p(A) X; costs `degree` products.
  Block apply(const LinearOperator& a, PointsView x) const;

 private:
  std::complex<double> scaled(std::complex<double> mu) const { return (2.0 * mu - (cut + low)) / (cut - low); }
};

}  // namespace itomap::detail
