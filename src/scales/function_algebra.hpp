// Algebra with functions on the points, real or complex. Their real and imaginary parts are real blocks, so that a real
// operator, or a sum over the points, never sees a complex number, and what is real costs no more than it must.
#pragma once

#include <vector>

#include "core/dense_algebra.hpp"
#include "itomap/spectrum/eigenfunctions.hpp"

namespace itomap::detail {

/// Without an imaginary part that is zero everywhere.
Eigenfunctions simplified(Eigenfunctions f);

Eigenfunctions on_rows(const Eigenfunctions& f, const std::vector<Index>& rows);
Eigenfunctions columns_of(const Eigenfunctions& f, const std::vector<Index>& columns);

/// A^T B, without a conjugate.
ComplexMatrix inner_products(const Eigenfunctions& a, const Eigenfunctions& b);
/// a_n^T b_n for each of the columns.
ComplexVector column_products(const Eigenfunctions& a, const Eigenfunctions& b);
/// conj(a_n)^T diag(weights) b_n.
ComplexVector conjugate_products(const Eigenfunctions& a, const Eigenfunctions& b, const Vector& weights);

/// F C. Real if both are.
Eigenfunctions combined(const Eigenfunctions& f, const ComplexMatrix& c);
/// Each column times its factor.
Eigenfunctions scaled_columns(Eigenfunctions f, const ComplexVector& factors);
/// A + B, of which each column is taken times its factor.
Eigenfunctions added(Eigenfunctions a, const Eigenfunctions& b, const ComplexVector& factors);
/// One more column, the conjugate of the last.
Eigenfunctions with_conjugate_of_last(Eigenfunctions f);

/// A F for a real operator on real blocks.
template <class Operator>
Eigenfunctions applied(const Operator& a, const Eigenfunctions& f) {
  return {a(f.re), f.is_real() ? Block() : Block(a(f.im))};
}

}  // namespace itomap::detail
