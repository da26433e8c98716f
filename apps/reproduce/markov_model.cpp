#include "reproduce/markov_model.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace itomap::reproduce {
namespace {

Matrix symmetric_counts(const std::vector<States>& runs, Index states, Index lag) {
  Matrix counts = Matrix::Zero(states, states);
  for (const auto& run : runs) {
    for (std::size_t t = 0; t + std::size_t(lag) < run.size(); ++t) {
      counts(run[t], run[t + std::size_t(lag)]) += 1;
    }
  }
  return counts + counts.transpose();
}

// D^-1/2 C D^-1/2, similar to T = D^-1 C and symmetric; rows of states that never occur are 0 and so are their mu.
Vector eigenvalues_descending(const Matrix& counts) {
  const Vector sums = counts.rowwise().sum();
  const Vector scale = (sums.array() > 0).select(sums.cwiseMax(1).cwiseSqrt().cwiseInverse(), 0);
  const Matrix similar = scale.asDiagonal() * counts * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Matrix>(similar, Eigen::EigenvaluesOnly).eigenvalues().reverse();
}

}  // namespace

States angle_bins(VectorView angles, Index bins) {
  States states;
  for (const double angle : angles) {
    states.push_back(std::clamp(Index(std::floor(angle / 360 * double(bins))), Index{0}, bins - 1));
  }
  return states;
}

Vector implied_timescales(const std::vector<States>& runs, Index states, Index lag, Index count) {
  const Vector mu = eigenvalues_descending(symmetric_counts(runs, states, lag));
  Vector timescales = Vector::Zero(count);
  for (Index n = 0; n < std::min(count, states - 1); ++n) {
    if (mu[n + 1] > 0) {
      timescales[n] = double(lag) / std::abs(std::log(mu[n + 1]));  // |log|: 1 may be a bit more
    }
  }
  return timescales;
}

}  // namespace itomap::reproduce
