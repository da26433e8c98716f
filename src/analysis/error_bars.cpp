#include "itomap/analysis/error_bars.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/belongs.hpp"
#include "analysis/replication.hpp"
#include "core/memory.hpp"
#include "core/numbers.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Eigenvalues take the squares of residuals, functions the residuals themselves.
constexpr CorrectionLimits for_values{.steps = 8, .residual = 0.1};
constexpr CorrectionLimits for_functions{.steps = 12, .residual = 0.03};

/// Real parts of all modes, then imaginary parts: numbers that have a limit each.
Vector parts_of(const Eigen::VectorXcd& z) {
  Vector parts(2 * z.size());
  parts << z.real(), z.imag();
  return parts;
}

Eigen::VectorXcd joined(VectorView parts) {
  const Index count = parts.size() / 2;
  Eigen::VectorXcd z(count);
  z.real() = parts.head(count);
  z.imag() = parts.tail(count);
  return z;
}

/// log(1 + t lambda) / t of a reversible map, whose steps take the time t each. A mode that does not last for one step
/// of the widest scale keeps its lambda at all of them.
class Rates {
 public:
  Rates(const Generator& g, const Vector& stationary, const Eigen::VectorXcd& lambda)
      : step_(g.epsilon * mean_square_bandwidth(g, stationary)) {
    constexpr double lasts = 0.1;
    const double longest = scale_factors.back() * step_;
    for (const auto& one : lambda) {
      by_log_.push_back(g.reversible && 1.0 + longest * one.real() > lasts);
    }
  }

  Eigen::VectorXcd at(const Eigen::VectorXcd& lambda, std::size_t scale) const {
    const double time = scale_factors[scale] * step_;
    Eigen::VectorXcd rates = lambda;
    for (Index n = 0; n < rates.size(); ++n) {
      if (by_log_[std::size_t(n)] && 1.0 + time * lambda[n].real() > 0.0) {
        rates[n] = std::log1p(time * lambda[n].real()) / time;
      }
    }
    return rates;
  }

  /// What is known of rates at the finest scale as what is known of lambda: d lambda / d rate = 1 + t lambda.
  Eigen::VectorXcd noise_of_lambda(Eigen::VectorXcd noise, const Eigen::VectorXcd& lambda) const {
    for (Index n = 0; n < noise.size(); ++n) {
      noise[n] *= by_log_[std::size_t(n)] ? 1.0 + step_ * lambda[n].real() : 1.0;
    }
    return noise;
  }

 private:
  /// Of a variable bandwidth where the invariant measure is. Any time near that of a step will do: the limit is the
  /// same.
  static double mean_square_bandwidth(const Generator& g, const Vector& stationary) {
    return g.bandwidth.size() > 0 ? stationary.dot(g.bandwidth.cwiseAbs2()) : 1.0;
  }

  double step_;
  std::vector<bool> by_log_;
};

/// Where numbers stand in a vector: real and imaginary parts of the eigenvalues, then functions at the points, mode by
/// mode, if they are asked for, and their imaginary parts, if they have any.
struct Layout {
  Index modes;
  Index points;  // 0: no functions
  bool real;

  Index functions_size() const { return modes * points * (real ? 1 : 2); }
  Index size() const { return 2 * modes + functions_size(); }
  Index begin(Index mode, bool imaginary) const { return 2 * modes + (mode + (imaginary ? modes : 0)) * points; }

  void put_functions(const Replicate& r, Vector& all) const {
    for (Index n = 0; n < modes && points > 0; ++n) {
      all.segment(begin(n, false), points) = on_all_points(r.modes->psi.re.col(n), r.rows, points);
      if (!real) {
        const Eigen::VectorXcd psi = r.modes->psi.complex(n);
        all.segment(begin(n, true), points) = on_all_points(psi.imag(), r.rows, points);
      }
    }
  }

  /// Eigenfunctions are of size 1.
  Vector sizes(const Eigen::VectorXcd& lambda) const {
    Vector result = Vector::Ones(size());
    result.head(modes) = lambda.cwiseAbs();
    result.segment(modes, modes) = lambda.cwiseAbs();
    return result;
  }

