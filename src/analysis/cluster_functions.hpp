// Which eigenfunctions sets are made of.
#pragma once

#include <string>
#include <vector>

#include "itomap/analysis/cluster.hpp"

namespace itomap::detail {

struct ChosenFunctions {
  std::vector<Index> indices;
  std::vector<std::string> warnings;  ///< spurious or unconverged modes, taken or passed over
};

/// Those that the options name, or the default. Throws InvalidArgument for indices that the spectrum does not have,
/// repeated ones, halves of complex pairs, and numbers that do not fit to the number of sets.
ChosenFunctions choose_functions(const Spectrum& spectrum, const ClusterOptions& options, ClusterMethod method);

/// Their values at the points, as real numbers: a complex pair gives its real and its imaginary part.
Block real_functions(const Spectrum& spectrum, const std::vector<Index>& indices);

}  // namespace itomap::detail
