#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "itomap/scales/kernel_sum.hpp"
#include "itomap/scales/scale_scan.hpp"

namespace itomap {
namespace {

/// Levels of the picture, closer to each other where it matters whether a time scale still moves.
constexpr std::array levels{0.5, 0.3, 0.2, 0.1, 0.05, 0.0, -0.05, -0.1, -0.2, -0.3, -0.5};
constexpr std::size_t widest_cell = 9;

std::size_t level_of(double change) {
  const auto nearest = std::min_element(levels.begin(), levels.end(), [change](double a, double b) {
    return std::abs(a - change) < std::abs(b - change);
  });
  return std::size_t(nearest - levels.begin());
}

std::string level_label(std::size_t level) {
  if (levels[level] == 0.0) {
    return "0  ";
  }
  // What is nearest to the outermost levels begins halfway to the next.
  if (level == 0) {
    return fmt::format("over {:+.0f} %", 50.0 * (levels[0] + levels[1]));
  }
  if (level + 1 == levels.size()) {
    return fmt::format("below {:+.0f} %", 50.0 * (levels[level] + levels[level - 1]));
  }
  return fmt::format("{:+.0f} %", 100.0 * levels[level]);
}

/// The modes of one scale that belong on one level.
std::string cell(const Vector& timescales, const Vector& reference, std::size_t level) {
  std::string modes;
  for (Index n = 0; n < std::min(timescales.size(), reference.size()); ++n) {
    if (level_of(timescales[n] / reference[n] - 1.0) == level) {
      modes += fmt::format("{}{}", n >= 9 && !modes.empty() ? "," : "", n + 1);
    }
  }
  return modes.size() <= widest_cell - 1 ? modes : "*";
}

double scale_of(const ScaleScanRow& row, bool density) { return density ? row.density_epsilon : row.epsilon; }

/// Where the time scales have a plateau, as a picture of letters.
std::string plateau(const std::vector<ScaleScanRow>& rows, const Vector& reference, bool density) {
  auto text = fmt::format("time scales 1 to {} against those at the recommended {}\n", reference.size(),
                          density ? "density scale" : "epsilon");
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::string marks;
    for (const auto& row : rows) {
      marks += fmt::format("{:>{}}", cell(row.timescales, reference, level), widest_cell);
    }
    marks.erase(marks.find_last_not_of(' ') + 1);
    text += fmt::format("{:>13} |{}\n", level_label(level), marks);
  }
  text += fmt::format("{:>13}  ", density ? "density" : "epsilon");
  for (const auto& row : rows) {
    text += fmt::format("{:>{}.3g}", scale_of(row, density), widest_cell);
  }
  return text + "\n";
}

std::string percent(double share) {
  if (!std::isfinite(share)) {
    return "-";
  }
  return share < 1.0 ? fmt::format("{:.2g} %", 100.0 * share) : fmt::format("{:.0f} %", 100.0 * share);
}

std::string table(const std::vector<ScaleScanRow>& rows, bool density, double chosen) {
  auto text = fmt::format("{:>12}{:>12}{:>12}{:>11}{:>12}{:>12}{:>9}{:>9}{:>9}\n", density ? "density" : "epsilon",
                          "neighbours", "components", "isolated", "timescale 1", "2", "bias", "few pts", "noise");
  for (const auto& row : rows) {
    const double scale = scale_of(row, density);
    const auto time = [&](Index n) {
      return n < row.timescales.size() ? fmt::format("{:.5g}", row.timescales[n]) : "-";
    };
    text += fmt::format("{:>12.4g}{:>12.1f}{:>12}{:>11}{:>12}{:>12}{:>9}{:>9}{:>9}{}\n", scale, row.neighbours,
                        row.components, row.isolated_points, time(0), time(1), percent(row.bias),
                        percent(row.few_points), percent(row.noise),
                        scale == chosen   ? "  <-"
                        : !row.usable     ? "  not usable"
                        : row.points == 0 ? "  by law"
                                          : "");
  }
  return text;
}

/// Table and picture; nothing of no scales, and no picture where none of them was chosen.
std::string rows_report(const std::vector<ScaleScanRow>& rows, bool density, double chosen) {
  if (rows.empty()) {
    return "";
  }
  auto text = table(rows, density, chosen) + "\n";
  for (const auto& row : rows) {
    if (row.usable && row.timescales.size() > 0 && chosen == scale_of(row, density)) {
      text += plateau(rows, row.timescales, density) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string ScaleCurve::report() const {
  auto text = fmt::format("{:>12}{:>12}{:>12}{:>12}\n", "epsilon", "log sum", "dimension", "neighbours");
  for (Index k = 0; k < epsilon.size(); ++k) {
    text += fmt::format("{:>12.4g}{:>12.4f}{:>12.3f}{:>12.1f}\n", epsilon[k], log_sum[k], dimension[k], neighbours[k]);
  }
  return text;
}

std::string ScaleScan::verdict() const {
  return fmt::format("epsilon {:.4g}{}: {}\n", epsilon,
                     density_epsilon ? fmt::format(", density epsilon {:.4g}", *density_epsilon) : "", reason);
}

std::string ScaleScan::report() const {
  return rows_report(rows, false, epsilon) + rows_report(density, true, density_epsilon.value_or(0.0)) + verdict();
}

}  // namespace itomap
