// Transition path theory on the points: what the committors say about flux and rate.
#pragma once

#include <vector>

#include "analysis/set_edges.hpp"
#include "generator/generator.hpp"
#include "itomap/analysis/committor.hpp"

namespace itomap::detail {

struct FluxProblem {
  const std::vector<Index>& source;
  const std::vector<Index>& sink;
  bool sharp;  ///< whether steps are weighted: then points of the sets have no flux but that which jumps across
  const StepsBetween& forward;
  const StepsBetween& backward;  ///< of the process run backwards
};

/// Fills flux, total_flux, flux_into_sink, rate and reverse_rate from both committors and the stationary weights.
/// `weights` are 0 in components that do not hold both sets; the committors must be finite.
void add_reactive_flux(const Generator& generator, const Vector& weights, const FluxProblem& problem,
                       CommittorResult& result);

}  // namespace itomap::detail
