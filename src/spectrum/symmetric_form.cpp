#include "spectrum/symmetric_form.hpp"

#include "core/scaled_rows.hpp"

namespace itomap::detail {

Vector stationary_root(const Generator& g) {
  Vector root = g.right_weights.cwiseSqrt().cwiseProduct(g.row_sums.cwiseSqrt());
  if (g.pace.size() > 0) {
    root = root.cwiseQuotient(g.pace.cwiseSqrt());
  }
  return root / root.norm();
}

Vector symmetric_scaling(const Generator& g) {
  const Vector scaling = g.right_weights.cwiseQuotient(g.row_sums).cwiseSqrt();
  return g.pace.size() > 0 ? Vector(scaling.cwiseProduct(g.pace.cwiseSqrt())) : scaling;
}

LinearOperator symmetric_form(const Generator& g, const Vector& scaling) {
  const auto apply = [&g, &scaling](PointsView x) -> Block {
    const Block scaled = scaled_rows(scaling, x);
    Block y(x.rows(), x.cols());
    g.kernel->apply(scaled, y);
    scale_rows(scaling, y);
    if (g.pace.size() > 0) {
      y += x - g.pace.asDiagonal() * x;
    }
    return y;
  };
  LinearOperator s{g.size(), true, apply, g.kernel->cheap()};
  s.diagonal = scaling.cwiseAbs2();  // K_ii = 1, and a little more where images of a point see each other
  if (g.pace.size() > 0) {
    s.diagonal.array() += 1.0 - g.pace.array();
  }
  return s;
}

}  // namespace itomap::detail
