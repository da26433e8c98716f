// A Markov chain given by its kernel matrix, as a map and with its exact spectrum: small chains whose sets and
// rates are known by direct sums.
#pragma once

#include <vector>

#include "itomap/generator/map.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::test {

struct Chain {
  Matrix markov;      ///< P = diag(K 1)^-1 K
  Vector stationary;  ///< pi P = pi, sums to 1
  Map map;
  Spectrum spectrum;  ///< all eigenpairs of L = (P - I) / epsilon, from a dense solver
};

/// Reversible if K is symmetric.
Chain chain(const Matrix& kernel, double epsilon);

/// Blocks of the given sizes, uniform entries between 1/2 and 3/2 inside. Entries from one block to another are smaller
/// by the factor `leak`, to the next block only if `cyclic`: then the chain goes round and has complex pairs.
Matrix block_kernel(const std::vector<Index>& sizes, double leak, bool cyclic, std::uint64_t seed);

/// Block of each point.
std::vector<Index> block_labels(const std::vector<Index>& sizes);

}  // namespace itomap::test
