#include <unistd.h>

#include <filesystem>

#include "differential/checks.hpp"
#include "itomap/io/result.hpp"

namespace itomap::differential {
namespace {

/// Bit by bit, NaN equal to NaN.
template <class A, class B>
bool same(const A& a, const B& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         ((a.array() == b.array()) || (a.array().isNaN() && b.array().isNaN())).all();
}

void compare(const char* kind, const Solved& s, const Map& map, const Spectrum& spectrum, Findings& findings) {
  const auto expect = [&](const char* what, bool equal) {
    if (!equal) {
      findings.add(kind, "{} differs", what);
    }
  };
  const detail::Generator& g = detail::generator_of(map);
  expect("kept", map.kept() == s.map.kept());
  expect("q", same(map.density(), s.map.density()));
  expect("d", same(g.right_weights, s.generator().right_weights));
  expect("K d", same(g.row_sums, s.generator().row_sums));
  expect("eigenvalues", same(spectrum.eigenvalues.real(), s.spectrum.eigenvalues.real()) &&
                            same(spectrum.eigenvalues.imag(), s.spectrum.eigenvalues.imag()));
  expect("psi", same(spectrum.eigenfunctions.re, s.spectrum.eigenfunctions.re) &&
                    same(spectrum.eigenfunctions.im, s.spectrum.eigenfunctions.im));
  expect("phi", same(spectrum.left_eigenfunctions.re, s.spectrum.left_eigenfunctions.re) &&
                    same(spectrum.left_eigenfunctions.im, s.spectrum.left_eigenfunctions.im));
  expect("phi_0", same(spectrum.stationary, s.spectrum.stationary));
  expect("flags", spectrum.spurious == s.spectrum.spurious);
  expect("residuals", same(spectrum.residuals, s.spectrum.residuals));
  findings.passed(kind);
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
  Execution two = s.problem.execution;
  two.threads = 2;
  const Map map = make_map(s.problem.map, two);
  compare("threads", s, map, eigenpairs(map, s.problem.eigenpairs), findings);
}

void check_storage(const Solved& s, Findings& findings) {
  const Scratch scratch;
  save(scratch.path().string(), s.map, s.spectrum);
  const Result stored = load(scratch.path().string());
  compare("storage", s, stored.map, stored.spectrum, findings);
}

}  // namespace itomap::differential
