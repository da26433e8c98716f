// The four maps of a random problem, by the library and by the reference, in the same order.
#pragma once

#include <string>
#include <vector>

#include "itomap/generator/map.hpp"
#include "support/random_problem.hpp"
#include "support/reference.hpp"

namespace itomap::samples {

/// The exponent of the diffusion map below: none of the special ones.
inline constexpr double generic_alpha = 0.7;

/// Diffusion map, TMDmap, LKDmap and the biased local kernel.
std::vector<Map> all_maps(const Problem& problem, const KernelOptions& kernel, const Execution& execution = {});
std::vector<reference::Map> all_reference_maps(const Problem& problem);

/// For messages.
std::string name_of(const Map& map);

/// P as a matrix.
Matrix markov_matrix(const Map& map);

}  // namespace itomap::samples
