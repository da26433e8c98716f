// Transition path theory on the points: what the committors say about flux and rate.
#pragma once

#include <vector>

#include "generator/generator.hpp"
#include "itomap/analysis/committor.hpp"

namespace itomap::detail {

/// Fills flux, total_flux, flux_into_sink, rate and reverse_rate from both committors and the stationary weights.
/// `weights` are 0 in components that do not hold both sets; the committors must be finite.
void add_reactive_flux(const Generator& generator, const Vector& weights, const std::vector<Index>& source,
                       const std::vector<Index>& sink, CommittorResult& result);

}  // namespace itomap::detail
