// Pairs (u, c) with (I - T) u = c and orthonormal c: the residual is kept orthogonal to all c, so that it is the
// smallest possible, as in GMRES. The new u is the residual, or, when the last step hardly changed it, the last c: the
// space then grows none the less.
#include <algorithm>
#include <cmath>

#include "core/dense_algebra.hpp"
#include "solvers/iteration.hpp"
#include "solvers/orthogonal.hpp"

namespace itomap::detail {
namespace {

constexpr Index restart = 40;         // pairs besides those of the deflation
constexpr double dependence = 1e-10;  // share of c that must be left after orthogonalisation
constexpr double no_progress = 0.05;  // share of the residual that a step must remove

class ConjugateResiduals final : public Iteration {
 public:
  ConjugateResiduals(const RegionSystem& system, const Vector& start, VectorView residual, const Deflation& deflation,
                     double tolerance)
      : inside_(system.inside),
        goal_(tolerance * system.b.lpNorm<Eigen::Infinity>()),
        solution_(start),
        residual_(residual) {
    take_deflation(deflation);
    remove_known_part();
    set_direction(residual_);
  }

  bool finished() const override { return broken_ || residual_.lpNorm<Eigen::Infinity>() <= goal_; }
  const Vector& direction() const override { return weighted_; }
  const Vector& solution() const override { return solution_; }

  void advance(VectorView product) override {
    if (pairs_ == images_.cols()) {
      pairs_ = kept_;
    }
    images_.col(pairs_) = direction_ - inside_.cwiseProduct(product);
    const bool independent = orthogonalise_new_pair();
    if (!independent) {
      restart_from_residual();
      return;
    }
    const double share = images_.col(pairs_).dot(residual_);
    const double before = residual_.norm();
    solution_ += share * functions_.col(pairs_);
    residual_ -= share * images_.col(pairs_);
    const bool slow = std::abs(share) < no_progress * before;
    set_direction(slow ? Vector(images_.col(pairs_)) : residual_);
    ++pairs_;
    fruitless_restarts_ = slow ? fruitless_restarts_ : 0;
  }

 private:
  void set_direction(const Vector& direction) {
    direction_ = direction;
    weighted_ = inside_.cwiseProduct(direction_);
  }

  void take_deflation(const Deflation& deflation) {
    const Index size = inside_.size();
    Block images = deflation.image;
    normalise_columns(images);
    const Vector norms = column_norms(deflation.image);
    std::vector<Index> dependent;
    const Matrix r = orthonormalise(images, dependence, dependent);
    std::vector<Index> kept;
    for (Index k = 0; k < images.cols(); ++k) {
      if (norms[k] > 0.0 && std::find(dependent.begin(), dependent.end(), k) == dependent.end()) {
        kept.push_back(k);
      }
    }
    kept_ = pairs_ = Index(kept.size());
    functions_.resize(size, kept_ + restart);
    images_.resize(size, kept_ + restart);
    if (kept_ > 0) {
      const Matrix factor = norms(kept).cwiseInverse().asDiagonal() * inverted(r(kept, kept));
      images_.leftCols(kept_) = images(Eigen::all, kept);
      functions_.leftCols(kept_) = product(deflation.basis(Eigen::all, kept), factor);
    }
  }

  /// Takes the part of the residual that the pairs at hand can remove.
  void remove_known_part() {
    if (pairs_ > 0) {
      const Matrix c = inner(images_.leftCols(pairs_), residual_);
      solution_ += product(functions_.leftCols(pairs_), c);
      residual_ -= product(images_.leftCols(pairs_), c);
    }
  }

  bool orthogonalise_new_pair() {
    auto image = images_.middleCols(pairs_, 1);
    auto function = functions_.middleCols(pairs_, 1);
    function = direction_;
    const double before = image.norm();
    const Matrix c = project_out(images_.leftCols(pairs_), image);
    const double after = image.norm();
    if (!(after > dependence * before)) {
      return false;
    }
    if (pairs_ > 0) {
      subtract_product(functions_.leftCols(pairs_), c, function);
    }
    image /= after;
    function /= after;
    return true;
  }

  /// The space is exhausted: either all is found up to rounding, or the system has no solution.
  void restart_from_residual() {
    broken_ = ++fruitless_restarts_ > 1;
    pairs_ = kept_;
    remove_known_part();
    set_direction(residual_);
  }

  Vector inside_;
  double goal_;
  Vector solution_;
  Vector residual_;
  Vector direction_;
  Vector weighted_;  // D direction
  Block functions_;  // u
  Block images_;     // c
  Index kept_ = 0;   // pairs of the deflation
  Index pairs_ = 0;
  int fruitless_restarts_ = 0;
  bool broken_ = false;
};

}  // namespace

std::unique_ptr<Iteration> conjugate_residuals(const RegionSystem& system, const Vector& start, VectorView residual,
                                               const Deflation& deflation, double tolerance) {
  return std::make_unique<ConjugateResiduals>(system, start, residual, deflation, tolerance);
}

}  // namespace itomap::detail
