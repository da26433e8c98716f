// A whole problem: points, process, method, engine, scales and questions, as a pure function of 64 bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "itomap/core/execution.hpp"
#include "itomap/generator/map_definition.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::differential {

struct Problem {
  std::uint64_t seed = 0;
  std::string kind;  ///< cloud and process in words, for messages
  MapDefinition map;
  Execution execution;
  EigenpairsOptions eigenpairs;

  /// Source and sink of committors are the points next to these two rows of `map.points`, a share of all each.
  Index source_seed = 0;
  Index sink_seed = 1;
  double set_share = 0.1;

  bool with_committor = false;
  bool with_extension = false;
  bool with_threads = false;  ///< once more with two threads
  bool with_storage = false;  ///< saved and loaded again
};

Problem random_problem(std::uint64_t seed);

/// One line: method, engine, sizes, scales, kind.
std::string describe(const Problem& problem);

/// "dmap", "tmd", "lkd", "biased lkd".
const char* method_name(Method method);

}  // namespace itomap::differential
