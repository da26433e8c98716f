#include "kernel/grid/gauss_transform.hpp"

#include <utility>

namespace itomap::detail {

GaussTransform::GaussTransform(GaussGrid grid, std::shared_ptr<const SlabCloud> sources,
                               std::shared_ptr<const SlabCloud> targets)
    : grid_(std::move(grid)),
      sources_(std::move(sources)),
      targets_(std::move(targets)),
      filter_(grid_.shape(), grid_.factors()),
      spreader_(grid_) {}

std::size_t GaussTransform::memory() const {
  return sources_->memory() + (targets_ == sources_ ? 0 : targets_->memory()) + std::size_t(grid_.bytes());
}

void GaussTransform::transform(const SlabCloud& from, const SlabCloud& to, PointsView x, Eigen::Ref<Block> y) const {
  for (Index column = 0; column < x.cols(); column += spread_lanes) {
    const auto buffer = filter_.zeros();
    spreader_.spread(from, x, column, buffer.get());
    filter_.apply(buffer.get());
    spreader_.gather(to, buffer.get(), column, y);
  }
}

}  // namespace itomap::detail
