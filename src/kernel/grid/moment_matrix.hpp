// The second moments of the windows on the grid:  M = sum_i v_i c(s_i) c(t_i)^T  over all points i, where c(z) is the
// window of z on the grid as a vector over grid points.
//
// A row of M, one grid point, holds a box of columns: those that windows which touch it also touch. The cost of a
// product does not depend on the number of points.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "core/aligned.hpp"
#include "kernel/grid/moment_loops.hpp"
#include "kernel/grid/slab_cloud.hpp"

namespace itomap::detail {

class MomentMatrix {
 public:
  /// `weights` and the rows of both clouds are in the caller's numbers; points that only one cloud holds count nothing.
  /// Nothing if the matrix would have more than `most_entries`.
  static std::unique_ptr<const MomentMatrix> build(const GaussGrid& grid, const Spreader& spreader,
                                                   const SlabCloud& sources, const SlabCloud& targets,
                                                   const Vector& weights, double most_entries);

  /// y = M x on the stored grid, four vectors interleaved.
  void apply(const std::complex<double>* x, std::complex<double>* y) const;

  std::size_t memory() const { return entries_.size() * sizeof(double) + boxes_.size() * sizeof(NodeBox); }

 private:
  friend class MomentBuilder;
  MomentMatrix() = default;

  NodeLattice lattice_{};
  std::vector<NodeBox> boxes_;
  AlignedVector entries_;
  MomentLoops loops_{};
};

}  // namespace itomap::detail
