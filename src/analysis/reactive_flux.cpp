// With w = phi q-, the flux from i to j is f_ij = w_i P_ij q+_j / epsilon. The flux of a point,
// 1/2 sum_j (f_ij - f_ji) (q+_j - q+_i), has no term j = i, so that P serves for L.
#include "analysis/reactive_flux.hpp"

namespace itomap {
namespace {

struct PathTerms {
  Block forward;   // P q+ and P q+^2
  Block backward;  // P^T w and P^T (w q+)
};

PathTerms path_terms(const Generator& g, const Vector& w, const Vector& q) {
  Block f(q.size(), 2);
  f << q, q.cwiseAbs2();
  Block b(q.size(), 2);
  b << w, w.cwiseProduct(q);
  return {g.markov(f), g.markov_transpose(b)};
}

/// Both halves in one: detailed balance makes them 1/2 phi_i sum_j P_ij (q_j - q_i)^2.
Vector reversible_flux(const Generator& g, const Vector& weights, const Vector& q, const Block& forward) {
  const Vector squares = forward.col(1) - 2.0 * q.cwiseProduct(forward.col(0)) + q.cwiseAbs2();
  return weights.cwiseProduct(squares.cwiseMax(0.0)) / (2.0 * g.epsilon);
}

Vector general_flux(const Generator& g, const Vector& w, const Vector& q, const PathTerms& terms) {
  const Vector out = w.cwiseProduct(terms.forward.col(1) - q.cwiseProduct(terms.forward.col(0)));
  const Vector in = q.cwiseProduct(q.cwiseProduct(terms.backward.col(0)) - terms.backward.col(1));
  return (out + in) / (2.0 * g.epsilon);
}

}  // namespace

void add_reactive_flux(const Generator& g, const Vector& weights, const std::vector<Index>& source,
                       const std::vector<Index>& sink, CommittorResult& result) {
  const Vector& q = result.forward;
  const Vector w = weights.cwiseProduct(result.backward);
  PathTerms terms;
  if (g.reversible) {
    Block f(q.size(), 2);
    f << q, q.cwiseAbs2();
    terms.forward = g.markov(f);
    result.flux = reversible_flux(g, weights, q, terms.forward);
    const Vector arriving = weights.cwiseProduct(Vector::Ones(q.size()) - terms.forward.col(0));
    result.flux_into_sink = arriving(sink).sum() / g.epsilon;
  } else {
    terms = path_terms(g, w, q);
    result.flux = general_flux(g, w, q, terms);
    const Vector arriving = terms.backward.col(0);
    result.flux_into_sink = arriving(sink).sum() / g.epsilon;
  }
  const Vector leaving = weights.cwiseProduct(terms.forward.col(0));
  result.total_flux = leaving(source).sum() / g.epsilon;
  const double from_source = w.sum();
  result.rate = result.total_flux / from_source;
  result.reverse_rate = result.total_flux / (weights.sum() - from_source);
}

}  // namespace itomap
