#include "neighbors/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nanoflann.hpp>

#include "core/parallel.hpp"
#include "neighbors/flann_cloud.hpp"

namespace itomap::detail {
namespace {

constexpr Index places_a_chunk = 64;

/// Beyond, a kd-tree visits nearly every point, and a plain pass over all of them is faster.
constexpr Index most_searched_dimensions = 8;

/// In ascending order, so that the sum does not depend on how they were found.
double mean_of(std::vector<double>& squares) {
  std::sort(squares.begin(), squares.end());
  double sum = 0.0;
  for (const double square : squares) {
    sum += square;
  }
  return sum / double(squares.size());
}

void search_tree(const FlannTree& tree, PointsView where, Index count, Vector& means) {
  parallel_chunks(where.rows(), places_a_chunk, [&](Index begin, Index end) {
    std::vector<std::int32_t> found(static_cast<std::size_t>(count));
    std::vector<double> squares(static_cast<std::size_t>(count));
    for (Index i = begin; i < end; ++i) {
      const Eigen::RowVectorXd place = where.row(i);
      tree.knnSearch(place.data(), std::size_t(count), found.data(), squares.data());
      means[i] = mean_of(squares);
    }
  });
}

double squared_distance(PointsView points, Index j, PointsView where, Index i, const std::vector<double>& period) {
  double sum = 0.0;
  for (Index a = 0; a < points.cols(); ++a) {
    double delta = points(j, a) - where(i, a);
    if (!period.empty() && period[std::size_t(a)] > 0.0) {
      delta = std::remainder(delta, period[std::size_t(a)]);
    }
    sum += delta * delta;
  }
  return sum;
}

void search_all(PointsView points, PointsView where, Index count, const std::vector<double>& period, Vector& means) {
  parallel_chunks(where.rows(), places_a_chunk, [&](Index begin, Index end) {
    std::vector<double> squares;
    for (Index i = begin; i < end; ++i) {
      squares.resize(std::size_t(points.rows()));
      for (Index j = 0; j < points.rows(); ++j) {
        squares[std::size_t(j)] = squared_distance(points, j, where, i, period);
      }
      std::nth_element(squares.begin(), squares.begin() + (count - 1), squares.end());
      squares.resize(std::size_t(count));
      means[i] = mean_of(squares);
    }
  });
}

}  // namespace

Vector mean_squared_distances(PointsView points, PointsView where, Index count, const std::vector<double>& period) {
  Vector means(where.rows());
  const bool periodic = std::any_of(period.begin(), period.end(), [](double length) { return length > 0.0; });
  if (periodic || points.cols() > most_searched_dimensions) {
    search_all(points, where, count, period, means);
    return means;
  }
  const FlannCloud cloud{points};
  const FlannTree tree(int(points.cols()), cloud, nanoflann::KDTreeSingleIndexAdaptorParams(flann_leaf_points));
  search_tree(tree, where, count, means);
  return means;
}

}  // namespace itomap::detail
