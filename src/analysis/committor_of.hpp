// The committor of a generator, for those that have one without a Map around it.
#pragma once

#include <vector>

#include "generator/generator.hpp"
#include "itomap/analysis/committor.hpp"

namespace itomap::detail {

/// In the present execution. Of the spectrum, its stationary weights must be those of the generator; its functions need
/// only be near eigenfunctions, to make slow processes cheap.
CommittorResult committor_of(const Generator& generator, const Spectrum& spectrum, const std::vector<Index>& source,
                             const std::vector<Index>& sink, const CommittorOptions& options);

}  // namespace itomap::detail
