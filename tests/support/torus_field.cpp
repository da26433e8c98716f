#include "support/torus_field.hpp"

#include <cmath>
#include <numbers>

namespace itomap::exact {

TorusField::TorusField(double constant) : waves_{{constant, 0, 0, 0.0}} {}

TorusField TorusField::wave(double amplitude, int k, int l, double phase) {
  TorusField f(0.0);
  f.waves_ = {{amplitude, k, l, phase}};
  return f;
}

double TorusField::operator()(double x, double y) const {
  double sum = 0.0;
  for (const Wave& w : waves_) {
    sum += w.amplitude * std::cos(w.k * x + w.l * y + w.phase);
  }
  return sum;
}

Vector TorusField::at(PointsView points) const {
  Vector values(points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    values[i] = (*this)(points(i, 0), points.cols() > 1 ? points(i, 1) : 0.0);
  }
  return values;
}

TorusField& TorusField::operator+=(const TorusField& other) {
  waves_.insert(waves_.end(), other.waves_.begin(), other.waves_.end());
  return *this;
}

TorusField operator*(const TorusField& a, const TorusField& b) {
  // cos u cos v = (cos(u + v) + cos(u - v)) / 2
  TorusField product(0.0);
  for (const auto& u : a.waves_) {
    for (const auto& v : b.waves_) {
      const double half = 0.5 * u.amplitude * v.amplitude;
      product.waves_.push_back({half, u.k + v.k, u.l + v.l, u.phase + v.phase});
      product.waves_.push_back({half, u.k - v.k, u.l - v.l, u.phase - v.phase});
    }
  }
  return product;
}

TorusField d(const TorusField& f, int axis) {
  TorusField derivative(0.0);
  for (auto w : f.waves_) {
    w.amplitude *= axis == 0 ? w.k : w.l;
    w.phase += 0.5 * std::numbers::pi;
    derivative.waves_.push_back(w);
  }
  return derivative;
}

TorusField d(const TorusField& f, int first, int second) { return d(d(f, first), second); }

TorusField laplacian(const TorusField& f) { return d(f, 0, 0) + d(f, 1, 1); }

TorusField gradient_product(const TorusField& f, const TorusField& g) { return d(f, 0) * d(g, 0) + d(f, 1) * d(g, 1); }

Points TorusProcess::drift(PointsView points) const {
  Points values(points.rows(), 2);
  values << b[0].at(points), b[1].at(points);
  return values.leftCols(points.cols());
}

Points TorusProcess::diffusion(PointsView points) const {
  Points values(points.rows(), 4);
  values << a[0][0].at(points), a[0][1].at(points), a[1][0].at(points), a[1][1].at(points);
  return values.leftCols(points.cols() * points.cols());
}

TorusField TorusProcess::backward(const TorusField& f) const {
  TorusField sum(0.0);
  for (int i = 0; i < 2; ++i) {
    sum += b[i] * d(f, i);
    for (int j = 0; j < 2; ++j) {
      sum += a[i][j] * d(f, i, j);
    }
  }
  return sum;
}

TorusField TorusProcess::forward(const TorusField& f) const {
  TorusField sum(0.0);
  for (int i = 0; i < 2; ++i) {
    sum += d(b[i] * f, i) * -1.0;
    for (int j = 0; j < 2; ++j) {
      sum += d(a[i][j] * f, i, j);
    }
  }
  return sum;
}

TorusField TorusProcess::bilinear(const TorusField& f, const TorusField& g) const {
  TorusField sum(0.0);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      sum += a[i][j] * d(f, i) * d(g, j);
    }
  }
  return sum;
}

TorusField TorusProcess::frozen_square(const TorusField& f) const {
  TorusField sum(0.0);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      sum += b[i] * b[j] * d(f, i, j);
      for (int k = 0; k < 2; ++k) {
        sum += b[k] * a[i][j] * d(d(f, i, j), k) * 2.0;
        for (int l = 0; l < 2; ++l) {
          sum += a[i][j] * a[k][l] * d(d(f, i, j), k, l);
        }
      }
    }
  }
  return sum;
}

}  // namespace itomap::exact
