#include "estimate_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "terminal.hpp"

namespace itomap::cli {
namespace {

using Values = std::vector<double>;

std::string row(std::string_view label, Values values) {
  std::sort(values.begin(), values.end());
  return fmt::format("  {:<27}{:>11.4g} {:>11.4g} {:>11.4g}\n", label, values.front(), values[values.size() / 2],
                     values.back());
}

Values lengths(const Points& vectors) {
  const Vector norms = vectors.rowwise().norm();
  return {norms.begin(), norms.end()};
}

// Root mean square of the diagonal of each matrix.
Values sizes(const Points& matrices, Index n) {
  Values all;
  for (Index i = 0; i < matrices.rows(); ++i) {
    const auto diagonal = Eigen::Map<const Points>(matrices.row(i).data(), n, n).diagonal();
    all.push_back(std::sqrt(diagonal.squaredNorm() / double(n)));
  }
  return all;
}

}  // namespace

std::string estimate_summary(const DynamicsEstimate& e, const std::string& source, double seconds) {
  const Style style(stdout);
  const Index n = e.points.cols();
  auto text = style.bold("Drift and diffusion by Kramers-Moyal") + "\n";
  text += fmt::format("  {:<17}{} in {}, from {}\n", "points", e.points.rows(),
                      plural(static_cast<std::size_t>(n), "dimension"), source);
  if (!e.left_out.empty())
    text += fmt::format("  {:<17}{}\n", "left out",
                        fmt::format("{} of {} queries", e.left_out.size(), e.left_out.size() + e.counts.size()));
  text += fmt::format("  {:<17}{:.4g}\n", "suggested eta", e.suggested_eta);
  text += fmt::format("  {:<17}{}\n\n", "repaired", plural(e.repaired.size(), "point"));
  text +=
      style.bold(fmt::format("  {:<27}{:>11} {:>11} {:>11}", "over the points", "least", "median", "largest")) + "\n";
  text += row("increments", {e.counts.begin(), e.counts.end()});
  text += row("independent increments", {e.independent_counts.begin(), e.independent_counts.end()});
  text += row("|drift|", lengths(e.drift));
  text += row("its standard error", lengths(e.drift_error));
  text += row("diffusion (rms diagonal)", sizes(e.diffusion, n));
  text += row("its standard error", sizes(e.diffusion_error, n));
  return text + "\n" + style.dim(fmt::format("{:.2f} s", seconds)) + "\n";
}

}  // namespace itomap::cli
