#include "support/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace itomap::statistics {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

double root_mean_square(VectorView values) { return values.norm() / std::sqrt(double(values.size())); }

double log_log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = Index(x.size());
  const Vector u = Eigen::Map<const Vector>(x.data(), n).array().log();
  const Vector v = Eigen::Map<const Vector>(y.data(), n).array().log();
  const Vector centred = u.array() - u.mean();
  return centred.dot(v) / centred.squaredNorm();
}

double median_over_seeds(const std::function<double(std::uint64_t)>& measure) {
  std::vector<double> values;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    values.push_back(measure(seed));
  }
  return median(values);
}

double relative_l1_error(VectorView estimate, VectorView truth) {
  return (estimate / estimate.sum() - truth / truth.sum()).lpNorm<1>();
}

double take_nearest(std::vector<std::complex<double>>& values, std::complex<double> value) {
  const auto nearest = std::min_element(values.begin(), values.end(), [&](const auto& a, const auto& b) {
    return std::abs(a - value) < std::abs(b - value);
  });
  const double distance = std::abs(*nearest - value);
  values.erase(nearest);
  return distance;
}

}  // namespace itomap::statistics
