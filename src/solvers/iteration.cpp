#include "solvers/iteration.hpp"

#include <fmt/format.h>

#include "core/scaled_rows.hpp"
#include "solvers/orthogonal.hpp"

namespace itomap::detail {
namespace {

std::vector<Index> others(Index count, const std::vector<Index>& left_out) {
  std::vector<Index> kept;
  for (Index k = 0; k < count; ++k) {
    if (std::find(left_out.begin(), left_out.end(), k) == left_out.end()) {
      kept.push_back(k);
    }
  }
  return kept;
}

std::vector<std::size_t> unfinished(const std::vector<std::unique_ptr<Iteration>>& iterations,
                                    const std::vector<Index>& steps, Index most_steps) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < iterations.size(); ++k) {
    if (!iterations[k]->finished() && steps[k] < most_steps) {
      open.push_back(k);
    }
  }
  return open;
}

}  // namespace

Deflation deflation(const Apply& apply, const Vector& inside, PointsView functions) {
  // Of a function that is a combination of others up to this, nothing but rounding would be left.
  constexpr double dependence = 1e-6;
  Block restricted = scaled_rows(inside, functions);
  normalise_columns(restricted);
  std::vector<Index> dependent;
  orthonormalise(restricted, dependence, dependent);
  Deflation result{restricted(Eigen::all, others(restricted.cols(), dependent)), Block(inside.size(), 0)};
  if (result.basis.cols() > 0) {
    result.image = result.basis - scaled_rows(inside, apply(scaled_rows(inside, result.basis)));
  }
  return result;
}

std::vector<Index> advance_together(const Apply& apply, const std::vector<std::unique_ptr<Iteration>>& iterations,
                                    Index most_steps, Reporter& reporter) {
  std::vector<Index> steps(iterations.size(), 0);
  for (;;) {
    const auto open = unfinished(iterations, steps, most_steps);
    if (open.empty()) {
      return steps;
    }
    Block directions(iterations[open[0]]->direction().size(), Index(open.size()));
    for (std::size_t k = 0; k < open.size(); ++k) {
      directions.col(Index(k)) = iterations[open[k]]->direction();
    }
    const Block products = apply(directions);
    for (std::size_t k = 0; k < open.size(); ++k) {
      iterations[open[k]]->advance(products.col(Index(k)));
      ++steps[open[k]];
    }
    reporter.report_or_throw(
        -1.0, fmt::format("{} of {} systems solved", iterations.size() - open.size(), iterations.size()));
  }
}

}  // namespace itomap::detail
