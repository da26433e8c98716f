// All modes of a map, by dense decompositions of its matrix, one connected component after the other.
//
// The matrix is read off products with unit vectors, entries between components set to zero: they are below the cut-off
// that separates the components, and their size is part of every tolerance. Points that see nothing but traps are no
// part of the process. Reversible maps are decomposed in symmetric
// form, S y = mu y with psi = y / sqrt(phi_0) and phi = y sqrt(phi_0), the others as P psi = mu psi.
#pragma once

#include <complex>
#include <vector>

#include "itomap/generator/map.hpp"

namespace itomap::differential {

struct DenseMode {
  std::complex<double> mu;
  Index component = 0;
  bool zero = false;  ///< the mode mu = 1 that every component has
  /// |phi| |psi| / |phi^T psi|: an eigenvalue moves by at most that times the perturbation, to first order.
  double condition = 1.0;
  /// |phi psi| at the component's points, summing to 1, and for local kernels |phi|: what the flag looks at.
  Vector weights;
  Vector left_weights;
};

struct DenseModes {
  Matrix matrix;          ///< S, or P: with the entries between components
  double between = 0.0;   ///< norm of those entries
  double leak = 0.0;      ///< the most of a row of P that they are
  double defect = 0.0;    ///< by how much P 1 is not 1 with this engine's products, in the norm of the residuals
  double negative = 0.0;  ///< norm of entries below zero, which no Markov matrix has: grids are right to the cut-off
  double sides = 0.0;     ///< norm of what products with P^T, or S, differ by from the transpose of those with P, or S
  double rounding = 0.0;  ///< of the decomposition, as a perturbation of the matrix
  std::vector<std::vector<Index>> members;  ///< points of each component of the process
  std::vector<DenseMode> modes;             ///< by descending real part
};

DenseModes dense_modes(const Map& map);

/// sqrt(phi_0) of a reversible map, of unit norm: roots are taken before products, which may underflow.
Vector stationary_root(const Map& map);

/// (sum w)^2 / sum w^2.
double effective_points(const Vector& weights);

}  // namespace itomap::differential
