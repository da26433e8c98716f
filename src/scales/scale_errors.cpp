#include "scales/scale_errors.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "core/numbers.hpp"
#include "scales/replicates.hpp"

namespace itomap::detail {
namespace {

/// Root mean square over the modes of |value| / |lambda|.
double relative(const Vector& value, const Vector& lambda) {
  return value.cwiseAbs().cwiseQuotient(lambda.cwiseAbs()).norm() / std::sqrt(double(lambda.size()));
}

/// Eigenvalues at two scales or more, and what of each is a bias. The widest has none: there is nothing wider.
class Descent {
 public:
  Descent(std::vector<Vector> lambda, double growth) : lambda_(std::move(lambda)), growth_(growth) {
    const Vector zero = Vector::Zero(lambda_[0].size());
    width_.assign(lambda_.size(), zero);
    few_.assign(lambda_.size(), zero);
    for (std::size_t k = 1; k + 1 < lambda_.size(); ++k) {
      from_three(k);
    }
    narrowest(lambda_.size() - 1);
  }

  std::size_t size() const { return lambda_.size(); }
  const Vector& lambda(std::size_t k) const { return lambda_[k]; }
  const Vector& width(std::size_t k) const { return width_[k]; }
  const Vector& few(std::size_t k) const { return few_[k]; }

  /// False where less than half of lambda is left: points see each other no more, and the law is one of small biases.
  bool has_points(std::size_t k) const {
    double largest = 0.0;
    for (std::size_t wider = 0; wider < k; ++wider) {
      largest = std::max(largest, lambda_[wider].norm());
    }
    return lambda_[k].norm() >= 0.5 * largest;
  }

  /// The width of scale k as scale j sees it.
  Vector width_seen(std::size_t k, std::size_t j) const {
    const Vector limit = lambda_[j] - width_[j] - few_[j];
    return lambda_[k] - few_[k] - limit;
  }

 private:
  /// From lambda at 2 epsilon, epsilon and epsilon / 2. From one scale to the next the bias of the width halves, that
  /// of few points grows by 2^p.
  void from_three(std::size_t k) {
    const Vector step = lambda_[k - 1] - lambda_[k];
    const Vector next = lambda_[k] - lambda_[k + 1];
    const Vector step_of_few = (next - 0.5 * step) / (growth_ - 0.5);
    width_[k] = step - step_of_few;
    few_[k] = step_of_few / (1.0 / growth_ - 1.0);
  }

  /// There is no scale below: by the law from the scale above; where that has none either, all of it is width.
  void narrowest(std::size_t k) {
    if (k == 1) {
      width_[k] = lambda_[0] - lambda_[1];
    } else {
      width_[k] = 0.5 * width_[k - 1];
      few_[k] = growth_ * few_[k - 1];
    }
  }

  std::vector<Vector> lambda_;
  double growth_;
  std::vector<Vector> width_;
  std::vector<Vector> few_;
};

/// The same descent with all points and with one block of them left out after the other.
class JackknifedDescent {
 public:
  JackknifedDescent(std::span<const TriedScale> scales, double growth)
      : all_(select(scales, [](const TriedScale& s) { return s.lambda; }), growth) {
    for (std::size_t b = 0; b < scales[0].without.size(); ++b) {
      parts_.emplace_back(select(scales, [b](const TriedScale& s) { return s.without[b]; }), growth);
    }
  }

  ScaleErrors errors(std::size_t k) const {
    const auto& lambda = all_.lambda(k);
    const auto size = [&](const Vector& value) { return relative(value, lambda); };
    double square = std::pow(size(all_.width(k)), 2);
    for (std::size_t j = k + 1; j + 1 < all_.size() && all_.has_points(j); ++j) {
      const double seen = size(all_.width_seen(k, j));
      const double noise = size(noise_of([&](const Descent& d) { return d.width_seen(k, j); }));
      const double few = size(all_.few(j));
      square = std::max(square, seen * seen - noise * noise - few * few);
    }
    return {.width = std::sqrt(square),
            .few = size(all_.few(k)),
            .noise = size(noise_of([&](const Descent& d) { return d.lambda(k); }))};
  }

 private:
  template <class Part>
  static std::vector<Vector> select(std::span<const TriedScale> scales, const Part& part) {
    std::vector<Vector> values;
    for (const auto& scale : scales) {
      values.push_back(part(scale));
    }
    return values;
  }

  template <class Value>
  Vector noise_of(const Value& value) const {
    Jackknife jackknife;
    for (const auto& part : parts_) {
      jackknife.add(value(part).template cast<std::complex<double>>());
    }
    return jackknife.error().real();
  }

  Descent all_;
  std::vector<Descent> parts_;
};

/// The longest row of scales that all have a solution.
std::span<const TriedScale> longest_row(std::span<const TriedScale> tried) {
  const auto solved = [](const TriedScale& scale) { return scale.lambda.size() > 0; };
  std::span<const TriedScale> longest;
  auto end = tried.begin();
  while (end != tried.end()) {
    const auto begin = std::find_if(end, tried.end(), solved);
    end = std::find_if_not(begin, tried.end(), solved);
    if (std::size_t(end - begin) > longest.size()) {
      longest = {begin, end};
    }
  }
  return longest;
}

}  // namespace

Vector slowest_first(const Eigen::VectorXcd& lambda) {
  Vector rates = lambda.real();
  std::sort(rates.begin(), rates.end(), std::greater<>());
  return rates;
}

std::vector<ScaleErrors> scale_errors(const std::vector<TriedScale>& tried, double dimension) {
  std::vector<ScaleErrors> errors(tried.size(), {not_a_number, not_a_number, not_a_number});
  const auto row = longest_row(tried);
  if (row.size() < 2) {
    return errors;
  }
  const JackknifedDescent descent(row, std::exp2(std::max(dimension, 1.0) / 2.0));
  const auto first = std::size_t(row.data() - tried.data());
  for (std::size_t k = 1; k < row.size(); ++k) {
    errors[first + k] = descent.errors(k);
  }
  return errors;
}

}  // namespace itomap::detail
