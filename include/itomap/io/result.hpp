// The result directory: a map and its spectrum in files, for scripts and for later.
//
// result.json holds the definition of the map, eigenvalues, time scales, residuals, flags and diagnostics; the arrays
// lie beside it as .npy files, copies of the inputs among them. docs/reference/io/result.md lists every key. Points
// that were left out (drop_isolated) have NaN entries, so that rows always match the user's data.
//
// The directory appears whole or not at all. Loading builds the map again, to the same bits, and reads eigenvalues and
// eigenfunctions. Nothing is guessed: a field that is missing, unknown, out of range or at odds with another is refused
// by its name, and so is an array of another shape, or with NaN where a point is in the map.
//
//   itomap::save("result", map, spectrum);
//   const auto [map, spectrum] = itomap::load("result");
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "itomap/analysis/error_bars.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

/// What the library cannot know: how it was called, and how long it took.
struct RunRecord {
  std::string command{};                    ///< "tmd"
  std::string parameters_json = "{}";       ///< all options, defaults included, as a JSON object
  std::map<std::string, double> seconds{};  ///< per stage
  std::string command_line{};               ///< that repeats it, where there is one
  std::vector<std::string> columns{};       ///< names of the coordinates, where they have any
};

struct SaveOptions {
  bool force = false;  ///< replace a directory that holds an earlier result and nothing else
  RunRecord run{};
  const ErrorBars* error_bars = nullptr;  ///< to go with it
  /// Which arrays, of array_names(); all if empty. Eigenvalues and result.json are always there, and what is left out
  /// of an analysis of the directory is missed by it: load needs all but the embedding.
  std::vector<std::string> arrays{};
  bool single = false;  ///< functions, weights and densities in float32: half the size, relative error 6e-8

  bool writes(std::string_view array) const;
  /// Throws InvalidArgument if there is no array of one of the names.
  void validate() const;
};

/// "eigenfunctions", "left_eigenfunctions", "stationary", "density" (with the bandwidth), "embedding" and "inputs":
/// copies of points, target, drift and diffusion.
const std::vector<std::string>& array_names();

/// Throws IoError with one line if the directory exists or cannot be written; it is then as it was before.
void save(const std::string& directory, const Map& map, const Spectrum& spectrum, const SaveOptions& options = {});

struct Result {
  Map map;
  /// Rows are the points that are in the map. Without warnings and product counts.
  Spectrum spectrum;
};

/// Throws IoError with one line, which names the file and what is wrong in it.
Result load(const std::string& directory, const Execution& execution = {});

/// What averages over the invariant measure need, without the map.
struct StoredWeights {
  Vector stationary;  ///< one per point of the user's data, NaN for those that were left out
  bool reversible = true;
  Index components = 1;
};

/// Throws IoError as load does.
StoredWeights load_weights(const std::string& directory);

/// The text of result.json.
std::string result_json(const Map& map, const Spectrum& spectrum, const SaveOptions& options = {});

/// Eigenvalues, and A of LKDmap if it is asked for: what does not grow with the points.
void write_small_arrays(const std::string& folder, const MapDefinition& definition, const Spectrum& spectrum,
                        const SaveOptions& options = {});

/// Writes all files into `out`, result.json last, and returns its text; the caller commits.
std::string write_result(OutputDirectory& out, const Map& map, const Spectrum& spectrum,
                         const SaveOptions& options = {});

}  // namespace itomap
