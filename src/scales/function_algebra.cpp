#include "scales/function_algebra.hpp"

#include <complex>
#include <utility>

#include "solvers/orthogonal.hpp"

namespace itomap::detail {
namespace {

constexpr std::complex<double> i(0.0, 1.0);

Block and_zeros(const Eigenfunctions& f) { return f.is_real() ? Block::Zero(f.rows(), f.cols()) : f.im; }

/// Sums over the points of a_n b_n.
Vector products_of(const Block& a, const Block& b) { return a.cwiseProduct(b).colwise().sum(); }

}  // namespace

Eigenfunctions simplified(Eigenfunctions f) {
  if (!f.is_real() && f.im.isZero(0.0)) {
    f.im.resize(0, 0);
  }
  return f;
}

Eigenfunctions on_rows(const Eigenfunctions& f, const std::vector<Index>& rows) {
  return {f.re(rows, Eigen::all), f.is_real() ? Block() : Block(f.im(rows, Eigen::all))};
}

Eigenfunctions columns_of(const Eigenfunctions& f, const std::vector<Index>& columns) {
  return {f.re(Eigen::all, columns), f.is_real() ? Block() : Block(f.im(Eigen::all, columns))};
}

ComplexMatrix inner_products(const Eigenfunctions& a, const Eigenfunctions& b) {
  ComplexMatrix result = inner(a.re, b.re).cast<std::complex<double>>();
  if (!b.is_real()) {
    result += i * inner(a.re, b.im);
  }
  if (!a.is_real()) {
    result += i * inner(a.im, b.re);
  }
  if (!a.is_real() && !b.is_real()) {
    result -= inner(a.im, b.im);
  }
  return result;
}

ComplexVector column_products(const Eigenfunctions& a, const Eigenfunctions& b) {
  ComplexVector result = products_of(a.re, b.re).cast<std::complex<double>>();
  if (!b.is_real()) {
    result += i * products_of(a.re, b.im);
  }
  if (!a.is_real()) {
    result += i * products_of(a.im, b.re);
  }
  if (!a.is_real() && !b.is_real()) {
    result -= products_of(a.im, b.im);
  }
  return result;
}

Eigenfunctions combined(const Eigenfunctions& f, const ComplexMatrix& c) {
  Eigenfunctions result{product(f.re, c.real())};
  if (f.is_real() && c.imag().isZero(0.0)) {
    return result;
  }
  result.im = product(f.re, c.imag());
  if (!f.is_real()) {
    result.re -= product(f.im, c.imag());
    result.im += product(f.im, c.real());
  }
  return result;
}

Eigenfunctions scaled_columns(Eigenfunctions f, const ComplexVector& factors) {
  if (f.is_real() && factors.imag().isZero(0.0)) {
    f.re *= factors.real().asDiagonal();
    return f;
  }
  const Block im = and_zeros(f);
  Eigenfunctions result{f.re * factors.real().asDiagonal(), f.re * factors.imag().asDiagonal()};
  result.re -= im * factors.imag().asDiagonal();
  result.im += im * factors.real().asDiagonal();
  return result;
}

Eigenfunctions added(Eigenfunctions a, const Eigenfunctions& b, const ComplexVector& factors) {
  a.re += b.re * factors.real().asDiagonal();
  if (!b.is_real()) {
    a.re -= b.im * factors.imag().asDiagonal();
  }
  const bool real = a.is_real() && b.is_real() && factors.imag().isZero(0.0);
  if (!real) {
    a.im = and_zeros(a);
    a.im += b.re * factors.imag().asDiagonal();
    if (!b.is_real()) {
      a.im += b.im * factors.real().asDiagonal();
    }
  }
  return a;
}

Eigenfunctions with_conjugate_of_last(Eigenfunctions f) {
  const Index last = f.cols() - 1;
  f.im = and_zeros(f);
  for (Block* part : {&f.re, &f.im}) {
    part->conservativeResize(Eigen::NoChange, last + 2);
  }
  f.re.col(last + 1) = f.re.col(last);
  f.im.col(last + 1) = -f.im.col(last);
  return f;
}

}  // namespace itomap::detail
