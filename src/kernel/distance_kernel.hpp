// The kernel of distances that were given instead of points: exp(-d_ij^2 (rho_i^-2 + rho_j^-2) / 8 epsilon), which is
// exp(-d_ij^2 / 4 epsilon) for a fixed bandwidth. What is not listed is too far to be seen.
//
// Nothing is known about where points lie, so entries are computed once and stored: half of them, as the sparse engine
// keeps symmetric kernels, which is less than the distances themselves take.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "itomap/core/distances.hpp"
#include "itomap/kernel/kernel_options.hpp"
#include "itomap/kernel/plan.hpp"
#include "kernel/kernel_geometry.hpp"
#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

class DistanceKernel {
 public:
  /// Looks at the distances and the bandwidth, which may be empty, as long as it lives.
  DistanceKernel(const Distances& distances, const Vector& bandwidth, double epsilon, const KernelOptions& options);

  RowSample sample() const;

  /// The kernel at the largest distance that a list has of a point, where it does not have all: the median over such
  /// points. 0 if all distances are given, or all entries above the cut-off listed.
  double edge() const;

  /// Stores the entries. Throws InvalidArgument if they do not fit into the memory allowed, with `beside` bytes of
  /// whoever uses them.
  std::shared_ptr<const KernelOperator> stored(double beside, KernelPlan* plan) const;

 private:
  void row(Index i, Index first, const std::vector<std::int32_t>& order, const std::vector<std::int32_t>& position,
           KernelRow& row) const;

  const Distances& distances_;
  Vector factors_;  // 1 / 8 epsilon rho_i^2
  const KernelOptions& options_;
  double limit_;
};

/// K X for new points, whose distances to those of a map are given: bandwidths of the new and of the old points, both
/// empty or both not, and X at the old ones.
Block distance_products(const Distances& where, const Vector& new_bandwidth, const Vector& bandwidth, double epsilon,
                        double cutoff, PointsView x);

/// The widest scale at which lists of distances hold all of the kernel that matters; infinite if all are given.
double widest_listed_scale(const Distances& distances);

}  // namespace itomap::detail
