#include "generator/wall_sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "generator/assemble.hpp"
#include "generator/local_map.hpp"
#include "kernel/kernel_geometry.hpp"

namespace itomap::detail {
namespace {

/// A layer of 0.37 widths along a wall has its mean displaced by so much or more.
constexpr double displacement_at_walls = 0.35;
constexpr Index largest_cloud = 20000;
constexpr Index most_rows = 500;
/// More would not make the displacement any surer: its noise is a twelfth of the limit.
constexpr double enough_neighbours = 50.0;
/// What is left out is a thousandth of the kernel and next to even: it moves no mean.
constexpr double cutoff_of_means = 1e-3;

/// `count` of the numbers below n, or all of them, evenly spread.
std::vector<Index> spread(Index n, Index count) {
  std::vector<Index> numbers;
  for (Index k = 0; k < std::min(n, count); ++k) {
    numbers.push_back(n <= count ? k : k * n / count);
  }
  return numbers;
}

/// Coordinates that may end somewhere, about their middle.
Points open_coordinates(const Points& points, const std::vector<double>& period) {
  std::vector<Index> axes;
  for (Index a = 0; a < points.cols(); ++a) {
    if (period.empty() || period[std::size_t(a)] == 0.0) {
      axes.push_back(a);
    }
  }
  Points open = points(Eigen::all, axes);
  open.rowwise() -= Eigen::RowVectorXd(open.colwise().mean());
  return open;
}

/// Rows whose kernel mean is displaced, and the mean square of what noise alone displaces it by.
struct Displaced {
  std::vector<Index> rows;
  double noise = 0.0;
  double neighbours = 0.0;  // harmonic mean
};

/// Both, sorted, each once.
std::vector<Index> united(std::vector<Index> a, const std::vector<Index>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

/// Of rows of a map, among as many of its points as it takes.
class Displacement {
 public:
  explicit Displacement(const Generator& g)
      : g_(g), dimension_(std::max(g.diagnostics.intrinsic_dimension, 1.0)), rows_(spread(g.size(), most_rows)) {
    take(most_rows);
  }

  bool possible() const { return open_.cols() > 0; }
  const std::vector<Index>& rows() const { return rows_; }

  /// At best, by all points, where the width was a factor of the last: there are no more neighbours than the dimension
  /// says, since what is thin has more dimensions the closer one looks.
  double noise_at(double factor) const {
    const double all = double(g_.size()) / double(points_.rows());
    return 0.25 * dimension_ / (last_neighbours_ * all * std::pow(factor, 0.5 * dimension_));
  }

  /// At a squared width.
  Displaced displaced(double squared_width) {
    take(double(points_.rows()) * missing_ * std::pow(last_width_ / squared_width, 0.5 * dimension_));
    Displaced found = among_points(squared_width);
    while (found.neighbours < enough_neighbours && points_.rows() < std::min(g_.size(), largest_cloud)) {
      take(double(points_.rows()) * std::clamp(enough_neighbours / found.neighbours, 1.5, 100.0));
      found = among_points(squared_width);
    }
    missing_ = 1.25 * enough_neighbours / found.neighbours;
    last_width_ = squared_width;
    last_neighbours_ = found.neighbours;
    return found;
  }

 private:
  /// About so many points, the rows among them.
  void take(double count) {
    const auto cloud = united(spread(g_.size(), Index(std::min(count, double(largest_cloud)))), rows_);
    points_.resize(Index(cloud.size()), g_.definition.points.cols());
    for (std::size_t k = 0; k < cloud.size(); ++k) {
      points_.row(Index(k)) = g_.definition.points.view().row(g_.kept[std::size_t(cloud[k])]);
    }
    open_ = open_coordinates(points_, g_.definition.kernel.period);
    bandwidth_ = kept_values(g_.bandwidth, cloud);
    places_.clear();
    for (const Index i : rows_) {
      places_.push_back(std::lower_bound(cloud.begin(), cloud.end(), i) - cloud.begin());
    }
  }

  /// The noise of few neighbours displaces the mean too, by d / 4 n in the mean square.
  Displaced among_points(double squared_width) const {
    Block columns(points_.rows(), 1 + open_.cols());
    columns << Vector::Ones(points_.rows()), open_;
    KernelOptions options = g_.definition.kernel;
    options.cutoff = cutoff_of_means;
    Block sums(Index(places_.size()), columns.cols());
    KernelGeometry::variable(points_, bandwidth_, squared_width, options).row_products(places_, columns, sums);
    Displaced result;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const auto row = Index(k);
      const double neighbours = sums(row, 0) * std::exp2(0.5 * dimension_);
      const double rho = bandwidth_.size() > 0 ? bandwidth_[places_[k]] : 1.0;
      const auto mean = sums.row(row).tail(open_.cols()) / sums(row, 0) - open_.row(places_[k]);
      const double noise = 0.25 * dimension_ / neighbours;
      const double square = mean.squaredNorm() / (4.0 * squared_width * rho * rho) - noise;
      result.noise += noise / double(rows_.size());
      if (square > displacement_at_walls * displacement_at_walls) {
        result.rows.push_back(rows_[k]);
      }
    }
    result.neighbours = 0.25 * dimension_ / result.noise;
    return result;
  }

  const Generator& g_;
  double dimension_;
  std::vector<Index> rows_;  // of the map
  Points points_;            // some of the map, the rows among them
  Points open_;
  Vector bandwidth_;
  std::vector<Index> places_;  // of the rows among the points
  // Times its points, these would have been enough at the width before, with some to spare.
  double missing_ = 1.0;
  double last_width_ = 0.0;  // none: begin with the rows alone
  double last_neighbours_ = 0.0;
};

/// At a quarter of epsilon half of a layer is left, a third where the measure falls towards the wall, more where walls
/// of many dimensions meet. And less or more by chance: two standard deviations of a half of so many rows.
double least_share_of_layer(std::size_t rows) { return 1.0 / 3.0 - 1.0 / std::sqrt(double(rows)); }
double largest_share_of_layer(std::size_t rows) { return 0.85 + 1.0 / std::sqrt(double(rows)); }

double sum_at(const Vector& weights, const std::vector<Index>& rows) {
  double sum = 0.0;
  for (const Index i : rows) {
    sum += weights[i];
  }
  return sum;
}

/// Walls of less are worth less than a per cent.
constexpr double least_weight = 0.005;

/// Whether narrower kernels may still show a layer that weighs something. Steep slopes shrink too fast, mostly between
/// the first two widths: the narrower kernels, which see few of many points, would take longer than both.
bool may_be_walls(const WallSample& sample, const Vector& weights) {
  const auto& wider = sample.displaced[sample.displaced.size() - 2];
  return sum_at(weights, sample.displaced[1]) > least_weight * sum_at(weights, sample.rows) &&
         sum_at(weights, sample.displaced.back()) >= least_share_of_layer(wider.size()) * sum_at(weights, wider);
}

/// For those who will ask: by number, and by the invariant measure, which is not known yet where it has to be solved
/// for.
bool may_be_walls(const WallSample& sample, const Generator& g) {
  return !g.reversible || may_be_walls(sample, Vector::Ones(g.size())) ||
         may_be_walls(sample, g.reversible_stationary());
}

}  // namespace

bool WallWeight::walls() const { return weight > least_weight && layer; }

void look_for_walls(Generator& g) {
  g.wall_sample = std::make_shared<const WallSample>(sample_walls(g));
  const WallWeight by_number = wall_weight(*g.wall_sample, Vector::Ones(g.size()));
  if (g.definition.normalization == Normalization::Paper && by_number.walls()) {
    g.diagnostics.wall_points = Index(std::lround(by_number.weight * double(g.size())));
  }
}

WallSample sample_walls(const Generator& g) {
  if (g.definition.points.rows() == 0) {
    return {};
  }
  Displacement displacement(g);
  if (!displacement.possible()) {
    return {};
  }
  const double width = g.definition.local() ? matched_density_epsilon(g.definition, g.epsilon) : g.epsilon;
  Displaced own = displacement.displaced(width);
  if (own.rows.empty()) {
    return {};
  }
  WallSample sample{displacement.rows(), {displacement.displaced(4.0 * width).rows, std::move(own.rows)}, false};
  constexpr double most_noise = 0.5 * displacement_at_walls * displacement_at_walls;
  double last_factor = 4.0;
  for (const double factor : {0.25, 0.0625}) {
    sample.steep = !may_be_walls(sample, g);
    if (sample.steep || displacement.noise_at(factor / last_factor) > most_noise) {
      break;
    }
    Displaced found = displacement.displaced(factor * width);
    if (found.noise > most_noise) {
      break;
    }
    last_factor = factor;
    sample.displaced.push_back(std::move(found.rows));
  }
  return sample;
}

WallWeight wall_weight(const WallSample& sample, const Vector& weights) {
  if (sample.displaced.empty()) {
    return {};
  }
  const double all = sum_at(weights, sample.rows);
  const double weight = sum_at(weights, sample.displaced[1]) / all;
  if (!(weight > 0.0)) {
    return {};
  }
  // Without narrower kernels: what is more than half of all has no room to grow faster than a layer does.
  bool layer = !sample.steep && (sample.displaced.size() > 2 || weight < 0.5);
  for (std::size_t k = 0; k + 1 < sample.displaced.size(); ++k) {
    const double wider = sum_at(weights, sample.displaced[k]);
    const double narrower = sum_at(weights, sample.displaced[k + 1]);
    const std::size_t rows = sample.displaced[k].size();
    layer = layer && narrower >= least_share_of_layer(rows) * wider;
    // Points scattered about a manifold, thinner than any kernel, are displaced towards it at every scale.
    const bool narrowest = k > 0 && k + 2 == sample.displaced.size();
    layer = layer && !(narrowest && narrower > largest_share_of_layer(rows) * wider);
  }
  return {weight, layer};
}

}  // namespace itomap::detail
