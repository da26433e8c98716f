#include "support/passages.hpp"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "support/double_well.hpp"
#include "support/samples.hpp"

namespace itomap::exact {
namespace {

constexpr Index nodes = 8001;  // odd: Simpson's rule is not needed, the trapezoidal error is 1e-7

/// int from the first node to each, by the trapezoidal rule.
Vector running_integral(const Vector& values, double spacing) {
  Vector result = Vector::Zero(values.size());
  for (Index k = 1; k < values.size(); ++k) {
    result[k] = result[k - 1] + 0.5 * spacing * (values[k - 1] + values[k]);
  }
  return result;
}

/// Chance of a step against an increase z of beta U, per h^2: Bernoulli's function z / (e^z - 1).
double bernoulli(double z) { return std::abs(z) < 1e-8 ? 1.0 - 0.5 * z : z / std::expm1(z); }

Eigen::RowVector2d drift_at(double x, double y, double beta, double swirl) {
  const double ux = 4.0 * x * (x * x - 1.0);
  const double uy = 2.0 * y;
  return -beta * Eigen::RowVector2d(ux - swirl * uy, uy + swirl * ux);
}

/// A jump process on the cells of a rectangle.
class CellProcess {
 public:
  CellProcess(const PlanePassage::Problem& problem, double h)
      : problem_(problem),
        nx(Index(std::ceil(2.0 * problem.rectangle.reach_x / h))),
        ny(Index(std::ceil(2.0 * problem.rectangle.reach_y / h))),
        hx_(2.0 * problem.rectangle.reach_x / double(nx)),
        hy_(2.0 * problem.rectangle.reach_y / double(ny)) {
    weights.resize(size());
    in_source.resize(std::size_t(size()));
    in_sink.resize(std::size_t(size()));
    for (Index i = 0; i < nx; ++i) {
      for (Index j = 0; j < ny; ++j) {
        const Index cell = i * ny + j;
        weights[cell] = std::exp(-problem.beta * (well(x(i)) + y(j) * y(j)));
        in_source[std::size_t(cell)] = problem.source(x(i), y(j));
        in_sink[std::size_t(cell)] = problem.sink(x(i), y(j));
      }
    }
    weights /= weights.sum();
    for (Index i = 0; i < nx; ++i) {
      for (Index j = 0; j < ny; ++j) {
        if (i + 1 < nx) {
          add_edge(i * ny + j, (i + 1) * ny + j, x(i) + 0.5 * hx_, y(j), 0, hx_);
        }
        if (j + 1 < ny) {
          add_edge(i * ny + j, i * ny + j + 1, x(i), y(j) + 0.5 * hy_, 1, hy_);
        }
      }
    }
  }

  Index size() const { return nx * ny; }

  struct Jump {
    Index from;
    Index to;
    double rate;
  };

  /// sum_j rate_ij (f_j - f_i) = right where `fixed` is false, f = value where it is true.
  Vector solve(const std::vector<Jump>& process, const std::vector<bool>& fixed, const Vector& value,
               double right) const {
    std::vector<Eigen::Triplet<double>> entries;
    Vector b = Vector::Constant(size(), right);
    for (const Jump& jump : process) {
      if (!fixed[std::size_t(jump.from)]) {
        entries.emplace_back(jump.from, jump.to, jump.rate);
        entries.emplace_back(jump.from, jump.from, -jump.rate);
      }
    }
    for (Index i = 0; i < size(); ++i) {
      if (fixed[std::size_t(i)]) {
        entries.emplace_back(i, i, 1.0);
        b[i] = value[i];
      }
    }
    Eigen::SparseMatrix<double> matrix(size(), size());
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
    return lu.solve(b);
  }

  /// Jumps of the process run backwards in time.
  std::vector<Jump> reversed() const {
    std::vector<Jump> result;
    for (const Jump& jump : jumps) {
      result.push_back({jump.to, jump.from, weights[jump.from] * jump.rate / weights[jump.to]});
    }
    return result;
  }

  const PlanePassage::Problem& problem_;
  Index nx;
  Index ny;
  Vector weights;
  std::vector<bool> in_source;
  std::vector<bool> in_sink;
  std::vector<Jump> jumps;

 private:
  double x(Index i) const { return -problem_.rectangle.reach_x + (double(i) + 0.5) * hx_; }
  double y(Index j) const { return -problem_.rectangle.reach_y + (double(j) + 0.5) * hy_; }

  void add_edge(Index a, Index b, double at_x, double at_y, int axis, double h) {
    const double z = drift_at(at_x, at_y, problem_.beta, problem_.swirl)[axis] * h;
    jumps.push_back({a, b, bernoulli(-z) / (h * h)});
    jumps.push_back({b, a, bernoulli(z) / (h * h)});
  }

