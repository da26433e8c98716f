#include "itomap/io/estimate.hpp"

#include <algorithm>
#include <vector>

#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "io/json.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap {
using namespace detail;
namespace {

template <class Numbers>
Json least_and_median(const Numbers& numbers) {
  std::vector<double> sorted(numbers.begin(), numbers.end());
  std::sort(sorted.begin(), sorted.end());
  return {{"min", number(sorted.front())}, {"median", number(sorted[sorted.size() / 2])}};
}

std::span<const double> span(const Points& values) { return {values.data(), static_cast<std::size_t>(values.size())}; }

void write_arrays(const OutputDirectory& out, const DynamicsEstimate& estimate) {
  const auto m = static_cast<std::size_t>(estimate.points.rows());
  const auto n = static_cast<std::size_t>(estimate.points.cols());
  write_npy(out.path("points.npy"), span(estimate.points), {m, n});
  write_npy(out.path("drift.npy"), span(estimate.drift), {m, n});
  write_npy(out.path("drift_error.npy"), span(estimate.drift_error), {m, n});
  write_npy(out.path("diffusion.npy"), span(estimate.diffusion), {m, n, n});
  write_npy(out.path("diffusion_error.npy"), span(estimate.diffusion_error), {m, n, n});
  const std::vector<double> counts(estimate.counts.begin(), estimate.counts.end());
  write_npy(out.path("counts.npy"), counts, {m});
}

}  // namespace

std::string estimate_json(const DynamicsEstimate& estimate, const RunRecord& run) {
  Json json;
  json["version"] = version();
  json["command"] = run.command;
  json["parameters"] = parameters_json(run.parameters_json);
  json["points"] = estimate.points.rows();
  json["dimension"] = estimate.points.cols();
  json["suggested_eta"] = number(estimate.suggested_eta);
  json["repaired"] = estimate.repaired;
  json["left_out"] = estimate.left_out;
  json["counts"] = least_and_median(estimate.counts);
  json["independent_counts"] = least_and_median(estimate.independent_counts);
  json["diagnostics"] = {{"repaired_points", estimate.repaired.size()}, {"warnings", estimate.warnings}};
  json["seconds"] = seconds_json(run.seconds);
  json["peak_memory_bytes"] = peak_memory_bytes();
  return json_text(json);
}

std::string write_estimate(OutputDirectory& out, const DynamicsEstimate& estimate, const RunRecord& run) {
  RunRecord timed = run;
  {
    const Stopwatch timer(timed.seconds["write"]);
    write_arrays(out, estimate);
  }
  std::string json = estimate_json(estimate, timed);
  write_text(out.path("result.json"), json);
  return json;
}

}  // namespace itomap
