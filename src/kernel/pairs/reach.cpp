#include "kernel/pairs/reach.hpp"

#include <algorithm>

namespace itomap::detail {
namespace {

Index groups(Index points, Index group) { return (points + group - 1) / group; }

}  // namespace

Boxes::Boxes(PointsView points, Index group) {
  const Index count = groups(points.rows(), group);
  low.resize(count, points.cols());
  high.resize(count, points.cols());
  for (Index g = 0; g < count; ++g) {
    const auto members = points.middleRows(g * group, std::min(group, points.rows() - g * group));
    low.row(g) = members.colwise().minCoeff();
    high.row(g) = members.colwise().maxCoeff();
  }
}

RowReaches::RowReaches(const KernelGeometry& geometry, VectorView log_scale, Index group)
    : centres_(geometry.centres(), group) {
  const Whitening& whitening = geometry.whitening();
  const bool ellipsoids = whitening.kind() == Whitening::Kind::Triangular;
  const Index count = groups(geometry.size(), group);
  const Index n = geometry.dimension();
  weight_ = Points::Zero(count, n);
  if (ellipsoids) {
    axis_weight_ = Points::Zero(count, n);
  }
  limit_ = Vector::Constant(count, geometry.limit());
  for (Index g = 0; g < count; ++g) {
    Eigen::RowVectorXd widths = Eigen::RowVectorXd::Zero(n);
    double radius = 0.0;
    for (Index i = g * group; i < std::min(geometry.size(), (g + 1) * group); ++i) {
      widths = widths.cwiseMax(Eigen::Map<const Eigen::RowVectorXd>(whitening.unit_half_widths(i), n));
      radius = std::max(radius, whitening.unit_radius(i));
      if (log_scale.size() > 0) {
        limit_[g] = std::max(limit_[g], geometry.limit() + log_scale[i]);
      }
    }
    // An ellipsoid lies inside its ball and inside its box; one along the axes is known exactly.
    if (ellipsoids) {
      weight_.row(g).setConstant(1.0 / (radius * radius));
      axis_weight_.row(g) = widths.cwiseAbs2().cwiseInverse();
    } else {
      weight_.row(g) = widths.cwiseAbs2().cwiseInverse();
    }
  }
}

bool RowReaches::misses(Index g, const Boxes& columns, Index h) const {
  const Index n = weight_.cols();
  double bound = 0.0;
  for (Index a = 0; a < n; ++a) {
    const double gap =
        std::max({0.0, centres_.low(g, a) - columns.high(h, a), columns.low(h, a) - centres_.high(g, a)});
    bound += weight_(g, a) * gap * gap;
    if (bound > limit_[g] || (axis_weight_.size() > 0 && axis_weight_(g, a) * gap * gap > limit_[g])) {
      return true;
    }
  }
  return false;
}

std::size_t RowReaches::memory() const {
  return std::size_t(centres_.low.size() + centres_.high.size() + weight_.size() + axis_weight_.size() +
                     limit_.size()) *
         sizeof(double);
}

}  // namespace itomap::detail
