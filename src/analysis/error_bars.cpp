#include "itomap/analysis/error_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "analysis/belongs.hpp"
#include "core/reporter.hpp"
#include "generator/maps.hpp"
#include "itomap/core/error.hpp"
#include "scales/replicates.hpp"
#include "spectrum/solve.hpp"

namespace itomap {
using namespace detail;
namespace {

/// The same points at a larger scale, with a few modes to spare: they change places. `alone` gathers the modes that
/// have no likeness there.
Solution coarse_solution(const MapDefinition& map, const Generator& g, double factor, const Solution& fine,
                         std::set<Index>& alone) {
  MapDefinition wide = at_scale(map, g, factor);
  wide.drop_isolated = false;
  const Generator generator = build(wide);
  const Index modes = fine.lambda.size();
  const Index count = std::min<Index>(modes + 2, generator.size() - 1);
  Solution coarse = solution_of(wide, generator, eigenpairs_of(generator, {.count = count}));
  const auto without_likeness = reorder(fine, coarse);
  alone.insert(without_likeness.begin(), without_likeness.end());
  return coarse;
}

/// From lambda at epsilon, 2 epsilon and 4 epsilon.
Eigen::VectorXcd first_order(const std::array<Eigen::VectorXcd, 3>& lambda) { return 2.0 * lambda[0] - lambda[1]; }

Eigen::VectorXcd second_order(const std::array<Eigen::VectorXcd, 3>& lambda) {
  return (8.0 * lambda[0] - 6.0 * lambda[1] + lambda[2]) / 3.0;
}

/// lambda without the part of its bias that halves when the points double, from the map on either half of the blocks.
/// The halves of an odd number of blocks differ: weighted by size they have twice the bias all the same.
Eigen::VectorXcd for_many_points(const Solution& s, const ErrorBarOptions& options) {
  Eigen::VectorXcd halves = Eigen::VectorXcd::Zero(s.lambda.size());
  for (const bool odd : {false, true}) {
    const auto rows = every_other_block(odd, options.blocks, s.psi.rows());
    const double share = double(rows.size()) / double(s.psi.rows());
    halves += share * part_values(s, rows);
  }
  return 2.0 * s.lambda - halves;
}

/// What is left of the bias: the last step of the extrapolation, but no less than a quarter of the step before, which
/// is what a series in powers of two would leave if the last step is small by chance.
Eigen::VectorXcd doubt(const Eigen::VectorXcd& first_step, const Eigen::VectorXcd& last_step) {
  Eigen::VectorXcd result(last_step.size());
  result.real() = last_step.real().cwiseAbs().cwiseMax(0.25 * first_step.real().cwiseAbs());
  result.imag() = last_step.imag().cwiseAbs().cwiseMax(0.25 * first_step.imag().cwiseAbs());
  return result;
}

Eigen::VectorXcd in_quadrature(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
  Eigen::VectorXcd sum(a.size());
  sum.real() = (a.real().array().square() + b.real().array().square()).sqrt();
  sum.imag() = (a.imag().array().square() + b.imag().array().square()).sqrt();
  return sum;
}

void set_timescales(ErrorBars& u) {
  const Index modes = u.extrapolated.size();
  u.timescales.resize(modes);
  u.timescale_errors.resize(modes);
  for (Index n = 0; n < modes; ++n) {
    const double rate = -u.extrapolated[n].real();
    const bool decays = n > 0 && rate > 0.0;
    u.timescales[n] = decays ? 1.0 / rate : std::numeric_limits<double>::infinity();
    const double unknown = n > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    u.timescale_errors[n] = decays ? u.extrapolated_error[n].real() / (rate * rate) : unknown;
  }
}

std::string numbers(const std::set<Index>& modes) { return fmt::format("{}", fmt::join(modes, ", ")); }

/// A mode that is another one at the larger scales has no limit that could be told.
void leave_alone(const std::set<Index>& alone, ErrorBars& u) {
  for (const Index n : alone) {
    u.extrapolated_error[n] = std::numeric_limits<double>::infinity();
  }
  if (!alone.empty()) {
    u.warnings.push_back(fmt::format(
        "mode(s) {} have no likeness at 2 or 4 epsilon: no limit can be told; take a smaller epsilon", numbers(alone)));
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

}  // namespace

void ErrorBarOptions::validate(Index points) const {
  if (blocks < 2 || 10 * blocks > points) {
    throw InvalidArgument(fmt::format(
        "blocks: {} blocks of {} points; at least 2 blocks of at least 10 points are needed", blocks, points));
  }
}

ErrorBars error_bars(const Map& map, const Spectrum& spectrum, const ErrorBarOptions& options) {
  const Generator& generator = generator_of(map);
  const ExecutionScope scope(map.execution());
  options.validate(generator.size());
  check_belongs(map, spectrum);
  Stage stage("error bars");
  const double steps = 2.0 + double(options.blocks) + 3.0;
  const MapDefinition kept = generator.definition.subset(generator.kept);
  MapDefinition fine_map = at_scale(kept, generator, 1.0);
  fine_map.drop_isolated = false;
  const Solution fine = solution_of(fine_map, generator, spectrum);
  std::set<Index> alone;
  std::vector<Solution> scales{fine};
  for (const double factor : {2.0, 4.0}) {
    stage.begin(double(scales.size() - 1) / steps, fmt::format("eigenpairs at {} epsilon", factor));
    scales.push_back(coarse_solution(kept, generator, factor, fine, alone));
  }

  Jackknife noise;
  Jackknife limit_noise;
  for (Index b = 0; b < options.blocks; ++b) {
    stage.begin((2.0 + double(b)) / steps, fmt::format("{} of {} blocks", b, options.blocks));
    const auto rows = without_block(b, options.blocks, generator.size());
    std::array<Eigen::VectorXcd, 3> lambda;
    for (std::size_t k = 0; k < scales.size(); ++k) {
      lambda[k] = projected_values(scales[k], rows);
    }
    noise.add(lambda[0]);
    limit_noise.add(second_order(lambda));
  }

  std::array<Eigen::VectorXcd, 3> lambda;
  for (std::size_t k = 0; k < scales.size(); ++k) {
    stage.begin((2.0 + double(options.blocks) + double(k)) / steps,
                fmt::format("halves of the sample, {} epsilon", 1 << k));
    lambda[k] = for_many_points(scales[k], options);
  }
  ErrorBars u;
  u.blocks = options.blocks;
  u.epsilon = fine.epsilon;
  u.eigenvalues = spectrum.eigenvalues;
  u.noise = noise.error();
  u.first = first_order(lambda);
  u.extrapolated = second_order(lambda);
  u.extrapolated_error = in_quadrature(limit_noise.error(), doubt(u.first - lambda[0], u.extrapolated - u.first));
  // lambda_0 = 0 is known.
  alone.erase(0);
  leave_alone(alone, u);
  u.noise[0] = u.first[0] = u.extrapolated[0] = u.extrapolated_error[0] = 0.0;
  set_timescales(u);
  if (const auto modes = growing(u, spectrum); !modes.empty()) {
    u.warnings.push_back(fmt::format(
        "mode(s) {}: the extrapolated rate is not positive, and the time scale unknown; take more points or a smaller "
        "epsilon",
        numbers(modes)));
  }
  if (!spectrum.spurious.empty()) {
    u.warnings.emplace_back("error bars of modes that are flagged as spurious mean nothing");
  }
  return u;
}

}  // namespace itomap
