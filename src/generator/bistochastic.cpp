#include "generator/bistochastic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "core/reporter.hpp"

namespace itomap::detail {
namespace {

/// Eigenvalues are off by about as much, relative to their size: a hundredth of the noise of 10^7 points. Engines of
/// limited accuracy stop before.
constexpr double tolerance = 1e-6;
constexpr int most_products = 75;
constexpr int longest_cycle = 10;
/// exp(-600) of the largest weight: what is smaller is as good as nothing, and stays where it is.
constexpr double smallest = -600.0;

/// The steps theta = 2 / (3 + cos((2 k - 1) pi / 2 n)) of a cycle that leaves `share` of an error, if n may be so
/// large. Large and small ones in turn, so that what one enlarges the next makes small again.
std::vector<double> cycle_that_leaves(double share) {
  const double wanted = std::acosh(std::max(1.0 / share, 1.0)) / std::acosh(3.0);
  const int n = std::clamp(int(std::ceil(wanted)), 1, longest_cycle);
  std::vector<double> steps;
  for (int k = 0; k < n; ++k) {
    const int root = k % 2 == 0 ? k / 2 : n - 1 - k / 2;
    steps.push_back(2.0 / (3.0 + std::cos((2 * root + 1) * std::numbers::pi / (2 * n))));
  }
  return steps;
}

class WeightIteration {
 public:
  WeightIteration(const KernelOperator& kernel, const Vector& log_measure, Vector log_start)
      : kernel_(kernel), log_measure_(log_measure), measure_((log_measure.array() - log_measure.maxCoeff()).exp()) {
    result_.log_weights = std::move(log_start);
    look();
  }

  void step(double theta) {
    result_.log_weights += theta * log_ratio_;
    look();
  }

  double residual() const { return result_.residual; }
  int products() const { return result_.products; }
  Bistochastic found() && { return std::move(result_); }

 private:
  /// log r = log(w / (d K d)), but for its mean: w is known up to a factor.
  void look() {
    Vector& log_d = result_.log_weights;
    log_d.array() -= log_d.maxCoeff();
    log_d = log_d.cwiseMax(smallest);
    result_.sums = accurate_product(kernel_, log_d.array().exp());
    ++result_.products;
    log_ratio_ = log_measure_.array() - log_d.array() -
                 result_.sums.values.array().max(std::numeric_limits<double>::min()).log();
    log_ratio_.array() -= measure_.dot(log_ratio_) / measure_.sum();
    result_.residual = (log_d.array() > smallest).select(log_ratio_.array().abs(), 0.0).maxCoeff();
  }

  const KernelOperator& kernel_;
  const Vector& log_measure_;
  Vector measure_;
  Vector log_ratio_;
  Bistochastic result_;
};

}  // namespace

Bistochastic bistochastic_weights(const KernelOperator& kernel, const Vector& log_measure, Vector log_start) {
  Reporter reporter("weights");
  WeightIteration iteration(kernel, log_measure, std::move(log_start));
  double before = std::numeric_limits<double>::infinity();
  while (iteration.residual() > tolerance && iteration.residual() < 0.5 * before &&
         iteration.products() < most_products) {
    before = iteration.residual();
    for (const double theta : cycle_that_leaves(tolerance / before)) {
      reporter.report_or_throw(double(iteration.products()) / most_products);
      iteration.step(theta);
    }
  }
  return std::move(iteration).found();
}

}  // namespace itomap::detail
