#include "plateau_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace itomap::cli {
namespace {

/// Closer to each other where it matters whether a time scale still moves.
constexpr std::array lines{0.5, 0.3, 0.2, 0.1, 0.05, 0.0, -0.05, -0.1, -0.2, -0.3, -0.5};
constexpr std::size_t widest_cell = 9;

std::size_t line_of(double change) {
  const auto nearest = std::min_element(
      lines.begin(), lines.end(), [change](double a, double b) { return std::abs(a - change) < std::abs(b - change); });
  return static_cast<std::size_t>(nearest - lines.begin());
}

std::string label(std::size_t line) {
  if (lines[line] == 0.0) return "0  ";
  // What is nearest to the outermost lines begins halfway to the next.
  if (line == 0) return fmt::format("over {:+.0f} %", 50.0 * (lines[0] + lines[1]));
  if (line + 1 == lines.size()) return fmt::format("below {:+.0f} %", 50.0 * (lines[line] + lines[line - 1]));
  return fmt::format("{:+.0f} %", 100.0 * lines[line]);
}

/// The modes of one scale that belong on one line.
std::string cell(const Vector& timescales, const Vector& reference, std::size_t line) {
  std::string modes;
  for (Index n = 0; n < std::min(timescales.size(), reference.size()); ++n)
    if (line_of(timescales[n] / reference[n] - 1.0) == line)
      modes += fmt::format("{}{}", n >= 9 && !modes.empty() ? "," : "", n + 1);
  return modes.size() <= widest_cell - 1 ? modes : "*";
}

}  // namespace

std::string plateau_plot(const std::vector<ScaleScanRow>& rows, Index chosen, bool density) {
  const Vector& reference = rows[static_cast<std::size_t>(chosen)].timescales;
  auto text = fmt::format("time scales 1 to {} against those at the recommended {}\n", reference.size(),
                          density ? "density scale" : "epsilon");
  for (std::size_t line = 0; line < lines.size(); ++line) {
    std::string marks;
    for (const auto& row : rows) marks += fmt::format("{:>{}}", cell(row.timescales, reference, line), widest_cell);
    marks.erase(marks.find_last_not_of(' ') + 1);
    text += fmt::format("{:>13} |{}\n", label(line), marks);
  }
  text += fmt::format("{:>13}  ", density ? "density" : "epsilon");
  for (const auto& row : rows)
    text += fmt::format("{:>{}.3g}", density ? row.density_epsilon : row.epsilon, widest_cell);
  return text + "\n";
}

}  // namespace itomap::cli