  /// Columns of modes that are not trusted are as they were, or of infinite error; psi_0 = 1 is known.
  Eigenfunctions functions(const Vector& all, const std::vector<Index>& trusted, const Eigenfunctions& known,
                           bool errors) const {
    Eigenfunctions result = known;
    for (Block* part : {&result.re, &result.im}) {
      part->setConstant(errors ? infinite : 0.0);
    }
    if (!errors) {
      result = known;
    }
    for (Index k = 1; k < modes; ++k) {
      result.re.col(trusted[std::size_t(k)]) = all.segment(begin(k, false), points);
      if (!real) {
        result.im.col(trusted[std::size_t(k)]) = all.segment(begin(k, true), points);
      }
    }
    if (errors) {
      result.re.col(0).setZero();
      result.im.leftCols(std::min<Index>(result.im.cols(), 1)).setZero();
    }
    return result;
  }
};

/// Numbers of all replicates are held at once.
void check_memory(const Layout& layout, Index blocks) {
  const double bytes = double(scale_count) * double(blocks + 1) * double(layout.size()) * double(sizeof(double));
  if (bytes > double(memory_budget())) {
    throw InvalidArgument(
        fmt::format("blocks: error bars of {} eigenfunctions at {} points from {} blocks take {}, more than is "
                    "allowed; ask for fewer of "
                    "them, or for none of the functions",
                    layout.modes, layout.points, blocks, format_bytes(bytes)));
  }
}

/// What is said of modes that are flagged: their values, and that nothing is known of their errors.
ErrorBars without_errors(const Spectrum& spectrum) {
  const Eigen::VectorXcd unknown = Eigen::VectorXcd::Constant(spectrum.eigenvalues.size(), {infinite, infinite});
  ErrorBars u;
  u.eigenvalues = u.first = u.extrapolated = spectrum.eigenvalues;
  u.noise = u.extrapolated_error = unknown;
  return u;
}

void set_timescales(ErrorBars& u) {
  const Index modes = u.extrapolated.size();
  u.timescales.resize(modes);
  u.timescale_errors.resize(modes);
  for (Index n = 0; n < modes; ++n) {
    const double rate = -u.extrapolated[n].real();
    const bool decays = n > 0 && rate > 0.0;
    u.timescales[n] = decays ? 1.0 / rate : infinite;
    const double unknown = n > 0 ? infinite : 0.0;
    u.timescale_errors[n] = decays ? u.extrapolated_error[n].real() / (rate * rate) : unknown;
  }
}

std::string numbers(const std::set<Index>& modes) { return fmt::format("{}", fmt::join(modes, ", ")); }

/// A mode that is another one at the larger scales has no limit that could be told.
void leave_alone(const std::set<Index>& alone, ErrorBars& u) {
  for (const Index n : alone) {
    u.extrapolated_error[n] = infinite;
  }
  if (!alone.empty()) {
    u.warnings.push_back(fmt::format(
        "mode(s) {} have no likeness at 2 or 4 epsilon: no limit can be told; take a smaller epsilon", numbers(alone)));
  }
}

void warn_of_growing_steps(const std::set<Index>& modes, ErrorBars& u) {
  if (!modes.empty()) {
    u.warnings.push_back(fmt::format(
        "mode(s) {}: the extrapolation does not converge, so that no limit can be told; take a smaller epsilon",
        numbers(modes)));
  }
}

/// Modes whose limit does not decay, flagged ones apart: nobody expects anything of those.
std::set<Index> growing(const ErrorBars& u, const Spectrum& spectrum) {
  std::set<Index> modes;
  for (Index n = 1; n < u.extrapolated.size(); ++n) {
    if (!spectrum.is_spurious(n) && spectrum.eigenvalues[n].real() < 0.0 && !(u.extrapolated[n].real() < 0.0)) {
      modes.insert(n);
    }
  }
  return modes;
}

