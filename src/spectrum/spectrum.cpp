#include "itomap/spectrum/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/crew.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "generator/wall_sample.hpp"
#include "itomap/core/error.hpp"
#include "spectrum/log_rates.hpp"
#include "spectrum/solve.hpp"

namespace itomap {
using namespace detail;
namespace {

void check_memory(const Generator& generator, const EigenpairsOptions& options) {
  const Index asked = options.count + 1;
  const Index hidden = generator.reversible ? std::min(modes_of_one_point(generator), most_spurious(asked)) : 0;
  const auto kernel = double(generator.kernel->memory());
  const double bytes = search_bytes(generator.size(), asked + hidden, generator.reversible) + kernel;
  // What the kernel holds is no longer available, but counts against a limit that the caller gave.
  const double budget = double(memory_budget()) + (current_execution().memory ? 0.0 : kernel);
  if (bytes > budget) {
    throw InvalidArgument(
        fmt::format("memory: {} eigenpairs of {} points need about {}, but {} are allowed; allow more or "
                    "ask for fewer",
                    options.count, generator.size(), format_bytes(bytes), format_bytes(budget)));
  }
}

void warn_of_walls(const Generator& g, Spectrum& spectrum) {
  if (!g.wall_sample || g.definition.normalization != Normalization::Paper) {
    return;
  }
  if (const WallWeight at = wall_weight(*g.wall_sample, spectrum.stationary); at.walls()) {
    spectrum.warnings.push_back(
        fmt::format("walls: {:.2g} % of the invariant measure lies where the data ends, next to walls: eigenvalues are "
                    "off by up to as much; the bistochastic normalization reflects the process there",
                    100.0 * at.weight));
  }
}

}  // namespace

void EigenpairsOptions::validate(Index points) const {
  if (count < 1 || count >= points) {
    throw InvalidArgument(
        fmt::format("{} eigenpairs beyond the first asked of {} points; ask for 1 to {}", count, points, points - 1));
  }
  if (!(tolerance > 0.0 && tolerance < 1.0)) {
    throw InvalidArgument(fmt::format("tolerance: {:g} is not between 0 and 1; 1e-9 is the default", tolerance));
  }
  if (max_products < 1) {
    throw InvalidArgument(fmt::format("max_products: {} is not positive; 20000 is the default", max_products));
  }
  if (!(spurious_error > 0.0 && spurious_error < 1.0)) {
    throw InvalidArgument(
        fmt::format("spurious_error: {:g} is not between 0 and 1; 0.3 is the default", spurious_error));
  }
}

Eigen::VectorXcd Eigenfunctions::complex(Index n) const {
  Eigen::VectorXcd z = re.col(n).cast<std::complex<double>>();
  if (!is_real()) {
    z.imag() = im.col(n);
  }
  return z;
}

bool Spectrum::is_spurious(Index n) const { return std::binary_search(spurious.begin(), spurious.end(), n); }

/// psi has unit mean square and phi^T psi is 1. Where phi_0 is next to nothing, phi_n is what rounding left of it.
Vector Spectrum::condition_numbers() const {
  constexpr double negligible = 1e-12;
  const double least = negligible / double(std::max<Index>(stationary.size(), 1));
  const Vector inverse = stationary.unaryExpr([=](double w) { return w > least ? 1.0 / w : 0.0; });
  Vector squares = left_eigenfunctions.re.cwiseAbs2().transpose() * inverse;
  if (!is_real()) {
    squares += left_eigenfunctions.im.cwiseAbs2().transpose() * inverse;
  }
  return squares.cwiseSqrt();
}

Spectrum eigenpairs(const Map& map, const EigenpairsOptions& options) {
  const ExecutionScope scope(map.execution());
  Spectrum spectrum = eigenpairs_of(generator_of(map), options);
  warn_of_walls(generator_of(map), spectrum);
  return spectrum;
}

Vector detail::solved_stationary(const Generator& generator) {
  return eigenpairs_of(generator, {.count = 1}).stationary;
}

Spectrum detail::eigenpairs_of(const Generator& generator, const EigenpairsOptions& options) {
  options.validate(generator.size());
  check_memory(generator, options);
  const Crew crew;
  Spectrum spectrum = generator.reversible ? solve_reversible(generator, options) : solve_general(generator, options);
  warn_of_handfuls(spectrum, options.spurious_error);
  if (generator.bandwidth.size() > 0) {
    spectrum.rates_log = log_rates(generator, spectrum);
    spectrum.timescales_log = spectrum.rates_log.unaryExpr(&minus_inverse);
  }
  return spectrum;
}

}  // namespace itomap
