// What the results of analyses say to a reader.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"
#include "itomap/analysis/average.hpp"
#include "itomap/analysis/cluster.hpp"
#include "itomap/analysis/committor.hpp"
#include "itomap/analysis/error_bars.hpp"
#include "itomap/analysis/extension.hpp"

namespace itomap {
namespace {

std::string_view status_text(SolveStatus status) {
  switch (status) {
    case SolveStatus::Converged:
      return "";
    case SolveStatus::RoundingLimit:
      return "  limited by rounding";
    case SolveStatus::NotConverged:
      break;
  }
  return "  not converged";
}

std::string left_out(Index stuck, Index points) {
  return stuck == 0 ? ""
                    : fmt::format(", without the {} of {} that cannot arrive", stuck, detail::plural(points, "point"));
}

std::string quantity(std::string_view label, double value, std::string_view remark) {
  return detail::report_line(label, fmt::format("{:<14.6g}{}", value, remark));
}

}  // namespace

std::string Averages::report() const {
  const bool bars = replication.has_value();
  auto text = fmt::format("{:>11}{:>15}", "observable", "mean");
  text += bars ? fmt::format("{:>10}{:>15}{:>10}", "noise", "extrapolated", "error") : "";
  text += fmt::format("{:>20}\n", "standard deviation");
  for (Index k = 0; k < mean.size(); ++k) {
    text += fmt::format("{:>11}{:>15.7g}", k, mean[k]);
    text += bars ? fmt::format("{:>10.2g}{:>15.7g}{:>10.2g}", noise[k], extrapolated[k], extrapolated_error[k]) : "";
    text += fmt::format("{:>20.7g}\n", standard_deviation[k]);
  }
  return bars ? text + "\n" + replication->report() : text;
}

std::string Replication::report() const {
  auto text =
      fmt::format("error bars: {} blocks, extrapolated from epsilon = {:.4g}, {:.4g} and {:.4g} in powers of {}",
                  blocks, epsilon, 2.0 * epsilon, 4.0 * epsilon, power == 1.0 ? "epsilon" : "the root of epsilon");
  if (wall_weight > 0.0) {
    text += fmt::format("; {:.2g} % of the weight lies at walls", 100.0 * wall_weight);
  }
  if (correlated_rows >= 2.0) {
    text += fmt::format("; {:.0f} rows are worth an independent one", correlated_rows);
  }
  return text + "\n";
}

std::string Clustering::report() const {
  auto text = fmt::format("{:>4}{:>12}{:>19}{:>14}{:>16}\n", "set", "points", "stationary weight", "escape rate",
                          "mean exit time");
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto row = Index(k);
    text += fmt::format("{:>4}{:>12}{:>19.6g}{:>14.5g}{:>16.5g}\n", k, points[k], rates.weights[row],
                        rates.escape_rates[row], rates.exit_times[row]);
  }
  text += fmt::format("\nTime scales between the sets: {:.5g}\n", fmt::join(rates.timescales, ", "));
  if (method == ClusterMethod::Kmeans && points.size() > 1) {
    text +=
        "Sets are hard: every crossing of a border counts, also those that turn back at once. These rates grow as\n"
        "epsilon shrinks; the memberships of pcca, and the passages of committor, count those that arrive.\n";
  }
  return text;
}

std::string CommittorResult::report() const {
  auto text = std::string("Passages from source to sink\n");
  text += detail::report_line("points", fmt::format("{} in the source, {} in the sink", source_points, sink_points));
  text += quantity("flux", total_flux, "passages per unit of time");
  text += quantity("rate", rate, "passages per unit of time on the way from the source");
  text +=
      quantity("1 / rate", 1 / rate, "mean time from the entrance into the source, coming from the sink, to the sink");
  text += quantity("reverse rate", reverse_rate, "passages per unit of time on the way from the sink");
  text += quantity("1 / reverse rate", 1 / reverse_rate, "the same from the entrance into the sink to the source");
  text += quantity("source to sink", source_to_sink,
                   "mean first passage time from within the source, by stationary weight" +
                       left_out(stuck_in_source, source_points));
  text += quantity("sink to source", sink_to_source,
                   "the same from within the sink" + left_out(stuck_in_sink, sink_points));
  text += fmt::format("\n{:<20}{:>9}{:>11}\n", "system", "products", "residual");
  for (const SolveReport& solve : solves) {
    text +=
        fmt::format("{:<20}{:>9}{:>11.1e}{}\n", solve.name, solve.products, solve.residual, status_text(solve.status));
  }
  return text;
}

std::string ErrorBars::report() const {
  auto text = fmt::format("{:>4}{:>12}{:>10}{:>14}{:>10}{:>13}{:>10}\n", "n", "eigenvalue", "noise", "extrapolated",
                          "error", "timescale", "error");
  for (Index n = 1; n < extrapolated.size(); ++n) {
    text += fmt::format("{:>4}{:>12.5g}{:>10.2g}{:>14.5g}{:>10.2g}{:>13.5g}{:>10.2g}\n", n, eigenvalues[n].real(),
                        noise[n].real(), extrapolated[n].real(), extrapolated_error[n].real(), timescales[n],
                        timescale_errors[n]);
  }
  return text + "\n" + Replication::report();
}

std::string Extension::report() const {
  const bool real = (eigenvalues.imag().array() == 0).all();
  const std::string gap(real ? 0 : 12, ' ');
  auto text = fmt::format("{:>4}{:>12}{}{:>22}\n", "n", "eigenvalue", gap, "interpolation error");
  for (Index n = 0; n < eigenvalues.size(); ++n) {
    const auto im = real ? "" : fmt::format(" {:<11}", detail::imaginary_text(eigenvalues[n].imag()));
    text += fmt::format("{:>4}{:>12.5g}{}{:>22.2g}\n", n, eigenvalues[n].real() + 0.0, im, interpolation_error[n]);
  }
  return text;
}

}  // namespace itomap
