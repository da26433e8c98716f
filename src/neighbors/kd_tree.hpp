// A kd-tree (nanoflann) for a handful of dimensions; beyond ten or so it visits nearly every point.
#pragma once

#include <memory>

#include "neighbors/neighbor_search.hpp"

namespace itomap::detail {

class KdTree final : public NeighborSearch {
 public:
  explicit KdTree(PointsView points);
  ~KdTree() override;
  void candidates(const double* centre, const Reach& reach, std::vector<IndexRange>& found) const override;
  std::string_view name() const override { return "kd-tree"; }

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace itomap::detail
