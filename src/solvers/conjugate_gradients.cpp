#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "core/scaled_rows.hpp"
#include "solvers/iteration.hpp"
#include "solvers/orthogonal.hpp"

namespace itomap::detail {
namespace {

class ConjugateGradients final : public Iteration {
 public:
  ConjugateGradients(const RegionSystem& system, const Vector& diagonal, Deflation deflation, double tolerance)
      : inside_(system.inside),
        diagonal_(diagonal),
        deflation_(std::move(deflation)),
        projected_(inner(deflation_.basis, deflation_.image)),
        goal_(tolerance * system.b.norm()) {
    solve_deflated_part(system.b);
    best_solution_ = solution_;  // the answer even if its residual is no number
    keep_best();
    precondition();
    set_direction(conjugate_to_deflation(preconditioned_));
  }

  bool finished() const override { return broken_ || best_ <= std::max(goal_, rounding * best_solution_.norm()); }
  const Vector& direction() const override { return weighted_; }
  const Vector& solution() const override { return best_solution_; }

  void advance(VectorView product) override {
    const Vector image = direction_ - inside_.cwiseProduct(product);
    const double curvature = direction_.dot(image);
    // Not positive: rounding, or an engine whose error exceeds the smallest eigenvalue.
    if (!(curvature > 0.0)) {
      broken_ = true;
      return;
    }
    const double step = weight_ / curvature;
    solution_ += step * direction_;
    residual_ -= step * image;
    keep_best();
    const double last_weight = weight_;
    precondition();
    set_direction(conjugate_to_deflation(preconditioned_) + weight_ / last_weight * direction_);
  }

 private:
  void set_direction(Vector direction) {
    direction_ = std::move(direction);
    weighted_ = inside_.cwiseProduct(direction_);
  }

  /// Z (Z^T A Z)^-1 c.
  Matrix coefficients(const Matrix& c) const { return projected_.solve(c); }

  void solve_deflated_part(const Vector& b) {
    solution_ = Vector::Zero(b.size());
    residual_ = b;
    if (deflation_.basis.cols() > 0) {
      const Matrix c = coefficients(inner(deflation_.basis, b));
      solution_ = product(deflation_.basis, c);
      residual_ -= product(deflation_.image, c);
    }
  }

  /// Beyond the precision that rounding allows the residual grows again, without bound where the system is stiff.
  void keep_best() {
    const double now = residual_.norm();
    if (now < best_) {
      best_ = now;
      best_solution_ = solution_;
      fruitless_ = 0;
    } else {
      broken_ = ++fruitless_ > patience || !(now < divergence * best_);
    }
  }

  void precondition() {
    preconditioned_ = residual_.cwiseQuotient(diagonal_);
    weight_ = residual_.dot(preconditioned_);
  }

  Vector conjugate_to_deflation(const Vector& z) const {
    if (deflation_.basis.cols() == 0) {
      return z;
    }
    Block result = z;
    subtract_product(deflation_.basis, coefficients(inner(deflation_.image, z)), result);
    return result;
  }

  static constexpr double rounding = 1e-15;  // of a solution, in the residual
  static constexpr double divergence = 1e4;
  static constexpr int patience = 1000;

  Vector inside_;
  const Vector& diagonal_;
  Deflation deflation_;
  Eigen::LDLT<Matrix> projected_;
  double goal_;
  Vector solution_;
  Vector residual_;
  Vector preconditioned_;
  Vector direction_;
  Vector weighted_;      // D direction
  double weight_ = 0.0;  // r^T z
  double best_ = std::numeric_limits<double>::infinity();
  Vector best_solution_;
  int fruitless_ = 0;  // steps since
  bool broken_ = false;
};

}  // namespace

std::unique_ptr<Iteration> conjugate_gradients(const RegionSystem& system, const Vector& diagonal, Deflation deflation,
                                               double tolerance) {
  return std::make_unique<ConjugateGradients>(system, diagonal, std::move(deflation), tolerance);
}

}  // namespace itomap::detail
