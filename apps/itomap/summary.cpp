#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "terminal.hpp"

namespace itomap::cli {
namespace {

std::string_view title(Method method) {
  switch (method) {
    case Method::DiffusionMap:
      return "Diffusion map";
    case Method::TargetMeasureMap:
      return "Target measure diffusion map (TMDmap)";
    case Method::LocalKernelMap:
      return "Local kernel diffusion map (LKDmap)";
    case Method::BiasedLocalKernelMap:
      return "Local kernel of Berry and Sauer, without density correction";
  }
  return "";
}

std::string points_text(const MapSettings& settings, const RunRecord& run, const Generator& generator) {
  const auto dropped = generator.input_points - generator.size();
  return fmt::format("{} in {}, from {}{}", generator.input_points,
                     plural(static_cast<std::size_t>(run.dimension), "dimension"), settings.points,
                     dropped > 0 ? fmt::format(" ({} left out)", dropped) : "");
}

std::string kernel_text(const Generator& generator) {
  const auto& d = generator.diagnostics;
  return fmt::format("{}, {:.1f} neighbours a point, {}", to_string(generator.kernel->engine()), d.mean_neighbours,
                     plural(static_cast<std::size_t>(d.components), "component"));
}

std::string bandwidth_text(const Generator& generator) {
  return fmt::format("from {:.2g} to {:.3g} of the typical one, in {}", generator.bandwidth.minCoeff(),
                     generator.bandwidth.maxCoeff(),
                     plural(static_cast<std::size_t>(generator.bandwidth_dimension), "dimension"));
}

std::string line(std::string_view label, std::string_view value) { return fmt::format("  {:<17}{}\n", label, value); }

std::string header(const MapSettings& settings, const RunRecord& run, const Generator& generator) {
  const Style style(stdout);
  auto text = style.bold(title(generator.method)) + "\n";
  text += line("points", points_text(settings, run, generator));
  text += line("epsilon", fmt::format("{:.6g}{}", generator.epsilon, settings.epsilon.automatic ? " (auto)" : ""));
  if (!run.epsilon_reason.empty()) text += line("", run.epsilon_reason);
  text += line("density epsilon", fmt::format("{:.6g}", generator.density_epsilon));
  if (generator.bandwidth.size() > 0) text += line("bandwidth", bandwidth_text(generator));
  text += line("kernel", kernel_text(generator));
  return text + line("dimension", fmt::format("about {:.2g} at this scale", generator.diagnostics.intrinsic_dimension));
}

// 0 that rounding made 1e-16 is still 0 to a reader.
double shown(double x, double scale) { return std::abs(x) * scale < 1e-13 ? 0.0 : x; }

std::string flags(const Spectrum& spectrum, Index n) {
  std::string text;
  if (spectrum.is_spurious(n)) {
    const auto carriers = static_cast<std::size_t>(std::lround(spectrum.effective_points(n)));
    text += fmt::format("  spurious ({})", plural(carriers, "point"));
  }
  if (spectrum.status[static_cast<std::size_t>(n)] != PairStatus::Converged) text += "  not converged";
  return Style(stdout).warn(text);
}

bool all_real(const Spectrum& spectrum) { return (spectrum.eigenvalues.imag().array() == 0).all(); }

std::string row(const Generator& generator, const Spectrum& s, Index n) {
  const double re = shown(s.eigenvalues(n).real(), generator.epsilon);
  const double rate = shown(s.rates_log(n), generator.epsilon);
  auto text = fmt::format("{:>4}{:>12.5g}", n, re);
  if (!all_real(s)) text += fmt::format(" {:<11}", imaginary_text(shown(s.eigenvalues(n).imag(), generator.epsilon)));
  text += fmt::format(" {:>11.5g} {:>11.5g} {:>14.5g} {:>9.1e}", rate, re == 0 ? INFINITY : s.timescales(n),
                      rate == 0 ? INFINITY : s.timescales_log(n), s.residuals(n));
  if (!s.is_real()) text += fmt::format(" {:>9.1e}", s.left_residuals(n));
  return text + flags(s, n) + "\n";
}

// A flagged zero of a component: one line stands for all that follow each other.
bool lone_zero(const Spectrum& s, Index n) {
  return s.is_spurious(n) && s.eigenvalues(n) == 0.0 && s.status[static_cast<std::size_t>(n)] == PairStatus::Converged;
}

Index last_lone_zero(const Spectrum& s, Index n) {
  while (n + 1 < s.eigenvalues.size() && lone_zero(s, n) && lone_zero(s, n + 1)) ++n;
  return n;
}

// The names are those of result.json.
std::string table(const Generator& generator, const Spectrum& spectrum) {
  const std::string gap(all_real(spectrum) ? 0 : 12, ' ');
  auto text =
      Style(stdout).bold(fmt::format("{:>4}{:>12}{}{:>12}{:>12}{:>15}{:>10}{}", "n", "eigenvalue", gap, "rate_log",
                                     "timescale", "timescale_log", "residual", spectrum.is_real() ? "" : "      left"));
  text += "\n";
  constexpr Index shown_one_by_one = 3;
  for (Index n = 0; n < spectrum.eigenvalues.size(); ++n) {
    text += row(generator, spectrum, n);
    const Index last = last_lone_zero(spectrum, n);
    if (last - n < shown_one_by_one) continue;
    text += Style(stdout).warn(fmt::format("{:>4} to {}: the same, spurious", n + 1, last)) + "\n";
    n = last;
  }
  return text;
}

std::string error_table(const Spectrum& spectrum, const Uncertainty& u) {
  auto text = Style(stdout).bold(fmt::format("{:>4}{:>12}{:>10}{:>14}{:>10}{:>13}{:>10}", "n", "eigenvalue", "noise",
                                             "extrapolated", "error", "timescale", "error"));
  text += fmt::format("   (to epsilon = 0; {} blocks)\n", u.blocks);
  for (Index n = 1; n < u.extrapolated.size(); ++n)
    text += fmt::format("{:>4}{:>12.5g}{:>10.2g}{:>14.5g}{:>10.2g}{:>13.5g}{:>10.2g}\n", n,
                        spectrum.eigenvalues[n].real(), u.noise[n].real(), u.extrapolated[n].real(),
                        u.extrapolated_error[n].real(), u.timescales[n], u.timescale_errors[n]);
  return text;
}

std::string effort(const RunRecord& run, const Spectrum& spectrum) {
  constexpr double negligible = 0.005;
  std::string stages;
  double total = 0;
  for (const char* stage : {"read", "kernel", "eigenpairs", "error_bars", "write"}) {
    const auto found = run.seconds.find(stage);
    const double seconds = found == run.seconds.end() ? 0 : found->second;
    if (seconds >= negligible) stages += fmt::format("{}{} {:.2f} s", stages.empty() ? "" : ", ", stage, seconds);
    total += seconds;
  }
  const auto parts = stages.empty() ? "" : fmt::format(" ({})", stages);
  const auto products = plural(static_cast<std::size_t>(spectrum.products), "product");
  const auto condensed = spectrum.condensed_size > 0 ? fmt::format(" and {} with its {} grid unknowns",
                                                                   spectrum.condensed_products, spectrum.condensed_size)
                                                     : "";
  return Style(stdout).dim(fmt::format("{:.2f} s{}, {} with the kernel{}", total, parts, products, condensed)) + "\n";
}

// Without hidden ones, which are for the program.
std::string file_names(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (auto name = entry.path().filename().string(); !name.starts_with('.')) names.push_back(std::move(name));
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string imaginary_text(double im) {
  return im == 0 ? "" : fmt::format("{} {:.5g}i", im < 0 ? '-' : '+', std::abs(im));
}

std::string summary(const MapSettings& settings, const RunRecord& run, const Generator& generator,
                    const Spectrum& spectrum, const Uncertainty* uncertainty) {
  const auto bars = uncertainty != nullptr ? error_table(spectrum, *uncertainty) + "\n" : std::string();
  return fmt::format("{}\n{}\n{}{}", header(settings, run, generator), table(generator, spectrum), bars,
                     effort(run, spectrum));
}

std::string written_to(const std::string& directory) {
  const auto text = fmt::format("Written to {}: {}", directory, file_names(directory));
  return wrapped(text, 2, std::max<std::size_t>(columns(stdout, 100), 40)) + "\n";
}

std::string where_to_find(const MapSettings& settings) {
  if (settings.out.empty()) return "Add --out DIR to keep the eigenfunctions, the weights and result.json.\n";
  return written_to(settings.out);
}

}  // namespace itomap::cli
