#include "analysis/nelder_mead.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace itomap::detail {
namespace {

struct Corner {
  Vector x;
  double value = 0.0;
};

/// Factors that depend on the number of variables, after Gao and Han (2012): those of the textbook shrink too early in
/// more than a few dimensions.
struct Factors {
  double expand, contract, shrink;

  explicit Factors(double n) : expand(1.0 + 2.0 / n), contract(0.75 - 0.5 / n), shrink(1.0 - 1.0 / n) {
    if (n < 2.0) {
      expand = 2.0, contract = 0.5, shrink = 0.5;
    }
  }
};

class Simplex {
 public:
  using Function = std::function<double(const Vector&)>;

  Simplex(const Function& f, const Vector& start, double step) : f_(f), factors_(double(start.size())) {
    corners_.push_back(corner(start));
    for (Index k = 0; k < start.size(); ++k) {
      Vector x = start;
      x[k] += step;
      corners_.push_back(corner(std::move(x)));
    }
    sort();
  }

  const Corner& best() const { return corners_.front(); }
  double spread() const { return corners_.back().value - corners_.front().value; }
  Index evaluations() const { return evaluations_; }

  void step() {
    const Vector centre = centre_of_better();
    const Corner reflected = along(centre, 1.0);
    if (reflected.value < best().value) {
      replace_worst(better(along(centre, factors_.expand), reflected));
    } else if (reflected.value < corners_[corners_.size() - 2].value) {
      replace_worst(reflected);
    } else {
      const bool outside = reflected.value < corners_.back().value;
      const Corner contracted = along(centre, outside ? factors_.contract : -factors_.contract);
      if (contracted.value < std::min(reflected.value, corners_.back().value)) {
        replace_worst(contracted);
      } else {
        shrink();
      }
    }
    sort();
  }

 private:
  Corner corner(Vector x) {
    ++evaluations_;
    const double value = f_(x);
    return {std::move(x), value};
  }
  /// The point as far beyond the centre as the worst corner is before it, times `factor`.
  Corner along(const Vector& centre, double factor) { return corner(centre + factor * (centre - corners_.back().x)); }
  static Corner better(const Corner& a, const Corner& b) { return a.value < b.value ? a : b; }
  void replace_worst(Corner corner) { corners_.back() = std::move(corner); }

  Vector centre_of_better() const {
    Vector sum = Vector::Zero(best().x.size());
    for (std::size_t k = 0; k + 1 < corners_.size(); ++k) {
      sum += corners_[k].x;
    }
    return sum / double(corners_.size() - 1);
  }
  void shrink() {
    for (std::size_t k = 1; k < corners_.size(); ++k) {
      corners_[k] = corner(best().x + factors_.shrink * (corners_[k].x - best().x));
    }
  }
  void sort() { std::ranges::stable_sort(corners_, {}, &Corner::value); }

  const Function& f_;
  Factors factors_;
  std::vector<Corner> corners_;  // best first
  Index evaluations_ = 0;
};

}  // namespace

Minimum nelder_mead(const std::function<double(const Vector&)>& f, const Vector& start,
                    const NelderMeadOptions& options) {
  Minimum minimum{start, f(start), 1, false};
  while (!minimum.converged && minimum.evaluations < options.max_evaluations) {
    Simplex simplex(f, minimum.x, options.step);
    while (simplex.spread() > options.tolerance &&
           minimum.evaluations + simplex.evaluations() < options.max_evaluations) {
      simplex.step();
    }
    const bool collapsed = simplex.spread() <= options.tolerance;
    minimum.converged = collapsed && minimum.value - simplex.best().value <= options.tolerance;
    minimum.evaluations += simplex.evaluations();
    minimum.x = simplex.best().x;
    minimum.value = simplex.best().value;
  }
  return minimum;
}

}  // namespace itomap::detail
