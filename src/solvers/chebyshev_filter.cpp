#include "solvers/chebyshev_filter.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

/// Growth of the least wanted eigenvector per application, and the degree that may be spent on it. More would be fewer,
/// longer steps, from which a Krylov method learns less: at degree 4 four fifths of the products still count, and the
/// orthogonalisation is next to nothing.
constexpr double growth = 2.5;
constexpr Index highest_degree = 4;
/// The top eigenvalue 1 must not grow so much that rounding errors along it drown the others.
constexpr double most_growth = 14.0;

}  // namespace

ChebyshevFilter ChebyshevFilter::above(double low, double cut, double wanted) {
  ChebyshevFilter filter{low, cut, 1};
  if (!(wanted > cut && cut > low)) {
    return filter;
  }
  const double rate = std::acosh(filter.scaled(wanted).real());
  const double top = std::acosh(filter.scaled(std::max(1.0, wanted)).real());
  const double degree = std::min(growth / rate, most_growth / top);
  filter.degree = std::clamp<Index>(Index(std::lround(degree)), 1, highest_degree);
  return filter;
}

std::complex<double> ChebyshevFilter::value(std::complex<double> mu) const {
  if (!active()) {
    return mu;
  }
  return std::cosh(double(degree) * std::acosh(scaled(mu)));
}

double ChebyshevFilter::inverse(double value) const {
  if (!active()) {
    return value;
  }
  const double x = value > 1.0 ? std::cosh(std::acosh(value) / double(degree)) : 1.0;
  return 0.5 * (x * (cut - low) + cut + low);
}

double ChebyshevFilter::residual_factor(double value) const {
  if (!active()) {
    return 1.0;
  }
  // A component along another eigenvector with eigenvalue nu enters the residual of A with mu - nu and that of p(A)
  // with p(mu) - p(nu). Their ratio is smallest at the cut's slope, above it, or for nu below it.
  const double slope = 2.0 * double(degree * degree) / (cut - low);
  return std::clamp(value - 1.0, 0.0, slope);
}

Block ChebyshevFilter::apply(const LinearOperator& a, PointsView x) const {
  if (!active()) {
    return a.apply(x);
  }
  const double scale = 2.0 / (cut - low);
  const double shift = (cut + low) / (cut - low);
  const Operations operations{3.0 * double(x.size())};
  Block before = x;
  Block now = a.apply(x);
  parallel_chunks(x.rows(), row_chunk, operations, [&](Index begin, Index end) {
    const Index n = end - begin;
    now.middleRows(begin, n) = scale * now.middleRows(begin, n) - shift * before.middleRows(begin, n);
  });
  for (Index k = 1; k < degree; ++k) {
    const Block next = a.apply(now);
    // T_{k+1} = 2 x T_k - T_{k-1}, written over T_{k-1}.
    parallel_chunks(x.rows(), row_chunk, operations, [&](Index begin, Index end) {
      const Index n = end - begin;
      before.middleRows(begin, n) =
          2.0 * (scale * next.middleRows(begin, n) - shift * now.middleRows(begin, n)) - before.middleRows(begin, n);
    });
    before.swap(now);
  }
  return now;
}

}  // namespace itomap::detail
