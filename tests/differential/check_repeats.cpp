#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "differential/checks.hpp"
#include "itomap/io/result.hpp"
#include "itomap/io/stored_map.hpp"

namespace itomap::differential {
namespace {

/// Bit by bit, NaN equal to NaN.
template <class A, class B>
bool same(const A& a, const B& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         ((a.array() == b.array()) || (a.array().isNaN() && b.array().isNaN())).all();
}

void compare(const char* kind, const Solved& s, const Generator& map, const Spectrum& spectrum, Findings& findings) {
  const auto expect = [&](const char* what, bool equal) {
    if (!equal) findings.add(kind, "{} differs", what);
  };
  expect("kept", map.kept == s.map.kept);
  expect("q", same(map.density, s.map.density));
  expect("d", same(map.right_weights, s.map.right_weights));
  expect("K d", same(map.row_sums, s.map.row_sums));
  expect("eigenvalues", same(spectrum.eigenvalues.real(), s.spectrum.eigenvalues.real()) &&
                            same(spectrum.eigenvalues.imag(), s.spectrum.eigenvalues.imag()));
  expect("psi", same(spectrum.eigenfunctions, s.spectrum.eigenfunctions) &&
                    same(spectrum.eigenfunctions.im, s.spectrum.eigenfunctions.im));
  expect("phi", same(spectrum.left_eigenfunctions, s.spectrum.left_eigenfunctions) &&
                    same(spectrum.left_eigenfunctions.im, s.spectrum.left_eigenfunctions.im));
  expect("phi_0", same(spectrum.stationary, s.spectrum.stationary));
  expect("flags", spectrum.spurious == s.spectrum.spurious);
  expect("residuals", same(spectrum.residuals, s.spectrum.residuals));
  findings.passed(kind);
}

std::string parameters_of(const MapDefinition& map) {
  nlohmann::json parameters;
  parameters["alpha"] = map.alpha;
  parameters["eta"] = map.eta;
  parameters["keep_traps"] = map.keep_traps;
  parameters["cutoff"] = map.kernel.cutoff;
  parameters["single"] = map.kernel.single_precision;
  parameters["drop_isolated"] = map.drop_isolated;
  parameters["bandwidth"] = map.bandwidth.strength;
  parameters["bandwidth_neighbours"] = map.bandwidth.neighbours;
  parameters["manifold_dimension"] = map.bandwidth.dimension;
  if (!map.kernel.period.empty()) parameters["period"] = map.kernel.period;
  return parameters.dump();
}

/// A directory of this process that is removed at the end.
class Scratch {
 public:
  Scratch() : path_(std::filesystem::temp_directory_path() / fmt::format("itomap-differential-{}", ::getpid())) {
    std::filesystem::remove_all(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

void check_threads(const Solved& s, Findings& findings) {
  MapDefinition definition = s.problem.map;
  definition.kernel.threads = 2;
  const Generator map = definition.build();
  compare("threads", s, map, eigenpairs(map, s.problem.eigenpairs), findings);
}

void check_storage(const Solved& s, Findings& findings) {
  const Scratch scratch;
  OutputDirectory out(scratch.path(), false);
  RunRecord run{.command = "map", .parameters_json = parameters_of(s.problem.map)};
  run.dimension = s.problem.map.points.cols();
  write_result(out, s.map, s.spectrum, run);
  write_inputs(out, s.problem.map);
  out.commit();
  const StoredMap stored = load_map(scratch.path().string());
  compare("storage", s, stored.generator, stored.spectrum, findings);
}

}  // namespace itomap::differential