void warn(const Spectrum& spectrum, ErrorBars& u) {
  if (const auto modes = growing(u, spectrum); !modes.empty()) {
    u.warnings.push_back(fmt::format(
        "mode(s) {}: the extrapolated rate is not positive, and the time scale unknown; take more points or a smaller "
        "epsilon",
        numbers(modes)));
  }
  if (!spectrum.spurious.empty()) {
    u.warnings.emplace_back("modes that are flagged as spurious have no error bars");
  }
}

}  // namespace

void ErrorBarOptions::validate(Index points, Index input_points) const {
  if (blocks < 2 || points < fewest_points) {
    throw InvalidArgument(fmt::format(
        "blocks: {} blocks of {} points; at least 2 blocks of at least 10 points are needed", blocks, points));
  }
  if (power && *power != 1.0 && *power != 0.5) {
    throw InvalidArgument(fmt::format("power: {:g} is neither 1, inside, nor 0.5, at walls", *power));
  }
  Index rows = 0;
  for (const Index length : runs) {
    if (length < 1) {
      throw InvalidArgument(fmt::format("runs: a run of {} rows; each has at least one", length));
    }
    rows += length;
  }
  if (!runs.empty() && rows != input_points) {
    throw InvalidArgument(fmt::format("runs: they have {} rows together, but there are {} points; they must be as many",
                                      rows, input_points));
  }
}

ErrorBars error_bars(const Map& map, const Spectrum& spectrum, const ErrorBarOptions& options) {
  const Generator& generator = generator_of(map);
  const ExecutionScope scope(map.execution());
  check_belongs(map, spectrum);
  Replicator replicator(generator, spectrum, options);
  const auto& trusted = replicator.trusted();
  const Eigen::VectorXcd lambda = spectrum.eigenvalues(trusted);
  const Rates rates(generator, spectrum.stationary, lambda);
  const Layout layout{lambda.size(), options.functions ? generator.size() : 0, spectrum.is_real()};
  check_memory(layout, replicator.replication().blocks);
  const auto values = replicator.measured({.modes = true, .correction = options.functions ? for_functions : for_values},
                                          [&](const Replicate& r) {
                                            Vector all(layout.size());
                                            all.head(2 * layout.modes) = parts_of(rates.at(r.modes->lambda, r.scale));
                                            layout.put_functions(r, all);
                                            return all;
                                          });
  const LimitValues limits = limits_of(values, replicator.extrapolation(), layout.sizes(lambda));

  ErrorBars u = without_errors(spectrum);
  static_cast<Replication&>(u) = replicator.replication();
  const auto eigenvalues = [&](const Vector& parts) { return joined(parts.head(2 * layout.modes)); };
  u.noise(trusted) = rates.noise_of_lambda(eigenvalues(limits.noise), lambda);
  u.first(trusted) = eigenvalues(limits.first);
  u.extrapolated(trusted) = eigenvalues(limits.limit);
  u.extrapolated_error(trusted) = eigenvalues(limits.error);
  if (options.functions) {
    u.extrapolated_functions = layout.functions(limits.limit, trusted, spectrum.eigenfunctions, false);
    u.function_errors = layout.functions(limits.error, trusted, spectrum.eigenfunctions, true);
  }
  std::set<Index> alone;
  std::set<Index> growing_steps;
  for (std::size_t k = 1; k < trusted.size(); ++k) {
    const bool grows = limits.no_limit[k] || limits.no_limit[trusted.size() + k];
    if (replicator.alone().contains(Index(k))) {
      alone.insert(trusted[k]);
    } else if (grows) {
      growing_steps.insert(trusted[k]);
    }
  }
  leave_alone(alone, u);
  warn_of_growing_steps(growing_steps, u);
  // lambda_0 = 0 is known.
  u.noise[0] = u.first[0] = u.extrapolated[0] = u.extrapolated_error[0] = 0.0;
  set_timescales(u);
  warn(spectrum, u);
  return u;
}

}  // namespace itomap
