#include "generator/wall_sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "generator/assemble.hpp"
#include "generator/local_map.hpp"
#include "kernel/planner.hpp"

namespace itomap::detail {
namespace {

/// A layer of 0.37 widths along a wall has its mean displaced by so much or more.
constexpr double displacement_at_walls = 0.35;
constexpr Index most_points = 20000;
constexpr Index most_rows = 1000;

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
};

class Displacement {
 public:
  explicit Displacement(const Generator& g)
      : g_(g),
        cloud_(spread(g.size(), most_points)),
        points_(kept_points(g, cloud_)),
        open_(open_coordinates(points_, g.definition.kernel.period)),
        bandwidth_(kept_values(g.bandwidth, cloud_)),
        rows_(spread(points_.rows(), most_rows)) {}

  bool possible() const { return open_.cols() > 0; }
  std::vector<Index> rows() const { return numbers_of(rows_); }

  /// At a squared width. The noise of few neighbours displaces the mean too, by d / 4 n in the mean square.
  Displaced displaced(double squared_width) const {
    Block columns(points_.rows(), 1 + open_.cols());
    columns << Vector::Ones(points_.rows()), open_;
    KernelOptions options = g_.definition.kernel;
    options.engine = Engine::Auto;
    const Block sums =
        row_products(KernelGeometry::variable(points_, bandwidth_, squared_width, options), rows_, columns, options);
    const double dimension = std::max(g_.diagnostics.intrinsic_dimension, 1.0);
    std::vector<Index> found;
    double noises = 0.0;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const auto row = Index(k);
      const double neighbours = sums(row, 0) * std::exp2(0.5 * dimension);
      const double rho = bandwidth_.size() > 0 ? bandwidth_[rows_[k]] : 1.0;
      const auto mean = sums.row(row).tail(open_.cols()) / sums(row, 0) - open_.row(rows_[k]);
      const double noise = 0.25 * dimension / neighbours;
      const double square = mean.squaredNorm() / (4.0 * squared_width * rho * rho) - noise;
      noises += noise;
      if (square > displacement_at_walls * displacement_at_walls) {
        found.push_back(rows_[k]);
      }
    }
    return {numbers_of(found), noises / double(rows_.size())};
  }

 private:
  static Points kept_points(const Generator& g, const std::vector<Index>& cloud) {
    Points points(Index(cloud.size()), g.definition.points.cols());
    for (std::size_t k = 0; k < cloud.size(); ++k) {
      points.row(Index(k)) = g.definition.points.view().row(g.kept[std::size_t(cloud[k])]);
    }
    return points;
  }

  /// In the map.
  std::vector<Index> numbers_of(const std::vector<Index>& rows) const {
    std::vector<Index> numbers;
    for (const Index i : rows) {
      numbers.push_back(cloud_[std::size_t(i)]);
    }
    return numbers;
  }

  const Generator& g_;
  std::vector<Index> cloud_;  // points of the map, of which there may be more than it takes
  Points points_;
  Points open_;
  Vector bandwidth_;
  std::vector<Index> rows_;
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

}  // namespace

bool WallWeight::walls() const {
  constexpr double least = 0.005;  // walls of less are worth less than a per cent
  return weight > least && layer;
}

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
  const Displacement displacement(g);
  if (!displacement.possible()) {
    return {};
  }
  const double width = g.definition.local() ? matched_density_epsilon(g.definition, g.epsilon) : g.epsilon;
  WallSample sample{displacement.rows(), {}};
  for (const double factor : {4.0, 1.0, 0.25, 0.0625}) {
    Displaced found = displacement.displaced(factor * width);
    if (factor < 1.0 && found.noise > 0.5 * displacement_at_walls * displacement_at_walls) {
      break;
    }
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
  bool layer = sample.displaced.size() > 2 || weight < 0.5;
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
