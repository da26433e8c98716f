#include "differential/tolerances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/dense_algebra.hpp"
#include "generator/generator.hpp"

namespace itomap::differential {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();

std::vector<Index> zeros_of(const Vector& values) {
  std::vector<Index> points;
  for (Index i = 0; i < values.size(); ++i) {
    if (values[i] == 0.0) {
      points.push_back(i);
    }
  }
  return points;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

/// The sparse engine holds what is above the cut-off and nothing else; the density of a local kernel may come from
/// another engine unless it was asked for. Whether single images are cut off is left to the library.
bool cuts_exactly(const Problem& problem, const Map& map) {
  return map.plan().engine == Engine::Sparse && largest(problem.map.kernel.period) == 0.0 &&
         (map.reversible() || problem.map.kernel.engine == Engine::Sparse);
}

}  // namespace

reference::WholeMap reference_of(const Problem& problem, const Map& map) {
  const detail::Generator& g = detail::generator_of(map);
  return reference::whole_map(problem.map, {map.epsilon(), map.density_epsilon(), map.bandwidth_dimension(),
                                            zeros_of(g.right_weights), zeros_of(g.pace), cuts_exactly(problem, map)});
}

Tolerances::Tolerances(const Problem& problem, const Map& map, const reference::WholeMap& whole)
    : problem_(problem), map_(map), whole_(whole), limit_(-std::log(problem.map.kernel.cutoff)) {
  set_coordinate_rounding();
  const double cutoff = problem.map.kernel.cutoff * engine_factor();
  const bool exact = cuts_exactly(problem, map) && !tie();
  entry_ = exact ? 0.0 : cutoff * images(map.epsilon() * largest_spread_);
  density_entry_ = exact ? 0.0 : cutoff * images(map.density_epsilon());
  relative_ = 64.0 * unit + (problem.map.kernel.single_precision ? 6e-8 : 0.0);
}

double Tolerances::exponent(double u) const {
  return 16.0 * unit * condition_ * (u + 1.0) + 2.0 * std::sqrt(std::max(u, 0.0)) * coordinate_ +
         coordinate_ * coordinate_;
}

Vector Tolerances::density() const {
  const Vector q = reference::log_row_sums(whole_.density_kernel).array().exp();
  const Vector rounding = Vector::Constant(q.size(), relative_ + exponent(limit_));
  return density_entry_ > 0.0 ? Vector(rounding + density_entry_ * double(q.size()) * q.cwiseInverse()) : rounding;
}

Vector Tolerances::log_weights() const {
  const Vector q = density();
  const double rounding = 8.0 * unit * 600.0;
  switch (problem_.map.method) {
    case Method::DiffusionMap:
      return std::abs(problem_.map.alpha) * q.array() + rounding;
    case Method::BiasedLocalKernelMap:
      return Vector::Constant(q.size(), rounding);
    default:
      return q.array() + rounding;
  }
}

Matrix Tolerances::markov() const {
  constexpr double determined = 0.02;  // bounds are of first order
  const Index m = map_.size();
  const Vector weights = log_weights();
  Matrix bound(m, m);
  for (Index i = 0; i < m; ++i) {
    const double nearest = whole_.kernel.exponents.row(i).minCoeff();
    const double level = nearest > limit_ ? -nearest : 0.0;
    const double pace = whole_.pace.size() > 0 ? whole_.pace[i] : 1.0;
    if (pace == 0.0) {
      bound.row(i).setZero();
      continue;
    }
    for (Index j = 0; j < m; ++j) {
      const double share = whole_.log_weights[j] - whole_.log_row_sums[i];
      const double u = whole_.kernel.exponents(i, j);
      const double own = std::exp(whole_.log_kernel(i, j) + share);
      const double rounding = u < limit_ - level ? exponent(u) + relative_ : 0.0;
      const double cut = entry_ > 0.0 ? entry_ * std::exp(level + share) : 0.0;
      bound(i, j) = pace * (cut + own * (rounding + weights[j]));
    }
    // The row sum is off by as much as all its terms.
    const double sum = bound.row(i).sum() / pace;
    bound.row(i) += sum * whole_.markov.row(i);
    if (!(sum < determined)) {
      bound.row(i).setConstant(std::numeric_limits<double>::infinity());
    }
  }
  // Transforms carry several vectors at once, and a little of one into the others.
  const double crosstalk = map_.plan().engine == Engine::Grid ? 256.0 * unit : 0.0;
  // A bandwidth is a power of distances, taken by logarithms, which have as many digits less as the units are far from
  // the distances; the diagonal is 1 less the pace, its square.
  const double bandwidth = whole_.bandwidth.size() > 0 ? 4.0 * unit * std::abs(std::log(map_.epsilon())) : 0.0;
  Vector noise = Vector::Constant(m, 16.0 * unit + bandwidth);
  if (crosstalk > 0.0) {
    noise.array() += crosstalk * (-whole_.log_row_sums.array()).exp().min(1.0 / unit);
  }
  return 1.05 * bound + noise.replicate(1, m);
}

bool Tolerances::tie() const { return whole_.graph.closest_call <= exponent(2.0 * limit_) + 1e-10; }

void Tolerances::set_coordinate_rounding() {
  const MapDefinition& map = problem_.map;
  const Index n = map.points.cols();
  const bool fixed = whole_.bandwidth.size() == 0;
  const double narrowest = fixed ? 1.0 : whole_.bandwidth.minCoeff();
  const double widest = fixed ? 1.0 : whole_.bandwidth.maxCoeff();
  double least = map_.epsilon();
  double size = map.points.view().cwiseAbs().maxCoeff() + largest(map.kernel.period);
  if (map.local()) {
    double smallest = std::numeric_limits<double>::infinity();
    largest_spread_ = 0.0;
    for (Index i = 0; i < map.points.rows(); ++i) {
      const Vector values = detail::symmetric_values(map.diffusion->at(i, n) + map.eta * Matrix::Identity(n, n));
      smallest = std::min(smallest, values.minCoeff());
      largest_spread_ = std::max(largest_spread_, values.maxCoeff());
      condition_ = std::max(condition_, values.maxCoeff() / values.minCoeff());
    }
    least = std::min(map_.epsilon() * smallest, map_.density_epsilon());
    size += map_.epsilon() * widest * widest * map.drift.cwiseAbs().maxCoeff();
  }
  largest_spread_ *= widest * widest;
  coordinate_ = 4.0 * unit * size * std::sqrt(double(n)) / (2.0 * narrowest * std::sqrt(least));
}

/// Images of a point, its kernel so wide, that come within twice the reach.
double Tolerances::images(double squared_width) const {
  double count = 1.0;
  for (const double length : problem_.map.kernel.period) {
    if (length > 0.0) {
      count *= 2.0 + 4.0 * std::sqrt(2.0 * limit_ * squared_width) / length;
    }
  }
  return count;
}

/// The fast Gauss transform has the error of the cut-off along each axis.
double Tolerances::engine_factor() const {
  const Engine asked = problem_.map.kernel.engine;
  const bool grid = asked == Engine::Grid || asked == Engine::Auto;
  // The window is right to the cut-off along each axis, on the way to the grid and on the way back.
  return grid ? 1.0 + 2.0 * double(problem_.map.points.cols()) : 1.0;
}

}  // namespace itomap::differential
