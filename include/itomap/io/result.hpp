// The result directory: what the command line writes and scripts read.
//
// result.json holds the parameters, eigenvalues, time scales, residuals, flags and diagnostics; the arrays lie beside
// it as .npy files. docs/reference/io/result.md lists every key. Points that were left out (drop_isolated) have NaN
// entries, so that rows always match the user's data.
#pragma once

#include <map>
#include <string>

#include "itomap/analysis/uncertainty.hpp"
#include "itomap/generator/generator.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

/// What the library cannot know: how it was called, and how long it took.
struct RunRecord {
  std::string command{};                    ///< "tmd"
  std::string parameters_json = "{}";       ///< all options, defaults included, as a JSON object
  std::map<std::string, double> seconds{};  ///< per stage
  Index dimension = 0;                      ///< N
  std::string epsilon_reason{};             ///< if epsilon was chosen from the data: why this one
};

/// The text of result.json; error bars are part of it where there are some.
std::string result_json(const Generator& generator, const Spectrum& spectrum, const RunRecord& run,
                        const Uncertainty* uncertainty = nullptr);

/// Writes result.json and all arrays into `out`; the caller commits.
void write_result(OutputDirectory& out, const Generator& generator, const Spectrum& spectrum, const RunRecord& run,
                  const Uncertainty* uncertainty = nullptr);

}  // namespace itomap
