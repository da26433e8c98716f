#include "blocks/frame.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace itomap::detail {

KernelFrame::KernelFrame(Whitening whitening, std::vector<double> period, const Eigen::RowVectorXd& origin,
                         double cutoff)
    : whitening_(std::move(whitening)),
      period_(std::move(period)),
      whitened_period_(period_),
      origin_(origin),
      limit_(-std::log(cutoff)) {
  for (std::size_t a = 0; a < period_.size(); ++a) {
    whitened_period_[a] /= whitening_.unit_half_widths(0)[a];
    if (period_[a] > 0.0) {
      origin_[Index(a)] = 0.0;
    }
  }
}

Points KernelFrame::places(PointsView rows) const {
  Points x = rows.rowwise() - origin_;
  for (std::size_t a = 0; a < period_.size(); ++a) {
    if (period_[a] > 0.0) {
      x.col(Index(a)).array() -= period_[a] * (x.col(Index(a)).array() / period_[a]).floor();
    }
  }
  return whitening_.whitened(x);
}

double KernelFrame::reach() const { return std::sqrt(limit_); }

double KernelFrame::accuracy() const { return std::max(std::exp(-limit_), 1e-12); }

double KernelFrame::squared_distance(const double* z, const double* other) const {
  double sum = 0.0;
  for (Index a = 0; a < dimension(); ++a) {
    double apart = std::abs(z[a] - other[a]);
    if (!whitened_period_.empty() && whitened_period_[std::size_t(a)] > 0.0) {
      apart = std::min(apart, whitened_period_[std::size_t(a)] - apart);
    }
    sum += apart * apart;
  }
  return sum;
}

}  // namespace itomap::detail
