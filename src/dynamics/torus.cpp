#include "dynamics/torus.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace itomap::detail {

Torus::Torus(std::vector<double> period)
    : period_(std::move(period)),
      flat_(std::all_of(period_.begin(), period_.end(), [](double p) { return p == 0.0; })) {}

void Torus::shorten(double* difference) const {
  if (flat_) {
    return;
  }
  for (std::size_t a = 0; a < period_.size(); ++a) {
    if (period_[a] > 0.0) {
      difference[a] = std::remainder(difference[a], period_[a]);
    }
  }
}

double Torus::squared_distance(const double* x, const double* y) const {
  double squared = 0.0;
  for (std::size_t a = 0; a < period_.size(); ++a) {
    const double difference = x[a] - y[a];
    const double way = period_[a] > 0.0 ? std::remainder(difference, period_[a]) : difference;
    squared += way * way;
  }
  return squared;
}

void Torus::fold(Points& points) const {
  for (Index a = 0; a < points.cols(); ++a) {
    const double length = period(a);
    if (length > 0.0) {
      points.col(a) = points.col(a).unaryExpr([=](double x) { return x - length * std::floor(x / length); });
    }
  }
}

}  // namespace itomap::detail
