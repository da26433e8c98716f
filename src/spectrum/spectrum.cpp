#include "itomap/spectrum/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/crew.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "itomap/core/error.hpp"
#include "spectrum/log_rates.hpp"
#include "spectrum/solve.hpp"

namespace itomap {
namespace {

void check_memory(const Generator& generator, const EigenpairsOptions& options) {
  const Index asked = options.count + 1;
  const Index hidden = generator.reversible ? std::min(modes_of_one_point(generator), most_spurious(asked)) : 0;
  const double vectors = double(subspace_columns(asked + hidden)) * (generator.reversible ? 1.0 : 1.5);
  const double results = double(options.count + 1) * (generator.reversible ? 3.0 : 8.0);
  const double solver = (vectors + results) * double(generator.size()) * sizeof(double);
  const auto kernel = double(generator.kernel->memory());
  // What the kernel holds is no longer available, but counts against a limit that the caller gave.
  const double bytes = solver + kernel;
  const double budget = double(memory_budget(generator.memory)) + (generator.memory ? 0.0 : kernel);
  if (bytes > budget) {
    throw InvalidArgument(
        fmt::format("memory: {} eigenpairs of {} points need about {}, but {} are allowed; allow more or "
                    "ask for fewer",
                    options.count, generator.size(), format_bytes(bytes), format_bytes(budget)));
  }
}

double minus_inverse(double rate) { return rate < 0.0 ? -1.0 / rate : std::numeric_limits<double>::infinity(); }

}  // namespace

void EigenpairsOptions::validate(Index points) const {
  if (count < 1 || count >= points) {
    throw InvalidArgument(fmt::format("eigs: {} eigenpairs beyond the first asked of {} points; ask for 1 to {}", count,
                                      points, points - 1));
  }
  if (!(tolerance > 0.0 && tolerance < 1.0)) {
    throw InvalidArgument(fmt::format("tolerance: {:g} is not between 0 and 1; 1e-9 is the default", tolerance));
  }
  if (max_products < 1 || !(spurious_error > 0.0)) {
    throw InvalidArgument("max_products and spurious_error must be positive");
  }
}

bool Spectrum::is_spurious(Index n) const { return std::binary_search(spurious.begin(), spurious.end(), n); }

SubspaceOptions subspace_options(const EigenpairsOptions& options, Index wanted, Reporter& reporter) {
  SubspaceOptions s;
  s.wanted = wanted;
  s.tolerance = 0.5 * options.tolerance;  // the final residual is measured anew and must not fail by rounding
  s.max_products = options.max_products;
  s.seed = options.seed;
  s.progress = [&reporter](Index converged, Index asked, Index products) {
    const double share = double(converged) / double(asked + 1);  // the last part is left for the verification
    reporter.report_or_throw(share, fmt::format("{} of {} converged, {} products", converged, asked, products));
  };
  return s;
}

double sharper(double tolerance, double factor) { return std::max(0.2 * tolerance * factor, sharpest); }

void set_eigenvalues(Spectrum& spectrum, const Eigen::VectorXcd& mu, double epsilon) {
  const Index n = mu.size();
  spectrum.eigenvalues = (mu.array() - 1.0) / epsilon;
  spectrum.rates_log = mu.cwiseAbs().array().log() / epsilon;
  spectrum.timescales.resize(n);
  spectrum.timescales_log.resize(n);
  for (Index k = 0; k < n; ++k) {
    spectrum.timescales[k] = minus_inverse(spectrum.eigenvalues[k].real());
    spectrum.timescales_log[k] = minus_inverse(spectrum.rates_log[k]);
  }
}

void set_status(Spectrum& spectrum, double tolerance, bool complete) {
  Index failed = 0;
  for (Index n = 0; n < spectrum.residuals.size(); ++n) {
    const bool good = spectrum.residuals[n] <= tolerance && spectrum.left_residuals[n] <= tolerance;
    spectrum.status.push_back(good ? PairStatus::Converged : PairStatus::NotConverged);
    failed += good ? 0 : 1;
  }
  if (failed > 0) {
    spectrum.warnings.push_back(fmt::format(
        "{} eigenpair(s) did not converge to {:g} within {} products: see the residuals of both sides; raise "
        "epsilon, or ask for fewer",
        failed, tolerance, spectrum.products));
  }
  if (!complete && failed == 0) {
    spectrum.warnings.push_back("the last sweep for repeated eigenvalues did not finish: a copy of one may be missing");
  }
}

std::complex<double> fixed_phase(const Eigen::Ref<const Eigen::VectorXcd>& column) {
  Index largest = 0;
  const double size = column.cwiseAbs().maxCoeff(&largest);
  // Among entries that are equal but for rounding, the first decides.
  for (Index i = 0; i < largest; ++i) {
    if (std::abs(column[i]) > (1.0 - 1e-6) * size) {
      largest = i;
      break;
    }
  }
  return size > 0.0 ? std::conj(column[largest]) / std::abs(column[largest]) : 1.0;
}

Spectrum eigenpairs(const Generator& generator, const EigenpairsOptions& options) {
  options.validate(generator.size());
  check_memory(generator, options);
  const Crew crew(resolve_threads(generator.threads));
  Spectrum spectrum = generator.reversible ? solve_reversible(generator, options) : solve_general(generator, options);
  warn_of_handfuls(spectrum, options.spurious_error);
  if (generator.bandwidth.size() > 0) {
    spectrum.rates_log = log_rates(generator, spectrum);
    spectrum.timescales_log = spectrum.rates_log.unaryExpr(&minus_inverse);
  }
  return spectrum;
}

}  // namespace itomap