  double hx_;
  double hy_;
};

Vector as_numbers(const std::vector<bool>& set) {
  Vector result(Index(set.size()));
  std::transform(set.begin(), set.end(), result.begin(), [](bool in) { return in ? 1.0 : 0.0; });
  return result;
}

std::vector<bool> either(const std::vector<bool>& a, const std::vector<bool>& b) {
  std::vector<bool> result(a.size());
  std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::logical_or<>());
  return result;
}

Matrix on_cells(const Vector& values, Index nx, Index ny) { return values.reshaped<Eigen::RowMajor>(nx, ny); }

}  // namespace

Points Rectangle::sample(Index m, std::uint64_t seed) const {
  samples::Random random(seed);
  Points points(m, 2);
  for (Index i = 0; i < m; ++i) {
    points(i, 0) = random.uniform(-reach_x, reach_x);
    points(i, 1) = random.uniform(-reach_y, reach_y);
  }
  return points;
}

WellPassage::WellPassage(double beta, double edge, double reach) : edge_(edge), reach_(reach) {
  const double spacing = 2.0 * reach / double(nodes - 1);
  const Vector x = Vector::LinSpaced(nodes, -reach, reach);
  const Vector up = x.unaryExpr([=](double s) { return std::abs(s) <= edge ? std::exp(beta * well(s)) : 0.0; });
  const Vector down = x.unaryExpr([=](double s) { return std::exp(-beta * well(s)); });
  const Vector climbed = running_integral(up, spacing);
  const Vector mass = running_integral(down, spacing);
  const double total = climbed[nodes - 1];
  committor_ = climbed / total;
  flux_ = 1.0 / (total * mass[nodes - 1]);
  const Vector from_source = running_integral(down.cwiseProduct(Vector::Ones(nodes) - committor_), spacing);
  rate_ = flux_ * mass[nodes - 1] / from_source[nodes - 1];
  // To the sink the process climbs from anywhere, the source included.
  const Vector slope = x.unaryExpr([=](double s) { return s <= edge ? std::exp(beta * well(s)) : 0.0; });
  const Vector passed = running_integral(slope.cwiseProduct(mass), spacing);
  time_ = Vector::Constant(nodes, passed[nodes - 1]) - passed;
  const Vector in_source = x.unaryExpr([=](double s) { return s < -edge ? std::exp(-beta * well(s)) : 0.0; });
  time_from_source_ = in_source.dot(time_) / in_source.sum();
}

double WellPassage::interpolate(const Vector& values, double x) const {
  const double position = std::clamp((x + reach_) / (2.0 * reach_) * double(nodes - 1), 0.0, double(nodes - 1) - 1e-9);
  const auto k = Index(position);
  const double t = position - double(k);
  return (1.0 - t) * values[k] + t * values[k + 1];
}

double WellPassage::committor(double x) const { return interpolate(committor_, x); }

double WellPassage::time(double x) const { return x > edge_ ? 0.0 : interpolate(time_, x); }

PlanePassage::PlanePassage(const Problem& problem, double h) : rectangle_(problem.rectangle) {
  const CellProcess cells(problem, h);
  const auto sets = either(cells.in_source, cells.in_sink);
  const Vector source = as_numbers(cells.in_source);
  const Vector sink = as_numbers(cells.in_sink);
  const Vector q = cells.solve(cells.jumps, sets, sink, 0.0);
  const Vector back = cells.solve(cells.reversed(), sets, source, 0.0);
  const Vector t = cells.solve(cells.jumps, cells.in_sink, Vector::Zero(cells.size()), -1.0);
  for (const auto& jump : cells.jumps) {
    flux_ += source[jump.from] * cells.weights[jump.from] * jump.rate * q[jump.to];
  }
  rate_ = flux_ / cells.weights.dot(back);
  const Vector in_source = cells.weights.cwiseProduct(source);
  time_from_source_ = in_source.dot(t) / in_source.sum();
  forward_ = on_cells(q, cells.nx, cells.ny);
  backward_ = on_cells(back, cells.nx, cells.ny);
  time_ = on_cells(t, cells.nx, cells.ny);
}

Vector PlanePassage::interpolate(const Matrix& values, PointsView points) const {
  Vector result(points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    const auto place = [](double at, double reach, Index count) {
      return std::clamp((at + reach) / (2.0 * reach) * double(count) - 0.5, 0.0, double(count - 1) - 1e-9);
    };
    const double px = place(points(i, 0), rectangle_.reach_x, values.rows());
    const double py = place(points(i, 1), rectangle_.reach_y, values.cols());
    const auto a = Index(px);
    const auto b = Index(py);
    const double s = px - double(a);
    const double t = py - double(b);
    result[i] = (1.0 - s) * ((1.0 - t) * values(a, b) + t * values(a, b + 1)) +
                s * ((1.0 - t) * values(a + 1, b) + t * values(a + 1, b + 1));
  }
  return result;
}

Points swirling_drift(PointsView points, double beta, double swirl) {
  Points b(points.rows(), 2);
  for (Index i = 0; i < points.rows(); ++i) {
    b.row(i) = drift_at(points(i, 0), points(i, 1), beta, swirl);
  }
  return b;
}

}  // namespace itomap::exact
