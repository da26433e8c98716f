#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/text.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"

namespace itomap {
using namespace detail;
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

std::string DynamicsEstimate::report() const {
  const Index n = points.cols();
  auto text = std::string("Drift and diffusion by Kramers-Moyal\n");
  text += report_line("points", fmt::format("{} in {}", points.rows(), plural(n, "dimension")));
  if (!left_out.empty()) {
    text += report_line("left out", fmt::format("{} of {} queries", left_out.size(), left_out.size() + counts.size()));
  }
  text += report_line("suggested eta", fmt::format("{:.4g}", suggested_eta));
  text += report_line("repaired", plural(Index(repaired.size()), "point"));
  text += fmt::format("\n  {:<27}{:>11} {:>11} {:>11}\n", "over the points", "least", "median", "largest");
  text += row("increments", {counts.begin(), counts.end()});
  text += row("independent increments", {independent_counts.begin(), independent_counts.end()});
  text += row("|drift|", lengths(drift));
  text += row("its standard error", lengths(drift_error));
  text += row("diffusion (rms diagonal)", sizes(diffusion, n));
  return text + row("its standard error", sizes(diffusion_error, n));
}

}  // namespace itomap
