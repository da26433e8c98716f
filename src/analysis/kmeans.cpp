#include "itomap/analysis/kmeans.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "analysis/set_order.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/reporter.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

struct Cloud {
  PointsView x;
  Vector weights;
};

/// The centre that every point belongs to, and what it adds to the sum.
struct Assignment {
  std::vector<Index> labels;
  Vector costs;  // w_i |x_i - c|^2

  explicit Assignment(Index points) : labels(std::size_t(points)), costs(points) {}
};

double squared_distance(const double* x, const double* y, Index n) {
  double sum = 0.0;
  for (Index k = 0; k < n; ++k) {
    sum += (x[k] - y[k]) * (x[k] - y[k]);
  }
  return sum;
}

std::pair<Index, double> nearest(const double* x, const Block& centres) {
  Index best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < centres.rows(); ++k) {
    const double distance = squared_distance(x, centres.row(k).data(), centres.cols());
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return {best, least};
}

double total(const Vector& values) {
  const auto part = [&](Index begin, Index end) {
    return Matrix::Constant(1, 1, values.segment(begin, end - begin).sum());
  };
  return parallel_sum(values.size(), row_chunk, 1, 1, part)(0, 0);
}

/// Returns the sum that is minimised.
double assign(const Cloud& cloud, const Block& centres, Assignment& assignment) {
  parallel_chunks(cloud.x.rows(), row_chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto [label, distance] = nearest(cloud.x.row(i).data(), centres);
      assignment.labels[i] = label;
      assignment.costs[i] = cloud.weights[i] * distance;
    }
  });
  return total(assignment.costs);
}

/// Sums of w x, and of w in the last column, over each group.
Matrix group_sums(const Cloud& cloud, const std::vector<Index>& labels, Index sets) {
  const Index d = cloud.x.cols();
  const auto part = [&](Index begin, Index end) {
    Matrix sums = Matrix::Zero(sets, d + 1);
    for (Index i = begin; i < end; ++i) {
      sums.row(labels[i]).head(d) += cloud.weights[i] * cloud.x.row(i);
      sums(labels[i], d) += cloud.weights[i];
    }
    return sums;
  };
  return parallel_sum(cloud.x.rows(), row_chunk, sets, d + 1, part);
}

/// The means of the groups. A group that has lost its weight starts again at the point that costs most.
Block means(const Cloud& cloud, Assignment& assignment, const Block& before) {
  const Index d = cloud.x.cols();
  const Matrix sums = group_sums(cloud, assignment.labels, before.rows());
  Block centres = before;
  for (Index k = 0; k < before.rows(); ++k) {
    if (sums(k, d) > 0.0) {
      centres.row(k) = sums.row(k).head(d) / sums(k, d);
      continue;
    }
    Index worst = 0;
    assignment.costs.maxCoeff(&worst);
    centres.row(k) = cloud.x.row(worst);
    assignment.costs[worst] = 0.0;  // the next one goes elsewhere
  }
  return centres;
}

/// A point drawn with probability proportional to `masses`; the sum of all must be positive.
Index draw(const Vector& masses, double sum, RandomStream& random) {
  double left = random.uniform() * sum;
  Index last = 0;
  for (Index i = 0; i < masses.size(); ++i) {
    if (masses[i] <= 0.0) {
      continue;
    }
    last = i;
    left -= masses[i];
    if (left < 0.0) {
      break;
    }
  }
  return last;
}

[[noreturn]] void refuse_few_points(Index sets, Index places) {
  throw InvalidArgument(
      fmt::format("sets: {} asked for, but only {} different point(s) have weight; ask for fewer", sets, places));
}

/// k-means++.
Block draw_centres(const Cloud& cloud, Index sets, RandomStream& random, Assignment& assignment) {
  Block centres = cloud.x.row(draw(cloud.weights, total(cloud.weights), random));
  while (centres.rows() < sets) {
    const double sum = assign(cloud, centres, assignment);
    if (!(sum > 0.0)) {
      refuse_few_points(sets, centres.rows());
    }
    const Index next = draw(assignment.costs, sum, random);
    centres.conservativeResize(centres.rows() + 1, Eigen::NoChange);
    centres.bottomRows(1) = cloud.x.row(next);
  }
  return centres;
}

/// Lloyd's iteration from `centres`.
Kmeans lloyd(const Cloud& cloud, Block centres, const KmeansOptions& options, Assignment& assignment) {
  Kmeans result;
  result.inertia = assign(cloud, centres, assignment);
  while (!result.converged && result.iterations < options.max_iterations) {
    centres = means(cloud, assignment, centres);
    const double before = result.inertia;
    result.inertia = assign(cloud, centres, assignment);
    result.converged = result.inertia >= (1.0 - options.tolerance) * before;
    ++result.iterations;
  }
  result.labels = assignment.labels;
  result.centres = std::move(centres);
  return result;
}

void sort_groups(const Cloud& cloud, Kmeans& result) {
  const Vector weights = group_sums(cloud, result.labels, result.centres.rows()).rightCols(1);
  const std::vector<Index> order = order_of_sets(weights, result.labels);
  relabel(result.labels, order);
  result.centres = Block(result.centres(order, Eigen::all));
}

void check_coordinates(PointsView x, VectorView weights) {
  if (x.cols() < 1 || !x.allFinite()) {
    throw InvalidArgument("coordinates: they must be finite, one column at least");
  }
  if (weights.size() != 0 && weights.size() != x.rows()) {
    throw InvalidArgument(fmt::format("weights: {} for {} points; give one for each", weights.size(), x.rows()));
  }
  if (weights.size() != 0 && !(weights.minCoeff() >= 0.0 && weights.allFinite() && weights.sum() > 0.0)) {
    throw InvalidArgument("weights: they must be finite, >= 0 and not all 0");
  }
}

}  // namespace

void KmeansOptions::validate(Index points) const {
  if (sets < 1 || sets > points) {
    throw InvalidArgument(fmt::format("sets: {} asked of {} points; ask for 1 to {}", sets, points, points));
  }
  if (restarts < 1 || max_iterations < 1) {
    throw InvalidArgument("restarts and max_iterations must be 1 or larger");
  }
  if (!(tolerance >= 0.0 && tolerance < 1.0)) {
    throw InvalidArgument(fmt::format("tolerance: {:g} is not between 0 and 1; 1e-9 is the default", tolerance));
  }
}

Kmeans kmeans(PointsView coordinates, VectorView weights, const KmeansOptions& options) {
  const ExecutionScope scope(options.execution);
  options.validate(coordinates.rows());
  check_coordinates(coordinates, weights);
  const Cloud cloud{coordinates, weights.size() == 0 ? Vector::Ones(coordinates.rows()) : Vector(weights)};
  Reporter reporter("k-means");
  RandomStream random(options.seed);
  Assignment assignment(coordinates.rows());
  std::optional<Kmeans> best;
  for (Index start = 0; start < options.restarts; ++start) {
    reporter.report_or_throw(double(start) / double(options.restarts));
    Kmeans found = lloyd(cloud, draw_centres(cloud, options.sets, random, assignment), options, assignment);
    if (!best || found.inertia < best->inertia) {
      best = std::move(found);
    }
  }
  sort_groups(cloud, *best);
  return *best;
}

}  // namespace itomap
