#include "spectrum/paired_sides.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"

namespace itomap::detail {
namespace {

/// Eigenvalues of P that differ by less, in units of the tolerance, are copies of one: their vectors may mix.
constexpr double copies = 100.0;
/// Values of both sides that differ by less, in the same units, need no better one.
constexpr double agreed = 0.1;

/// Position in `mu` of the value closest to `value` that is not taken yet.
Index closest(const ComplexVector& mu, std::complex<double> value, const std::vector<bool>& taken) {
  Index best = -1;
  for (Index k = 0; k < mu.size(); ++k) {
    if (!taken[std::size_t(k)] && (best < 0 || std::abs(mu[k] - value) < std::abs(mu[best] - value))) {
      best = k;
    }
  }
  return best;
}

/// The partner on the left of every value on the right.
std::vector<Index> partners(const ComplexVector& right, const ComplexVector& left) {
  std::vector<bool> taken(std::size_t(left.size()), false);
  std::vector<Index> result;
  for (Index k = 0; k < right.size(); ++k) {
    result.push_back(closest(left, right[k], taken));
    taken[std::size_t(result.back())] = true;
  }
  return result;
}

/// A residual is orthogonal to the space that its vector comes from: another value adds at a right angle.
double residual_with(double residual, std::complex<double> own, std::complex<double> mu) {
  return std::hypot(residual, std::abs(own - mu));
}

/// All values that are copies of the n-th, itself among them.
std::vector<Index> copies_of(const ComplexVector& mu, Index n, double distance) {
  std::vector<Index> group;
  for (Index k = 0; k < mu.size(); ++k) {
    if (std::abs(mu[k] - mu[n]) <= distance) {
      group.push_back(k);
    }
  }
  return group;
}

/// The left side in the order of the right one.
Side matched(const Side& left, const std::vector<Index>& partner) {
  return {left.mu(partner), left.vectors(Eigen::all, partner), left.residuals(partner)};
}

/// Coefficients c of the n-th left vector, such that sum_k c_k left_k is orthogonal to all psi of the group but the
/// n-th.
ComplexVector coefficients(const ComplexMatrix& gram, const std::vector<Index>& group, Index n) {
  const auto size = Index(group.size());
  ComplexMatrix unit = ComplexMatrix::Zero(size, 1);
  unit(std::find(group.begin(), group.end(), n) - group.begin(), 0) = 1.0;
  const ComplexMatrix inner_products = gram(group, group).transpose();
  ComplexVector result = ComplexVector::Zero(gram.rows());
  result(group) = solved(inner_products, unit).col(0);
  return result;
}

/// A bound on the residual of the sum, relative to its norm, as an eigenvector of the n-th value.
double mixed_residual(const Side& left, const ComplexVector& c, Index n, double norm) {
  double residual = 0.0;
  for (Index k = 0; k < c.size(); ++k) {
    residual += std::abs(c[k]) * (left.residuals[k] + std::abs(left.mu[k] - left.mu[n]));
  }
  return residual / norm;
}

/// Left vectors biorthonormal to the right ones, with bounds on their residuals. Where that would spread the errors of
/// ill-conditioned pairs, among copies alone.
ComplexMatrix biorthonormal(const Side& left, const ComplexMatrix& psi, double tolerance, Vector& bounds) {
  const ComplexMatrix gram = left.vectors.transpose() * psi;
  const ComplexMatrix among_all =
      solved(ComplexMatrix(gram.transpose()), ComplexMatrix::Identity(gram.rows(), gram.cols()));
  ComplexMatrix phi(left.vectors.rows(), left.mu.size());
  for (Index n = 0; n < left.mu.size(); ++n) {
    ComplexVector c = among_all.col(n);
    phi.col(n) = left.vectors * c;
    bounds[n] = mixed_residual(left, c, n, phi.col(n).norm());
    if (!(bounds[n] <= tolerance)) {
      c = coefficients(gram, copies_of(left.mu, n, copies * tolerance), n);
      phi.col(n) = left.vectors * c;
      bounds[n] = mixed_residual(left, c, n, phi.col(n).norm());
    }
  }
  return phi;
}

Block parts(const ComplexVector& x) {
  Block parts(x.size(), 2);
  parts << x.real(), x.imag();
  return parts;
}

/// |A x - mu x| / |x|.
double residual_of(const LinearOperator& a, const ComplexVector& x, std::complex<double> mu) {
  return (a.apply(parts(x)) - parts(mu * x)).norm() / x.norm();
}

/// phi^T P psi, for phi^T psi = 1; the right side's own value where that is lost.
std::complex<double> two_sided_value(const LinearOperator& p, const ComplexVector& psi, const ComplexVector& phi,
                                     std::complex<double> own) {
  const Block image = p.apply(parts(psi));
  std::complex<double> correction = 0.0;
  for (Index i = 0; i < psi.size(); ++i) {
    correction += phi[i] * (std::complex<double>(image(i, 0), image(i, 1)) - own * psi[i]);
  }
  if (own.imag() == 0.0) {
    correction = correction.real();  // a real value has real vectors, but for rounding
  }
  const std::complex<double> value = own + correction;
  const bool same_kind = (value.imag() > 0.0) == (own.imag() > 0.0);  // next to defective ones, anything may come out
  return std::abs(correction) < 1.0 && same_kind ? value : own;
}

/// The second of a conjugate pair is the first, conjugate, to the last digit.
void take_conjugate(Index n, PairedSides& pairs) {
  pairs.mu[n] = std::conj(pairs.mu[n - 1]);
  pairs.psi.col(n) = pairs.psi.col(n - 1).conjugate();
  pairs.phi.col(n) = pairs.phi.col(n - 1).conjugate();
  pairs.residuals[n] = pairs.residuals[n - 1];
  pairs.left_residuals[n] = pairs.left_residuals[n - 1];
}

}  // namespace

bool PairedSides::two_sided(Index n) const {
  const std::complex<double> product = (phi.col(n).transpose() * psi.col(n)).value();
  return std::abs(product - 1.0) < 1e-3;
}

Side ritz_side(const LinearOperator& p, const Block& basis) {
  const Block image = p.apply(basis);
  const ProjectedPairs ritz = projected_pairs(inner(basis, image), false);
  Side side;
  side.mu = ritz.values;
  side.vectors = basis * ritz.vectors;
  side.residuals = (image * ritz.vectors - side.vectors * ritz.values.asDiagonal()).colwise().norm();
  return side;
}

PairedSides paired(const LinearOperator& p, const LinearOperator& transpose, Side right, Side left, double tolerance) {
  left = matched(left, partners(right.mu, left.mu));
  const Index count = right.mu.size();
  PairedSides pairs{right.mu, std::move(right.vectors), {}, Vector(count), Vector(count)};
  pairs.phi = biorthonormal(left, pairs.psi, tolerance, pairs.left_residuals);
  for (Index n = 0; n < count; ++n) {
    if (right.mu[n].imag() < 0.0 && n > 0 && right.mu[n - 1] == std::conj(right.mu[n])) {
      take_conjugate(n, pairs);
      continue;
    }
    if (std::abs(right.mu[n] - left.mu[n]) > agreed * tolerance) {
      pairs.mu[n] = two_sided_value(p, pairs.psi.col(n), pairs.phi.col(n), right.mu[n]);
    }
    pairs.residuals[n] = residual_with(right.residuals[n], right.mu[n], pairs.mu[n]);
    pairs.left_residuals[n] += std::abs(left.mu[n] - pairs.mu[n]);
    if (!(pairs.left_residuals[n] <= tolerance)) {  // a bound: what is it really?
      pairs.left_residuals[n] = residual_of(transpose, pairs.phi.col(n), pairs.mu[n]);
    }
  }
  return pairs;
}

}  // namespace itomap::detail
