// Mean and scatter of the increments seen at each query, updated one by one, and what they amount to statistically.
#pragma once

#include <deque>
#include <vector>

#include "itomap/dynamics/kramers_moyal.hpp"

namespace itomap::detail {

/// How much frames overlap in time: sums over all pairs t, u of max(0, 1 - |t - u| / lag) and of its square.
class Overlap {
 public:
  /// Frames ascend. `lag` is a number of frames.
  void add(Index frame, Index lag);

  double correlation() const { return correlation_; }
  double square() const { return square_; }

 private:
  std::deque<Index> recent_;  // frames less than a lag ago
  double correlation_ = 0.0;
  double square_ = 0.0;
};

class IncrementSums {
 public:
  IncrementSums(Index queries, Index dimension);

  /// Different queries may be fed by different threads. `start` is where the increment begins.
  void add(Index query, const double* start, const double* increment, Index frame, Index lag_frames);

  Index queries() const { return mean_.rows(); }
  Index dimension() const { return mean_.cols(); }
  Index count(Index query) const { return count_[std::size_t(query)]; }
  /// n_1 and n_2 of kramers_moyal.hpp.
  double independent(Index query) const;
  double independent_products(Index query) const;
  /// Where the increments began, on average, and how far from there: root mean square.
  Eigen::RowVectorXd centre(Index query) const { return centre_.row(query); }
  double spread(Index query) const;
  /// Of A, which is 0 if all increments are the same; n_1 > 1.
  double diffusion_trace(Index query, double lag) const;

  /// Those of some queries alone.
  IncrementSums subset(const std::vector<Index>& queries) const;

  /// All but points, warnings, the repair and eta; every query must have n_1 > 1.
  DynamicsEstimate estimate(double lag) const;

 private:
  /// What the scatter is divided by to give A.
  double divisor(Index query, double lag) const;

  std::vector<Index> count_;
  std::vector<Overlap> overlap_;
  Points centre_;   // m x N
  Vector spread_;   // sums of squared distances from it
  Points mean_;     // m x N
  Points scatter_;  // m x N*N, about the mean
};

}  // namespace itomap::detail
