#include "dynamics/increment_sums.hpp"

#include <cmath>

namespace itomap::detail {
namespace {

// Of A_ij from n Gaussian increments; Isserlis' theorem.
Matrix diffusion_error(const Matrix& a, double n) {
  const Vector diagonal = a.diagonal();
  return ((diagonal * diagonal.transpose() + a.cwiseAbs2()) / n).cwiseSqrt();
}

double square(double x) { return x * x; }

}  // namespace

void Overlap::add(Index frame, Index lag) {
  while (!recent_.empty() && frame - recent_.front() >= lag) {
    recent_.pop_front();
  }
  correlation_ += 1.0;
  square_ += 1.0;
  for (const Index earlier : recent_) {
    const double correlation = 1.0 - double(frame - earlier) / double(lag);
    correlation_ += 2.0 * correlation;
    square_ += 2.0 * correlation * correlation;
  }
  recent_.push_back(frame);
}

IncrementSums::IncrementSums(Index queries, Index dimension)
    : count_(std::size_t(queries)),
      overlap_(std::size_t(queries)),
      centre_(Points::Zero(queries, dimension)),
      spread_(Vector::Zero(queries)),
      mean_(Points::Zero(queries, dimension)),
      scatter_(Points::Zero(queries, dimension * dimension)) {}

// Welford's update: no cancellation, however large the mean.
void IncrementSums::add(Index query, const double* start, const double* increment, Index frame, Index lag_frames) {
  const Index n = dimension();
  const auto count = double(++count_[std::size_t(query)]);
  overlap_[std::size_t(query)].add(frame, lag_frames);
  auto centre = centre_.row(query);
  const Eigen::RowVectorXd distance = Eigen::Map<const Eigen::RowVectorXd>(start, n) - centre;
  centre += distance / count;
  spread_[query] += (1.0 - 1.0 / count) * distance.squaredNorm();
  auto mean = mean_.row(query);
  const Eigen::RowVectorXd deviation = Eigen::Map<const Eigen::RowVectorXd>(increment, n) - mean;
  mean += deviation / count;
  Eigen::Map<Points>(scatter_.row(query).data(), n, n).noalias() +=
      (1.0 - 1.0 / count) * deviation.transpose() * deviation;
}

double IncrementSums::independent(Index query) const {
  return square(double(count(query))) / overlap_[std::size_t(query)].correlation();
}

double IncrementSums::independent_products(Index query) const {
  return square(double(count(query))) / overlap_[std::size_t(query)].square();
}

double IncrementSums::spread(Index query) const { return std::sqrt(spread_[query] / double(count(query))); }

double IncrementSums::divisor(Index query, double lag) const {
  return 2.0 * lag * double(count(query)) * (1.0 - 1.0 / independent(query));
}

double IncrementSums::diffusion_trace(Index query, double lag) const {
  const Index n = dimension();
  return Eigen::Map<const Points>(scatter_.row(query).data(), n, n).trace() / divisor(query, lag);
}

IncrementSums IncrementSums::subset(const std::vector<Index>& queries) const {
  IncrementSums some(Index(queries.size()), dimension());
  for (std::size_t k = 0; k < queries.size(); ++k) {
    some.count_[k] = count_[std::size_t(queries[k])];
    some.overlap_[k] = overlap_[std::size_t(queries[k])];
  }
  some.centre_ = centre_(queries, Eigen::all);
  some.spread_ = spread_(queries);
  some.mean_ = mean_(queries, Eigen::all);
  some.scatter_ = scatter_(queries, Eigen::all);
  return some;
}

DynamicsEstimate IncrementSums::estimate(double lag) const {
  const Index m = queries(), n = dimension();
  DynamicsEstimate e;
  e.drift = mean_ / lag;
  e.diffusion.resize(m, n * n);
  e.drift_error.resize(m, n);
  e.diffusion_error.resize(m, n * n);
  e.centres = centre_;
  e.counts = count_;
  e.independent_counts.resize(m);
  for (Index i = 0; i < m; ++i) {
    const double independent_i = independent(i);
    const Matrix a = Eigen::Map<const Points>(scatter_.row(i).data(), n, n) / divisor(i, lag);
    Eigen::Map<Points>(e.diffusion.row(i).data(), n, n) = 0.5 * (a + a.transpose());
    Eigen::Map<Points>(e.diffusion_error.row(i).data(), n, n) = diffusion_error(a, independent_products(i));
    e.drift_error.row(i) = (2.0 / (lag * independent_i) * a.diagonal().transpose()).cwiseSqrt();
    e.independent_counts(i) = independent_i;
  }
  return e;
}

}  // namespace itomap::detail
