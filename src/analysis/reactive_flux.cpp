// With w = phi q-, the flux from i to j is f_ij = w_i P_ij q+_j / epsilon. The flux of a point,
// 1/2 sum_j (f_ij - f_ji) (q+_j - q+_i), has no term j = i, so that P serves for L.
#include "analysis/reactive_flux.hpp"

namespace itomap::detail {
namespace {

Block side_by_side(const Vector& a, const Vector& b) {
  Block both(a.size(), 2);
  both << a, b;
  return both;
}

/// Both halves in one: detailed balance makes them 1/2 phi_i sum_j P_ij (q_j - q_i)^2. Where q is nearly 1, so are all
/// its neighbours, and the differences of 1 - q keep their digits.
Vector reversible_flux(const Generator& g, const Vector& weights, const Vector& q) {
  const Vector p = Vector::Ones(q.size()) - q;
  Block functions(q.size(), 4);
  functions << q, q.cwiseAbs2(), p, p.cwiseAbs2();
  const Block image = g.markov(functions);
  const auto squares = [&](const Vector& z, Index first) -> Vector {
    return image.col(first + 1) - 2.0 * z.cwiseProduct(image.col(first)) + z.cwiseAbs2();
  };
  const Vector both = (q.array() < 0.5).select(squares(q, 0), squares(p, 2));
  return weights.cwiseProduct(both.cwiseMax(0.0)) / (2.0 * g.time_step());
}

/// `backward` is P^T w and P^T (w q+).
Vector general_flux(const Generator& g, const Vector& w, const Vector& q, const Block& forward, const Block& backward) {
  const Vector out = w.cwiseProduct(forward.col(1) - q.cwiseProduct(forward.col(0)));
  const Vector in = q.cwiseProduct(q.cwiseProduct(backward.col(0)) - backward.col(1));
  return (out + in) / (2.0 * g.time_step());
}

double sum_over(const std::vector<Index>& set, const Vector& values) { return values(set).sum(); }

/// Of steps from the source into the sink at once, for each point of the source.
Vector jumps(const Generator& g, const Vector& weights, const FluxProblem& problem) {
  Vector source = Vector::Zero(weights.size());
  Vector sink = source;
  source(problem.source).setOnes();
  sink(problem.sink).setOnes();
  return weights.cwiseProduct(source).cwiseProduct(g.markov(sink).col(0)) / g.time_step();
}

/// As reversible_flux with the steps M_ij = t_i P_ij t_j between the sets. The way into a set is all its point's.
Vector sharp_reversible_flux(const Generator& g, const Vector& weights, const Vector& q, const StepsBetween& steps) {
  const Vector& t = steps.weights;
  const Vector p = Vector::Ones(q.size()) - q;
  Block functions(q.size(), 5);
  functions << t, t.cwiseProduct(q), t.cwiseProduct(q.cwiseAbs2()), t.cwiseProduct(p), t.cwiseProduct(p.cwiseAbs2());
  const Block image = g.markov(functions);
  const auto squares = [&](const Vector& z, Index first) -> Vector {
    return image.col(first + 1) - 2.0 * z.cwiseProduct(image.col(first)) + z.cwiseAbs2().cwiseProduct(image.col(0));
  };
  const Vector both = (q.array() < 0.5).select(squares(q, 1), squares(p, 3));
  const Vector ends = steps.into_sink.cwiseProduct(p.cwiseAbs2()) + steps.into_source.cwiseProduct(q.cwiseAbs2());
  return weights.cwiseProduct(0.5 * t.cwiseProduct(both.cwiseMax(0.0)) + ends) / g.time_step();
}

Vector sharp_general_flux(const Generator& g, const Vector& weights, const FluxProblem& problem,
                          const CommittorResult& result) {
  const Vector& q = result.forward;
  const Vector& t = problem.forward.weights;
  const Vector w = weights.cwiseProduct(result.backward);
  const Block forward = g.markov(side_by_side(t.cwiseProduct(q), t.cwiseProduct(q.cwiseAbs2())));
  const Block backward = g.markov_transpose(side_by_side(t.cwiseProduct(w), t.cwiseProduct(w).cwiseProduct(q)));
  const Vector within = t.cwiseProduct(general_flux(g, w, q, forward, backward));
  const Vector ends = w.cwiseProduct(problem.forward.into_sink).cwiseProduct(Vector::Ones(q.size()) - q) +
                      weights.cwiseProduct(problem.backward.into_source).cwiseProduct(q.cwiseAbs2());
  return within + ends / g.time_step();
}

void set_sharp_flux(const Generator& g, const Vector& weights, const FluxProblem& problem, CommittorResult& result) {
  const Vector w = weights.cwiseProduct(result.backward);
  const Vector across = jumps(g, weights, problem);
  result.flux = across + (g.reversible ? sharp_reversible_flux(g, weights, result.forward, problem.forward)
                                       : sharp_general_flux(g, weights, problem, result));
  result.flux_into_sink = across.sum() + w.dot(problem.forward.into_sink) / g.time_step();
  const Vector leaving = weights.cwiseProduct(problem.backward.into_source);
  result.total_flux = g.reversible ? result.flux.sum() : across.sum() + leaving.dot(result.forward) / g.time_step();
}

/// The chain as it is.
void set_chain_flux(const Generator& g, const Vector& weights, const FluxProblem& problem, CommittorResult& result) {
  const Vector& q = result.forward;
  const Vector w = weights.cwiseProduct(result.backward);
  if (g.reversible) {
    // The sum over all points is a Dirichlet form, least at the true q: its error is of second order. That of the flux
    // into the sink is of first order, in numbers that are tiny where passages are rare.
    result.flux = reversible_flux(g, weights, q);
    result.total_flux = result.flux.sum();
    const Vector coming_back = weights.cwiseProduct(g.markov(Vector::Ones(q.size()) - q));
    result.flux_into_sink = sum_over(problem.sink, coming_back) / g.time_step();
  } else {
    const Block forward = g.markov(side_by_side(q, q.cwiseAbs2()));
    const Block backward = g.markov_transpose(side_by_side(w, w.cwiseProduct(q)));
    result.flux = general_flux(g, w, q, forward, backward);
    result.flux_into_sink = sum_over(problem.sink, backward.col(0)) / g.time_step();
    result.total_flux = sum_over(problem.source, weights.cwiseProduct(forward.col(0))) / g.time_step();
  }
}

}  // namespace

void add_reactive_flux(const Generator& g, const Vector& weights, const FluxProblem& problem, CommittorResult& result) {
  problem.sharp ? set_sharp_flux(g, weights, problem, result) : set_chain_flux(g, weights, problem, result);
  const double from_source = weights.dot(result.backward);
  result.rate = result.total_flux / from_source;
  result.reverse_rate = result.total_flux / (weights.sum() - from_source);
}

}  // namespace itomap::detail
