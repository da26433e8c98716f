#include "scales/mode_correction.hpp"

#include <utility>

#include "scales/function_algebra.hpp"

namespace itomap::detail {
namespace {

/// a / b, and nothing where there is nothing to divide by.
ComplexVector quotients(const ComplexVector& a, const ComplexVector& b) {
  ComplexVector result = ComplexVector::Zero(a.size());
  for (Index n = 0; n < a.size(); ++n) {
    if (std::abs(b[n]) > 0.0) {
      result[n] = a[n] / b[n];
    }
  }
  return result;
}

/// Conjugate residuals for all modes side by side.
class ModeCorrection {
 public:
  ModeCorrection(const FunctionOperator& p, const Eigenfunctions& f, const Eigenfunctions& dual, const Vector& weights)
      : p_(p), f_(f), dual_(dual), weights_(weights), gram_(inner_products(dual, f)), result_{f, p(f)} {
    const ComplexMatrix h = along_f(result_.image);
    mu_ = h.diagonal();
    residual_ = added(combined(f_, h), result_.image, -ComplexVector::Ones(mu_.size()));
    first_sizes_ = sizes();
  }

  void step() {
    Direction next = direction(residual_);
    if (step_.f.cols() > 0) {
      add(step_, -quotients(weighted(step_.defect, next.defect), weighted(step_.defect, step_.defect)), next);
    }
    step_ = std::move(next);
    const ComplexVector length = quotients(weighted(step_.defect, residual_), weighted(step_.defect, step_.defect));
    result_.f = added(std::move(result_.f), step_.f, length);
    result_.image = added(std::move(result_.image), step_.image, length);
    residual_ = added(std::move(residual_), step_.defect, -length);
  }

  /// Whether residuals are down to the share `enough`, or were rounding from the start, as that of psi_0 = 1.
  bool done(double enough) const {
    constexpr double rounding = 1e-8;
    const Vector functions = weighted(f_, f_).cwiseAbs().cwiseSqrt();
    return (sizes().array() <= (enough * first_sizes_.array()).max(rounding * functions.array())).all();
  }

  CorrectedModes result() && { return std::move(result_); }

 private:
  struct Direction {
    Eigenfunctions f;
    Eigenfunctions image;   // P f
    Eigenfunctions defect;  // (P - mu) f in the complement
  };

  static void add(const Direction& other, const ComplexVector& factors, Direction& to) {
    to.f = added(std::move(to.f), other.f, factors);
    to.image = added(std::move(to.image), other.image, factors);
    to.defect = added(std::move(to.defect), other.defect, factors);
  }

  ComplexMatrix along_f(const Eigenfunctions& g) const { return solved(gram_, inner_products(dual_, g)); }

  Direction direction(const Eigenfunctions& g) const {
    Eigenfunctions image = p_(g);
    Eigenfunctions defect = added(image, g, -mu_);
    const Eigenfunctions along = combined(f_, along_f(defect));
    defect = added(std::move(defect), along, -ComplexVector::Ones(mu_.size()));
    return {g, std::move(image), std::move(defect)};
  }

  Vector sizes() const { return weighted(residual_, residual_).cwiseAbs().cwiseSqrt(); }

  /// Sums of conj(a) b by weight.
  ComplexVector weighted(const Eigenfunctions& a, const Eigenfunctions& b) const {
    return conjugate_products(a, b, weights_);
  }

  const FunctionOperator& p_;
  const Eigenfunctions& f_;
  const Eigenfunctions& dual_;
  const Vector& weights_;
  ComplexMatrix gram_;
  ComplexVector mu_;
  CorrectedModes result_;
  Eigenfunctions residual_;  // -r - (P - mu) x
  Vector first_sizes_;
  Direction step_;
};

}  // namespace

CorrectedModes corrected_modes(const FunctionOperator& p, const Eigenfunctions& f, const Eigenfunctions& dual,
                               const Vector& weights, const CorrectionLimits& limits) {
  ModeCorrection correction(p, f, dual, weights);
  for (int k = 0; k < limits.steps && !correction.done(limits.residual); ++k) {
    correction.step();
  }
  return std::move(correction).result();
}

}  // namespace itomap::detail
