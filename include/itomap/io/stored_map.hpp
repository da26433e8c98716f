// A map and its spectrum, back from a result directory.
//
// The directory holds copies of the inputs beside the results: points.npy, and log_target.npy or drift.npy and
// diffusion.npy. With the parameters of result.json they determine the generator, which is built again, to the same
// bits; eigenvalues and eigenfunctions are read.
//
//   const auto map = itomap::load_map("result");
//   map.generator.markov(f);  map.spectrum.eigenfunctions.col(1);
#pragma once

#include <string>

#include "itomap/generator/map_definition.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

struct StoredMap {
  std::string directory;
  std::string command;  ///< "dmap", "tmd" or "lkd"
  MapDefinition definition;
  Generator generator;
  /// Rows are the points that are in the map: generator.kept of the user's. Without warnings and product counts.
  Spectrum spectrum;
};

/// How much of the machine to use while building: these are not properties of the map.
struct LoadOptions {
  int threads = 0;
  std::optional<std::size_t> memory{};
  Progress progress{};
};

/// Throws IoError with one line, which names the file and what is wrong in it, if `directory` is not a whole result:
/// an array of another shape or with NaN where a point is in the map, an entry of result.json that is missing, of
/// another type or contradicts the arrays.
StoredMap load_map(const std::string& directory, const LoadOptions& options = {});

/// What averages over the invariant measure need, without the map.
struct StoredWeights {
  Vector stationary;  ///< one per point of the user's data, NaN for those that were left out
  bool reversible = true;
  Index components = 1;
};

/// Throws IoError as load_map does.
StoredWeights load_weights(const std::string& directory);

/// Writes the copies of the inputs that load_map needs; result.json comes from write_result.
void write_inputs(OutputDirectory& out, const MapDefinition& definition);

}  // namespace itomap
