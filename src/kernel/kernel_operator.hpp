// The seam between "how a kernel matrix is held" and everything that uses it.
//
// A KernelOperator multiplies the m x m kernel matrix K with blocks of vectors. Generators, eigensolvers and analyses
// see this interface alone: they do not know whether K is stored, recomputed or applied by fast transforms.
//
//   K_ij = exp(-|x_i - x_j|^2 / 4 epsilon)                                     isotropic kernel, eq. (kernel)
//   K_ij = exp(-|x_i + epsilon b_i - x_j|^2_{(A_i + eta I)^-1} / 4 epsilon)    local kernel, eq. (localkernel_reg)
//
// Contract: products are deterministic and have the same bits for any number of threads. Row i of a local kernel whose
// largest entry falls below the cut-off (an Euler step that lands far from all data) is scaled by exp(log_scale_i)
// so that it does not underflow; a Markov normalisation of the rows cancels that factor exactly.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/kernel/kernel_options.hpp"
#include "kernel/condensed_operator.hpp"

namespace itomap::detail {

/// What the graph of all kernel entries >= cut-off looks like. An edge i -> j is an entry of row i.
struct KernelGraph {
  std::vector<Index> component;  ///< label of each point's (weakly) connected component: 0, 1, ... by first point
  Index components = 0;          ///< how many there are
  double mean_neighbours = 0.0;  ///< entries a row, the point itself included; from a sample if nothing is stored
  std::vector<Index> isolated;   ///< points whose row holds no other point
  std::vector<Index> stranded;   ///< rows whose entries are all below the cut-off (local kernels only)
};

class KernelOperator {
 public:
  virtual ~KernelOperator() = default;

  /// m: the kernel is square.
  virtual Index size() const = 0;

  /// Y = K X for a block of b >= 1 vectors; X and Y are m x b and must not overlap.
  virtual void apply(PointsView x, Eigen::Ref<Block> y) const = 0;

  /// Y = K^T X. The same as apply for a symmetric kernel.
  virtual void apply_transpose(PointsView x, Eigen::Ref<Block> y) const = 0;

  /// (K X) at the listed rows only, from the kernel's own entries: accurate relative to each row, however small its
  /// sum, where `apply` may be accurate relative to the largest entry only. Y has rows.size() rows.
  virtual void apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const = 0;

  /// Y += K_R^T X_R for the listed rows R of X, which is m x b, from the same entries. By a product with zeros in all
  /// other rows, unless an engine whose products are not accurate relative to each row has something better.
  virtual void add_rows_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const;

  /// By how much an entry that `apply` uses may differ from that of its row by itself; 0 for engines that use the
  /// entries themselves.
  virtual double accuracy() const { return 0.0; }

  /// K 1, accurate relative to each row.
  virtual Vector row_sums() const;

  virtual bool symmetric() const = 0;

  /// Whether a product costs less than to orthogonalise its result against the basis of an eigensolver.
  virtual bool cheap() const = 0;

  /// Bytes held.
  virtual std::size_t memory() const = 0;

  /// Which points see which: components, isolated points, neighbour counts.
  virtual KernelGraph graph() const = 0;

  /// diag(left) K diag(right) in fewer unknowns, the rows `exact` from the kernel's own entries as in apply_rows;
  /// nothing where products with it would not be cheaper.
  virtual std::shared_ptr<const CondensedOperator> condensed(const Vector& /*left*/, const Vector& /*right*/,
                                                             std::span<const Index> /*exact*/) const {
    return nullptr;
  }

  /// diag(scaling) K diag(scaling) of a symmetric kernel, likewise, where it has no condensed form: so roughly that it
  /// stays small. Nothing where even that would not be cheaper.
  virtual std::shared_ptr<const CondensedOperator> roughly_condensed(const Vector& /*scaling*/) const {
    return nullptr;
  }

  /// What it costs to make a condensed form, in products with four vectors; infinite where there is none, or nobody
  /// knows.
  virtual double condensing_cost() const { return std::numeric_limits<double>::infinity(); }
};

struct AccurateProduct {
  Vector values;
  std::vector<Index> small;  ///< rows that had to be computed from their own entries
};

/// K x for x >= 0. An engine that is accurate relative to its largest entries only would drown the small sums.
AccurateProduct accurate_product(const KernelOperator& kernel, const Vector& x);

struct AccurateProducts {
  Block values;
  std::vector<Index> small;
};

/// K X where the first column of X is >= 0: rows whose sum over it would drown are computed from their own entries.
AccurateProducts accurate_products(const KernelOperator& kernel, PointsView x);

/// Ascending: the rows whose sums are not clearly larger than `noise`, the accuracy times the norm of the vector.
std::vector<Index> small_rows(const Vector& sums, double noise);

}  // namespace itomap::detail
