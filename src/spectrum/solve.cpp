#include "spectrum/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace itomap::detail {

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

double minus_inverse(double rate) { return rate < 0.0 ? -1.0 / rate : std::numeric_limits<double>::infinity(); }

double sharper(double tolerance, double factor) { return std::max(0.2 * tolerance * factor, sharpest); }

void set_eigenvalues(Spectrum& spectrum, const Eigen::VectorXcd& mu, double epsilon) {
  const Index n = mu.size();
  spectrum.time_step = epsilon;
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

}  // namespace itomap::detail
