#include "scales/function_algebra.hpp"

#include <complex>
#include <utility>

#include "core/parallel.hpp"
#include "solvers/orthogonal.hpp"

namespace itomap::detail {
namespace {

constexpr std::complex<double> i(0.0, 1.0);

Block and_zeros(const Eigenfunctions& f) { return f.is_real() ? Block::Zero(f.rows(), f.cols()) : f.im; }

/// Sums over the points of w a_n b_n, row by row as blocks lie in memory; no weights: 1.
Vector products_of(const Block& a, const Block& b, const Vector& weights) {
  const Operations operations{2.0 * double(a.size())};
  return parallel_sum(a.rows(), row_chunk, operations, 1, a.cols(),
                      [&](Index begin, Index end) {
                        Eigen::RowVectorXd sums = Eigen::RowVectorXd::Zero(a.cols());
                        for (Index i = begin; i < end; ++i) {
                          const double weight = weights.size() > 0 ? weights[i] : 1.0;
                          sums += weight * a.row(i).cwiseProduct(b.row(i));
                        }
                        return Matrix(sums);
                      })
      .transpose();
}

/// The same of complex columns; with the sign -1 those of a are taken conjugate.
ComplexVector summed_products(const Eigenfunctions& a, const Eigenfunctions& b, const Vector& weights, double sign) {
  ComplexVector result = products_of(a.re, b.re, weights).cast<std::complex<double>>();
  if (!b.is_real()) {
    result += i * products_of(a.re, b.im, weights);
  }
  if (!a.is_real()) {
    result += sign * i * products_of(a.im, b.re, weights);
  }
  if (!a.is_real() && !b.is_real()) {
    result -= sign * products_of(a.im, b.im, weights);
  }
  return result;
}

/// a_n += b_n factor_n, likewise.
void add_columns(const Block& b, const Vector& factors, Block& a) {
  parallel_chunks(a.rows(), row_chunk, {2.0 * double(a.size())}, [&](Index begin, Index end) {
    a.middleRows(begin, end - begin) += b.middleRows(begin, end - begin) * factors.asDiagonal();
  });
}

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
  return summed_products(a, b, {}, 1.0);
}

ComplexVector conjugate_products(const Eigenfunctions& a, const Eigenfunctions& b, const Vector& weights) {
  return summed_products(a, b, weights, -1.0);
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
  add_columns(b.re, factors.real(), a.re);
  if (!b.is_real()) {
    add_columns(b.im, -factors.imag(), a.re);
  }
  const bool real = a.is_real() && b.is_real() && factors.imag().isZero(0.0);
  if (!real) {
    if (a.is_real()) {
      a.im = Block::Zero(a.rows(), a.cols());
    }
    add_columns(b.re, factors.imag(), a.im);
    if (!b.is_real()) {
      add_columns(b.im, factors.real(), a.im);
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
