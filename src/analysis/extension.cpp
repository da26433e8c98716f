#include "itomap/analysis/extension.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/belongs.hpp"
#include "core/context.hpp"
#include "core/parallel.hpp"
#include "generator/assemble.hpp"
#include "itomap/core/error.hpp"
#include "kernel/distance_kernel.hpp"
#include "kernel/kernel_geometry.hpp"
#include "kernel/planner.hpp"

namespace itomap {
using namespace detail;
namespace {

void check_distances_to(const MapDefinition& map, const NewPoints& where) {
  if (where.distances.rows() < 1 || where.distances.cols() != map.size()) {
    throw InvalidArgument(
        fmt::format("distances: {} x {} given; a map of distances extends to points whose distances to its {} points "
                    "are given, one "
                    "row each",
                    where.distances.rows(), where.distances.cols(), map.size()));
  }
  where.distances.validate();
}

void check(const MapDefinition& map, const NewPoints& where) {
  if (!map.distances.empty()) {
    return check_distances_to(map, where);
  }
  const Index n = map.points.cols();
  if (where.points.rows() < 1 || where.points.cols() != n) {
    throw InvalidArgument(
        fmt::format("points: {} x {} given, but the map is in {} dimension(s); give at least one row of that many",
                    where.points.rows(), where.points.cols(), n));
  }
  for (const Points* values : {&where.points, &where.drift}) {
    if (!values->allFinite()) {
      throw InvalidArgument("points and drift must be finite numbers; mend or remove the row that holds another");
    }
  }
  if (!map.local()) {
    return;
  }
  if (!where.diffusion || where.drift.rows() != where.points.rows() || where.drift.cols() != n) {
    throw InvalidArgument("a local kernel map extends to points whose drift and diffusion are given, one row each");
  }
  where.diffusion->validate(where.points.rows(), n, map.eta);
}

Points stacked(PointsView above, PointsView below) {
  Points both(above.rows() + below.rows(), above.cols());
  both << above, below;
  return both;
}

Points diffusion_rows(const Diffusion& diffusion, Index rows, Index dimension) {
  Points matrices(rows, dimension * dimension);
  for (Index i = 0; i < rows; ++i) {
    const Points a = diffusion.at(i, dimension);
    matrices.row(i) = Eigen::Map<const Eigen::RowVectorXd>(a.data(), a.size());
  }
  return matrices;
}

/// One A for all stays one A for all: the fast engine wants that.
Diffusion stacked(const Diffusion& above, Index above_rows, const Diffusion& below, Index below_rows, Index dimension) {
  const bool same = above.is_constant() && below.is_constant() && above.at(0, dimension) == below.at(0, dimension);
  if (same) {
    return Diffusion::constant_matrix(Points(above.at(0, dimension)));
  }
  return Diffusion::matrices(
      stacked(diffusion_rows(above, above_rows, dimension), diffusion_rows(below, below_rows, dimension)));
}

/// rho at the new points; empty for a fixed bandwidth.
Vector new_bandwidth(const MapDefinition& map, const NewPoints& where) {
  if (map.bandwidth.fixed()) {
    return {};
  }
  return map.distances.empty() ? variable_bandwidth(map.points.view(), where.points, map.bandwidth, map.kernel)
                               : variable_bandwidth(map.distances, where.distances, map.bandwidth);
}

/// No wider than the widest of the map: the bandwidth grows with the distance from the data, and a point far out would
/// see all of it, in a step longer than any time scale.
Vector limited_bandwidth(const Generator& g, const Vector& rho) {
  return rho.size() == 0 ? rho : Vector(rho.cwiseMin(g.bandwidth.maxCoeff()));
}

/// The kernel on the points of the map followed by the new ones.
KernelGeometry joint_geometry(const Generator& g, const NewPoints& where, const Points& new_drift,
                              const Vector& new_rho) {
  const MapDefinition& map = g.definition;
  const MapDefinition kept = map.subset(g.kept);
  const Points points = stacked(kept.points.view(), where.points);
  const Vector rho = stacked(g.bandwidth, new_rho).reshaped();
  if (!map.local()) {
    return KernelGeometry::variable(points, rho, g.epsilon, map.kernel);
  }
  const Diffusion a =
      stacked(*kept.diffusion, kept.points.rows(), *where.diffusion, where.points.rows(), points.cols());
  return KernelGeometry::local(points, stacked(kept.drift, new_drift), a, rho, g.epsilon, map.eta, map.kernel);
}

/// d and d psi at the points of the map, zeros at others that follow: what the kernel is applied to.
Block weighted_functions(const Generator& g, const Spectrum& s, Index new_points = 0) {
  const Index modes = s.eigenfunctions.cols();
  const Index parts = s.is_real() ? 1 : 2;
  Block x = Block::Zero(g.size() + new_points, 1 + parts * modes);
  auto known = x.topRows(g.size());
  known.col(0) = g.right_weights;
  known.middleCols(1, modes) = g.right_weights.asDiagonal() * s.eigenfunctions.re;
  if (parts == 2) {
    known.rightCols(modes) = g.right_weights.asDiagonal() * s.eigenfunctions.im;
  }
  return x;
}

/// By which factor a move of the given duration shrinks a mode.
std::complex<double> markov_value(const Spectrum& s, Index n, double duration) {
  return 1.0 + duration * s.eigenvalues[n];
}

/// The time that a move takes at a point with the i-th of these bandwidths.
double duration(const Generator& g, const Vector& rho, Index i) {
  return rho.size() == 0 ? g.epsilon : g.epsilon * rho[i] * rho[i];
}

/// The largest |psi| of each mode on the points of the map.
Vector largest_values(const Spectrum& s) { return s.eigenfunctions.squared().colwise().maxCoeff().cwiseSqrt(); }

/// mean / mu, cut back to `largest`: where mu is next to 0 the quotient is noise of any size.
std::complex<double> bounded_quotient(std::complex<double> mean, std::complex<double> mu, double largest) {
  return std::abs(mean) <= largest * std::abs(mu) ? mean / mu : std::polar(largest, std::arg(mean) - std::arg(mu));
}

/// False if a value would have been larger than on any point of the map.
bool set_row(const Spectrum& s, const Vector& largest, const Eigen::RowVectorXd& sums, double duration, Index row,
             Extension& e) {
  constexpr double slack = 1.01;  // rounding and the solver's tolerance, at the points of the map themselves
  const Index modes = s.eigenfunctions.cols();
  bool within = true;
  for (Index n = 0; n < modes; ++n) {
    const std::complex<double> mean(sums[1 + n] / sums[0], s.is_real() ? 0.0 : sums[1 + modes + n] / sums[0]);
    const std::complex<double> mu = markov_value(s, n, duration);
    const std::complex<double> value = bounded_quotient(mean, mu, largest[n]);
    within = within && std::abs(mean) <= slack * largest[n] * std::abs(mu);
    e.eigenfunctions.re(row, n) = value.real();
    if (!s.is_real()) {
      e.eigenfunctions.im(row, n) = value.imag();
    }
  }
  return within;
}

/// Entries p_ii of the points of the map.
Vector own_shares(const Generator& g) {
  const MapDefinition& map = g.definition;
  Vector own = Vector::Ones(g.size());
  if (map.local()) {
    for (Index i = 0; i < g.size(); ++i) {
      const Index row = g.kept[std::size_t(i)];
      const Matrix a =
          map.diffusion->at(row, map.points.cols()) + map.eta * Matrix::Identity(map.points.cols(), map.points.cols());
      const Vector b = g.drift_of_step(i);
      own[i] = std::exp(-0.25 * duration(g, g.bandwidth, i) * b.dot(a.ldlt().solve(b)));
    }
  }
  return own.cwiseProduct(g.right_weights).cwiseQuotient(g.row_sums).cwiseMin(1.0);
}

Vector leave_one_out_errors(const Generator& g, const Spectrum& s) {
  const Vector p = own_shares(g);
  Vector errors(s.eigenfunctions.cols());
  for (Index n = 0; n < errors.size(); ++n) {
    double square = 0.0;
    for (Index i = 0; i < g.size(); ++i) {
      const std::complex<double> mu = markov_value(s, n, duration(g, g.bandwidth, i));
      const double imaginary = s.is_real() ? 0.0 : s.eigenfunctions.im(i, n);
      const double psi = std::hypot(s.eigenfunctions.re(i, n), imaginary);
      // A point that sees itself only cannot be told from the others at all.
      const double miss = p[i] < 1.0 ? std::abs(1.0 - (mu - p[i]) / (mu * (1.0 - p[i]))) : 1.0;
      square += s.stationary[i] * std::pow(psi * std::min(miss, 1.0), 2);
    }
    errors[n] = std::sqrt(square);
  }
  return errors;
}

/// Whether the Euler steps from the new points, which come last in the geometry, leave the data.
std::vector<char> stranded_rows(const KernelGeometry& geometry, Index new_points) {
  std::vector<char> stranded(static_cast<std::size_t>(new_points));
  parallel_chunks(new_points, row_chunk, [&](Index begin, Index end) {
    KernelRow scratch;
    for (Index k = begin; k < end; ++k) {
      const Index row = geometry.position(geometry.size() - new_points + k);
      stranded[std::size_t(k)] = geometry.stranded_exponent(row, scratch) > 0.0 ? 1 : 0;
    }
  });
  return stranded;
}

/// K d and K d psi at the new points, and which of these have Euler steps that leave the data.
struct NewRows {
  Block sums;
  std::vector<char> stranded;
};

/// Where the steps from the new points lead: along the drift there, or with Heun's step along the mean of that and of
/// what it is after an Euler step.
Points drift_of_steps(const Generator& g, const NewPoints& where, const std::vector<Index>& rows, const Vector& rho) {
  if (g.step_drift.size() == 0) {
    return where.drift;
  }
  const Points drift = kept_rows(g.definition.drift, g.kept);
  Block x = Block::Zero(g.size() + where.points.rows(), 1 + drift.cols());
  x.topRows(g.size()) << g.right_weights, g.right_weights.asDiagonal() * drift;
  const Block sums = row_products(joint_geometry(g, where, where.drift, rho), rows, x, g.definition.kernel);
  Points mean = where.drift;
  for (Index k = 0; k < mean.rows(); ++k) {
    if (sums(k, 0) > 0.0) {
      mean.row(k) = 0.5 * (mean.row(k) + sums.row(k).tail(drift.cols()) / sums(k, 0));
    }
  }
  return mean;
}

NewRows new_rows(const Generator& g, const Spectrum& spectrum, const NewPoints& where, const Vector& rho) {
  const MapDefinition& map = g.definition;
  if (!map.distances.empty()) {
    const Distances kept = g.size() == map.size() ? where.distances : where.distances.columns(g.kept);
    return {distance_products(kept, rho, g.bandwidth, g.epsilon, map.kernel.cutoff, weighted_functions(g, spectrum)),
            std::vector<char>(std::size_t(kept.rows()), 0)};
  }
  const Index count = where.points.rows();
  std::vector<Index> rows(std::size_t(count), 0);
  std::iota(rows.begin(), rows.end(), g.size());
  KernelGeometry geometry = joint_geometry(g, where, drift_of_steps(g, where, rows, rho), rho);
  std::vector<char> stranded = stranded_rows(geometry, count);
  return {row_products(std::move(geometry), rows, weighted_functions(g, spectrum, count), map.kernel),
          std::move(stranded)};
}

void warn(Extension& e) {
  if (!e.outside.empty()) {
    e.warnings.push_back(fmt::format(
        "{} new point(s), the first in row {}, are outside and see no point of the map within the cut-off: NaN; a map "
        "at a larger epsilon, or with points there, would reach them",
        e.outside.size(), e.outside.front()));
  }
  if (!e.beyond.empty()) {
    e.warnings.push_back(fmt::format(
        "{} new point(s), the first in row {}, are beyond the data: the bandwidth or a function would be larger there "
        "than anywhere on the map and is cut back, or the Euler step leaves the data; do not read functions there",
        e.beyond.size(), e.beyond.front()));
  }
}

}  // namespace

Extension extend(const Map& whole, const Spectrum& spectrum, PointsView points) {
  return extend(whole, spectrum, NewPoints{.points = points});
}

Extension extend(const Map& whole, const Spectrum& spectrum, const NewPoints& where) {
  const Generator& generator = generator_of(whole);
  const MapDefinition& map = generator.definition;
  const ExecutionScope scope(whole.execution());
  check_belongs(whole, spectrum);
  check(map, where);
  const Vector wanted = new_bandwidth(map, where);
  const Vector rho = limited_bandwidth(generator, wanted);
  const auto [sums, stranded] = new_rows(generator, spectrum, where, rho);
  const Index count = sums.rows();
  const Vector largest = largest_values(spectrum);
  Extension e;
  e.eigenvalues = spectrum.eigenvalues;
  e.eigenfunctions.re.resize(count, spectrum.eigenfunctions.cols());
  e.eigenfunctions.im.resize(count, spectrum.eigenfunctions.im.cols());
  for (Index k = 0; k < count; ++k) {
    if (!(sums(k, 0) > 0.0)) {
      e.outside.push_back(k);
      e.eigenfunctions.re.row(k).setConstant(std::numeric_limits<double>::quiet_NaN());
      e.eigenfunctions.im.row(k).setConstant(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const bool bounded = set_row(spectrum, largest, sums.row(k), duration(generator, rho, k), k, e);
    const bool narrow = rho.size() == 0 || rho[k] == wanted[k];
    if (!bounded || !narrow || stranded[std::size_t(k)] != 0) {
      e.beyond.push_back(k);
    }
  }
  e.interpolation_error = leave_one_out_errors(generator, spectrum);
  warn(e);
  return e;
}

}  // namespace itomap
