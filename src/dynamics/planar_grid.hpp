// A reversible generator on the nodes of a regular grid over a rectangle: finite volumes, reflecting walls.
//
// A node's cell reaches half way to its neighbours, so that cells at the wall are halves and quarters. With cell areas
// w and pi at the nodes, the flux between neighbours i and k is  c_ik pi_ik (psi_k - psi_i),  pi_ik half way and c_ik
// the length of the common side over the distance. In the variables u = sqrt(w pi) psi minus L has the symmetric
// entries
//
//   -c_ik pi_ik / sqrt(w_i pi_i w_k pi_k)   and   sum_k c_ik pi_ik / (w_i pi_i),
//
// in which pi appears in ratios of neighbours alone.
#pragma once

#include <Eigen/SparseCore>

#include "itomap/dynamics/systems.hpp"

namespace itomap::detail {

struct PlanarGrid {
  Vector x, y;                                  // node (x_i, y_j) has the number i * y.size() + j
  Vector log_target;                            // at the nodes, less its maximum
  Vector root_mass;                             // sqrt(w pi)
  Eigen::SparseMatrix<double> minus_generator;  // lower triangle, in the variables u
};

/// Throws InvalidArgument where log pi is not finite.
PlanarGrid make_planar_grid(const LogDensity& log_target, const Box& box, Index cells);

}  // namespace itomap::detail
