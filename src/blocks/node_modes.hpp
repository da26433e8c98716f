// Eigenpairs of a map in the unknowns of its nodes, by the block solver that maps in memory have.
//
//   R L u = mu u   =>   psi = L u = (T F u) / K d          (R L)^T v = mu v   =>   phi = R^T v = d (S F v)
#pragma once

#include "blocks/block_kernel.hpp"
#include "core/dense_algebra.hpp"

namespace itomap::detail {

/// Columns are modes beyond the zero mode, leading first; imaginary parts are empty for reversible maps, and so is all
/// that is on the left, where phi = phi_0 psi.
struct NodeModes {
  ComplexVector mu;
  Block right_re, right_im;                ///< so scaled that sum phi_0 psi^2 = 1 for a reversible map
  Block left_re, left_im;                  ///< so scaled that sum phi psi = 1
  Block right_defect_re, right_defect_im;  ///< R L u - mu u
  Block left_defect_re, left_defect_im;
  Block stationary;  ///< v of phi_0, one column; empty for reversible maps
  Vector residuals;  ///< of a reversible map, in the symmetric norm
  bool complete = false;
  Index products = 0;

  Index count() const { return mu.size(); }
};

/// So many modes beyond the zero mode; one more where that would cut a conjugate pair. The first rank solves, all have
/// the result.
NodeModes node_modes(const BlockKernel& kernel, const EigenpairsOptions& options, Index wanted, const Ranks& ranks);

}  // namespace itomap::detail
