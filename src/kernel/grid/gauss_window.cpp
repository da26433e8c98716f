#include "kernel/grid/gauss_window.hpp"
#include "core/numbers.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace itomap::detail {
namespace {

/// sinh(sqrt(s)) / sqrt(s), continued to negative s as sin.
double sinhc(double s) {
  const double root = std::sqrt(std::abs(s));
  if (root < 1e-8) {
    return 1.0;
  }
  return (s > 0.0 ? std::sinh(root) : std::sin(root)) / root;
}

/// The spacing at which error(spacing), which grows with it, reaches the accuracy.
template <class Error>
double coarsest_spacing(double accuracy, const Error& error) {
  double fine = 0.05;
  double coarse = 1.5;
  if (error(fine) > accuracy) {
    return 0.0;
  }
  for (int k = 0; k < 14; ++k) {
    const double middle = std::sqrt(fine * coarse);
    (error(middle) <= accuracy ? fine : coarse) = middle;
  }
  return fine;
}

}  // namespace

GaussWindow::GaussWindow(int width, double accuracy) : width_(width), accuracy_(accuracy) {
  // The best shape grows with the width and depends on the spacing: try the plausible ones.
  constexpr int shapes = 10;
  double best_shape = 0.0;
  for (int s = 0; s < shapes; ++s) {
    set_shape((2.0 + 1.1 * s / (shapes - 1)) * width);
    const double h = coarsest_spacing(accuracy, [&](double spacing) { return error(spacing); });
    if (h > spacing_) {
      spacing_ = h;
      best_shape = shape_;
    }
  }
  set_shape(best_shape);
}

const GaussWindow& GaussWindow::remembered(int width, double accuracy) {
  constexpr std::size_t most = 1000;
  thread_local std::map<std::pair<int, double>, GaussWindow> windows;
  if (windows.size() >= most) {
    windows.clear();
  }
  return windows.try_emplace({width, accuracy}, width, accuracy).first->second;
}

void GaussWindow::set_shape(double shape) {
  shape_ = shape;
  norm_ = std::cyl_bessel_i(0.0, shape);
}

double GaussWindow::value(double u) const {
  const double x = 2.0 * u / width_;
  return std::cyl_bessel_i(0.0, shape_ * std::sqrt(std::max(0.0, 1.0 - x * x))) / norm_;
}

double GaussWindow::transform(double kappa) const {
  const double half = 0.5 * width_ * kappa;
  return width_ * sinhc(shape_ * shape_ - half * half) / norm_;
}

double GaussWindow::highest_mode(double spacing) const {
  // exp(-k^2 / 4) has fallen to a hundredth of the accuracy there.
  return std::min(pi, 2.0 * spacing * std::sqrt(std::log(100.0 / accuracy_)));
}

double GaussWindow::error(double spacing) const {
  // Every mode of the kernel is multiplied by (1 + r)^2 instead of 1, where r are its aliases relative to itself: the
  // sum over all modes bounds the error. Modes are taken as dense, so that the box does not matter.
  constexpr int steps = 40;
  const double highest = highest_mode(spacing);
  const double step = highest / steps;
  double sum = std::erfc(0.5 * highest / spacing);  // the modes left out
  for (int k = 0; k < steps; ++k) {
    const double kappa = (k + 0.5) * step;
    double aliases = 0.0;
    for (const int p : {-2, -1, 1, 2}) {
      aliases += std::abs(transform(kappa + 2.0 * pi * p));
    }
    const double r = aliases / std::abs(transform(kappa));
    sum += std::exp(-0.25 * kappa * kappa / (spacing * spacing)) / (std::sqrt(pi) * spacing) * step * r * (2.0 + r);
  }
  return sum;
}

Matrix GaussWindow::fitted(int degree) const {
  // Interpolation in Chebyshev points, turned into powers of g, which are well conditioned on [-1, 1].
  const int n = degree + 1;
  Matrix powers(n, n);
  Matrix values(n, width_);
  for (int k = 0; k < n; ++k) {
    const double g = std::cos(pi * (k + 0.5) / n);
    for (int e = 0; e < n; ++e) {
      powers(k, e) = std::pow(g, e);
    }
    for (int l = 0; l < width_; ++l) {
      values(k, l) = value(l - 0.5 * width_ + 0.5 * (1.0 + g));
    }
  }
  return powers.partialPivLu().solve(values);
}

double GaussWindow::misfit(const Matrix& coefficients) const {
  constexpr int places = 41;
  double worst = 0.0;
  for (int k = 0; k < places; ++k) {
    const double g = -1.0 + 2.0 * k / (places - 1);
    for (int l = 0; l < width_; ++l) {
      double fit = 0.0;
      for (Index e = coefficients.rows() - 1; e >= 0; --e) {
        fit = fit * g + coefficients(e, l);
      }
      worst = std::max(worst, std::abs(fit - value(l - 0.5 * width_ + 0.5 * (1.0 + g))));
    }
  }
  return worst;
}

std::vector<double> GaussWindow::polynomials(int padded_width, int& degree) const {
  // The lowest degree that follows the window, which is smooth inside its support, to a tenth of the accuracy.
  constexpr int highest = 16;
  degree = 4;
  while (degree < highest && misfit(fitted(degree)) > 0.1 * accuracy_) {
    ++degree;
  }
  const Matrix c = fitted(degree);
  std::vector<double> coefficients(std::size_t(degree + 1) * std::size_t(padded_width), 0.0);
  for (int e = 0; e <= degree; ++e) {
    for (int l = 0; l < width_; ++l) {
      coefficients[std::size_t(e) * std::size_t(padded_width) + std::size_t(l)] = c(e, l);
    }
  }
  return coefficients;
}

}  // namespace itomap::detail
