#include <cmath>

#include "differential/checks.hpp"
#include "differential/tolerances.hpp"
#include "itomap/analysis/extension.hpp"

namespace itomap::differential {
namespace {

constexpr Index most_points = 6;

std::vector<Index> evenly_spread(Index size) {
  std::vector<Index> rows;
  for (Index k = 0; k < std::min(most_points, size); ++k) {
    rows.push_back(k * size / std::min(most_points, size));
  }
  return rows;
}

NewPoints at(const MapDefinition& map, const std::vector<Index>& rows) {
  NewPoints where;
  where.points = map.points.view()(rows, Eigen::all);
  if (map.local()) {
    where.drift = map.drift(rows, Eigen::all);
    where.diffusion = map.diffusion->subset(rows);
  }
  return where;
}

/// (P psi)_i without the share of a lazy chain that does not move.
std::complex<double> moved(const reference::WholeMap& whole, const Eigen::VectorXcd& psi, Index i) {
  const std::complex<double> stepped = (whole.markov.row(i).cast<std::complex<double>>() * psi).value();
  const double pace = whole.pace.size() > 0 ? whole.pace[i] : 1.0;
  return (stepped - (1.0 - pace) * psi[i]) / pace;
}

/// Extensions are no larger than the function is on the map.
std::complex<double> bounded(std::complex<double> value, double largest) {
  return std::abs(value) > largest ? value * (largest / std::abs(value)) : value;
}

}  // namespace

void check_extension(const Solved& s, Findings& findings) {
  const auto whole = reference_of(s.problem, s.map);
  if (whole.kept != s.map.kept()) {
    return;  // reported elsewhere
  }
  const Matrix bound = Tolerances(s.problem, s.map, whole).markov();
  std::vector<Index> points = evenly_spread(s.map.size());
  const Vector& chances = s.generator().pace;
  std::erase_if(points, [&](Index i) { return chances.size() > 0 && chances[i] == 0.0; });  // see only traps
  std::vector<Index> rows;
  for (const Index i : points) {
    rows.push_back(s.map.kept()[std::size_t(i)]);
  }
  const Extension extension = extend(s.map, s.spectrum, at(s.problem.map, rows));
  if (!extension.outside.empty()) {
    findings.add("extension", "point {} of the map is outside of it", rows[std::size_t(extension.outside[0])]);
    return;
  }
  const Eigen::MatrixXcd psi = s.psi();
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Index i = points[k];
    if (!bound.row(i).allFinite()) {
      findings.skipped("extension");
      continue;
    }
    const double pace = whole.pace.size() > 0 ? whole.pace[i] : 1.0;
    for (Index n = 0; n < psi.cols(); ++n) {
      const std::complex<double> factor = 1.0 + s.map.time_step() / pace * s.spectrum.eigenvalues[n];
      if (std::abs(factor) < 1e-3) {
        continue;
      }
      std::complex<double> value = extension.eigenfunctions.re(Index(k), n);
      if (!s.spectrum.is_real()) {
        value.imag(extension.eigenfunctions.im(Index(k), n));
      }
      const double largest = psi.col(n).cwiseAbs().maxCoeff();
      if (largest > 1e100) {  // lives where phi_0 is e^-400: sums of such numbers are what they are
        findings.skipped("extension");
        continue;
      }
      // Two rows of the kernel, each within its bound, and psi where each of them looks.
      const double off = 2.0 * bound.row(i).dot(psi.col(n).cwiseAbs()) / pace;
      findings.expect_at_most("extension", fmt::format("psi_{} at point {}", n, rows[k]),
                              std::abs(value - bounded(moved(whole, psi.col(n), i) / factor, largest)),
                              off / std::abs(factor) + 1e-10 * largest);
    }
  }
}

}  // namespace itomap::differential
