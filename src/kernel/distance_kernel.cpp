#include "kernel/distance_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/agreement.hpp"
#include "core/median.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/vector_exp.hpp"
#include "itomap/core/error.hpp"
#include "kernel/pairs/sparse_operator.hpp"
#include "kernel/reorder.hpp"

namespace itomap::detail {
namespace {

/// 1 / 8 epsilon rho^2.
Vector bandwidth_factors(const Vector& bandwidth, Index points, double epsilon) {
  return bandwidth.size() == 0 ? Vector::Constant(points, 1.0 / (8.0 * epsilon))
                               : Vector((8.0 * epsilon * bandwidth.array().square()).inverse());
}

/// Points that are near each other get numbers that are: breadth first through the lists.
std::vector<std::int32_t> breadth_first(const Distances& distances) {
  std::vector<std::int32_t> order;
  std::vector<bool> seen(std::size_t(distances.rows()), false);
  const auto visit = [&](Index j) {
    if (!seen[std::size_t(j)]) {
      seen[std::size_t(j)] = true;
      order.push_back(std::int32_t(j));
    }
  };
  for (Index i = 0; i < distances.rows(); ++i) {
    visit(i);
    for (std::size_t k = order.size() - 1; k < order.size(); ++k) {
      distances.for_row(order[k], [&](Index j, double) { visit(j); });
    }
  }
  return order;
}

std::vector<std::int32_t> storage_order(const Distances& distances) {
  if (distances.is_listed()) {
    return breadth_first(distances);
  }
  std::vector<std::int32_t> order(static_cast<std::size_t>(distances.rows()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

void sort_by_column(KernelRow& row) {
  std::vector<std::pair<std::int32_t, double>> entries;
  for (std::size_t k = 0; k < row.columns.size(); ++k) {
    entries.emplace_back(row.columns[k], row.values[k]);
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < entries.size(); ++k) {
    row.columns[k] = entries[k].first;
    row.values[k] = entries[k].second;
  }
}

}  // namespace

DistanceKernel::DistanceKernel(const Distances& distances, const Vector& bandwidth, double epsilon,
                               const KernelOptions& options)
    : distances_(distances),
      factors_(bandwidth_factors(bandwidth, distances.rows(), epsilon)),
      options_(options),
      limit_(-std::log(options.cutoff)) {}

RowSample DistanceKernel::sample() const {
  const Index rows = std::min<Index>(distances_.rows(), 200);
  double count = 0.0;
  double sum = 0.0;
  double derivative = 0.0;  // epsilon dk/d(epsilon) = u k
  for (Index s = 0; s < rows; ++s) {
    const Index i = s * distances_.rows() / rows;
    distances_.for_row(i, [&](Index j, double d) {
      const double u = i == j ? 0.0 : d * d * (factors_[i] + factors_[j]);
      if (u <= limit_) {
        count += 1.0;
        sum += std::exp(-u);
        derivative += u * std::exp(-u);
      }
    });
  }
  return {count / double(rows), 2.0 * derivative / sum};
}

double DistanceKernel::edge() const {
  std::vector<double> edges;
  for (Index i = 0; distances_.is_listed() && i < distances_.rows(); ++i) {
    Index known = 0;
    double farthest = 0.0;
    distances_.for_row(i, [&](Index j, double d) {
      ++known;
      farthest = std::max(farthest, d * d * (factors_[i] + factors_[j]));
    });
    if (known < distances_.cols()) {
      edges.push_back(farthest > limit_ ? 0.0 : std::exp(-farthest));
    }
  }
  return median(std::move(edges));
}

void DistanceKernel::row(Index i, Index first, const std::vector<std::int32_t>& order,
                         const std::vector<std::int32_t>& position, KernelRow& row) const {
  row.columns.clear();
  row.values.clear();
  const auto add = [&](Index column, double exponent) {
    if (exponent <= limit_) {
      row.columns.push_back(std::int32_t(column));
      row.values.push_back(exponent);
    }
  };
  if (distances_.is_listed()) {
    const Index point = order[std::size_t(i)];
    distances_.for_row(point, [&](Index j, double d) {
      add(position[std::size_t(j)], j == point ? 0.0 : d * d * (factors_[point] + factors_[j]));
    });
    sort_by_column(row);
  } else {
    const auto all = distances_.all();
    for (Index j = first; j < all.cols(); ++j) {
      const double d = i == j ? 0.0 : all(std::min(i, j), std::max(i, j));  // one of two that rounding may tell apart
      add(j, d * d * (factors_[i] + factors_[j]));
    }
  }
  exp_of_negative(row.values.data(), Index(row.values.size()));
}

std::shared_ptr<const KernelOperator> DistanceKernel::stored(double beside, KernelPlan* plan) const {
  const double entries = sample().entries;
  const Ranks* ranks = current_ranks();
  const double bytes = SparseOperator::predicted_bytes(double(distances_.rows()), entries, true,
                                                       options_.single_precision, ranks != nullptr ? ranks->size() : 1);
  if (bytes + beside > double(memory_budget())) {
    throw InvalidArgument(
        fmt::format("memory: the kernel of these distances needs about {}, but {} are allowed; allow more memory, or "
                    "take a smaller "
                    "epsilon",
                    format_bytes(bytes + beside), format_bytes(double(memory_budget()))));
  }
  const std::vector<std::int32_t> order = storage_order(distances_);
  const std::vector<std::int32_t> position = inverse_order(order);
  auto kernel = std::make_shared<SparseOperator>(
      order, [&](Index i, Index first, KernelRow& entry) { row(i, first, order, position, entry); }, options_);
  if (plan != nullptr) {
    *plan = {Engine::Sparse,
             fmt::format("{:.0f} neighbours a point; distances are given, and kernels of these are stored", entries)};
    plan->predicted_bytes = bytes;
  }
  return kernel;
}

Block distance_products(const Distances& where, const Vector& new_bandwidth, const Vector& bandwidth, double epsilon,
                        double cutoff, PointsView x) {
  const Vector own = bandwidth_factors(new_bandwidth, where.rows(), epsilon);
  const Vector other = bandwidth_factors(bandwidth, where.cols(), epsilon);
  const double limit = -std::log(cutoff);
  Block y = Block::Zero(where.rows(), x.cols());
  parallel_chunks(where.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      where.for_row(i, [&](Index j, double d) {
        const double u = d * d * (own[i] + other[j]);
        if (u <= limit) {
          y.row(i) += std::exp(-u) * x.row(j);
        }
      });
    }
  });
  return y;
}

double widest_listed_scale(const Distances& distances) {
  constexpr double negligible = 1e-3;  // of the kernel's maximum: some percent of its mass and moments lie beyond
  std::vector<double> farthest;
  for (Index i = 0; distances.is_listed() && i < distances.rows(); ++i) {
    Index known = 0;
    double largest = 0.0;
    distances.for_row(i, [&](Index, double d) {
      ++known;
      largest = std::max(largest, d);
    });
    if (known < distances.cols()) {
      farthest.push_back(largest * largest);
    }
  }
  return farthest.empty() ? std::numeric_limits<double>::infinity()
                          : median(std::move(farthest)) / (4.0 * -std::log(negligible));
}

}  // namespace itomap::detail
