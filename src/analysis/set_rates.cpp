#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/context.hpp"
#include "core/dense_algebra.hpp"
#include "core/scaled_rows.hpp"
#include "generator/generator.hpp"
#include "itomap/analysis/cluster.hpp"
#include "itomap/core/error.hpp"
#include "solvers/orthogonal.hpp"

namespace itomap {
using namespace detail;
namespace {

/// <chi_j, (P - I) chi_k>. What is not the set's own comes first and the diagonal from it, because (P - I) 1 = 0:
/// nothing cancels, and sets that nothing leaves have zeros.
Matrix transitions(const Matrix& moved, const Matrix& overlap, const Vector& weights, double accuracy) {
  constexpr double rounding = 1e-13;  // of sums over many points
  Matrix step = moved - overlap;
  for (Index j = 0; j < step.rows(); ++j) {
    step(j, j) = 0.0;
    for (Index k = 0; k < step.cols(); ++k) {
      if (std::abs(step(j, k)) <= (accuracy + rounding) * weights[j]) {
        step(j, k) = 0.0;
      }
    }
    step(j, j) = -step.row(j).sum();
  }
  return step;
}

double inverse_rate(double rate) {
  if (std::isnan(rate)) {
    return rate;
  }
  return rate > 0.0 ? 1.0 / rate : std::numeric_limits<double>::infinity();
}

/// -1 / Re of all eigenvalues but the one nearest 0.
Vector timescales(const Matrix& rates) {
  const Eigen::VectorXcd values = general_values(rates);
  Vector decay = -values.real();
  std::ranges::sort(decay);
  Vector times(decay.size() - 1);
  for (Index k = 0; k < times.size(); ++k) {
    times[k] = inverse_rate(decay[k + 1]);
  }
  return times;
}

void check_shapes(const Generator& generator, VectorView stationary, PointsView memberships) {
  if (stationary.size() != generator.size() || memberships.rows() != generator.size() || memberships.cols() < 1) {
    throw InvalidArgument(fmt::format("memberships: {} x {} and {} weights for {} points; give one row for each",
                                      memberships.rows(), memberships.cols(), stationary.size(), generator.size()));
  }
}

}  // namespace

SetRates set_rates(const Map& map, VectorView stationary, PointsView memberships) {
  const Generator& generator = generator_of(map);
  const ExecutionScope scope(map.execution());
  check_shapes(generator, stationary, memberships);
  const Block weighted = scaled_rows(stationary, memberships);
  const Matrix overlap = inner(memberships, weighted);
  const Matrix moved = inner(weighted, generator.markov(memberships));

  SetRates rates;
  rates.weights = overlap.rowwise().sum();
  const Matrix flux = transitions(moved, overlap, rates.weights, generator.kernel->accuracy()) / generator.time_step();
  rates.escape_rates = -flux.diagonal().cwiseQuotient(overlap.diagonal());
  rates.exit_times = rates.escape_rates.unaryExpr(&inverse_rate);
  rates.rate_matrix = least_squares(overlap, flux);
  rates.timescales = timescales(rates.rate_matrix);
  return rates;
}

}  // namespace itomap
