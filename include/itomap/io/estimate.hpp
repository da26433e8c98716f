// The directory of an estimate: what `itomap estimate` writes and `itomap lkd` takes as it stands.
//
// points.npy, drift.npy, diffusion.npy, drift_error.npy, diffusion_error.npy and counts.npy have one row per query;
// result.json holds the parameters, the suggested eta, the repaired points and the warnings.
// docs/reference/io/estimate.md lists every key.
//
//   itomap::OutputDirectory out("estimate", /*force=*/false);
//   itomap::write_estimate(out, estimate, {.command = "estimate"});
//   out.commit();
#pragma once

#include <string>

#include "itomap/dynamics/kramers_moyal.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/io/result.hpp"

namespace itomap {

/// The text of result.json.
std::string estimate_json(const DynamicsEstimate& estimate, const RunRecord& run);

/// Writes all files into `out`, result.json last, and returns its text; the caller commits.
std::string write_estimate(OutputDirectory& out, const DynamicsEstimate& estimate, const RunRecord& run);

}  // namespace itomap
