#include "generator/bistochastic.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/reporter.hpp"

namespace itomap::detail {
namespace {

/// Far below what epsilon and the number of points do to w; engines of limited accuracy stop before.
constexpr double tolerance = 1e-7;
constexpr int most_cycles = 15;
/// 2 / (3 + cos((2 k - 1) pi / 10)), large and small ones in turn, so that rounding does not grow in between.
constexpr std::array<double, 5> cycle{0.5061937210342337, 0.9761128190728091, 0.5574469650105361, 0.8291135778440624,
                                      0.6666666666666666};
/// exp(-600) of the largest weight: what is smaller is as good as nothing, and stays where it is.
constexpr double smallest = -600.0;

class WeightIteration {
 public:
  /// w is known up to a factor: one that suits the start is taken.
  WeightIteration(const KernelOperator& kernel, const Vector& log_measure, Vector log_start)
      : kernel_(kernel), log_measure_(log_measure), log_d_(std::move(log_start)) {
    log_d_.array() -= log_d_.maxCoeff();
    log_d_ = log_d_.cwiseMax(smallest);
    log_measure_.array() -= log_measure_.maxCoeff();
    const Vector w = log_measure_.array().exp();
    log_measure_.array() -= w.dot(log_ratio()) / w.sum();
  }

  /// The largest |log r| before it.
  double step(double theta) {
    const Vector ratio = log_ratio();
    log_d_ = (log_d_ + theta * ratio).cwiseMax(smallest);
    return (log_d_.array() > smallest).select(ratio.array().abs(), 0.0).maxCoeff();
  }

  const Vector& log_weights() const { return log_d_; }

 private:
  /// log(w / (d K d))
  Vector log_ratio() const {
    const Vector sums = accurate_product(kernel_, log_d_.array().exp()).values;
    return log_measure_.array() - log_d_.array() - sums.array().max(std::numeric_limits<double>::min()).log();
  }

  const KernelOperator& kernel_;
  Vector log_measure_;
  Vector log_d_;
};

}  // namespace

Bistochastic bistochastic_weights(const KernelOperator& kernel, const Vector& log_measure, Vector log_start) {
  Reporter reporter("weights");
  WeightIteration iteration(kernel, log_measure, std::move(log_start));
  Bistochastic result;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_cycles; ++round) {
    reporter.report_or_throw(double(round) / most_cycles);
    for (const double theta : cycle) {
      result.residual = iteration.step(theta);
    }
    if (result.residual < tolerance || result.residual > 0.5 * before) {
      break;
    }
    before = result.residual;
  }
  result.log_weights = iteration.log_weights();
  return result;
}

}  // namespace itomap::detail
