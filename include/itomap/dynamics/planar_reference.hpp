// Eigenvalues and eigenfunctions of a reversible process in the plane, to compare maps with.
//
// Where a potential has no closed solution, this solves  L psi = Laplacian psi + grad log pi . grad psi = lambda psi on
// a rectangle with reflecting walls (Neumann conditions); for pi = exp(-beta U) that is the paper's reversible process.
//
// Method: finite volumes on a regular grid whose nodes include the boundary, with the flux between neighbours weighted
// by pi half way. In the variables u = sqrt(pi) psi the matrix is symmetric, and only differences of log pi between
// neighbours are exponentiated: log pi may fall by 1,000 over the rectangle (more is taken as 1,000). Minus L, shifted
// by a positive number, is an M-matrix; its factorisation and a block Krylov space that starts from sqrt(pi) times
// something bounded keep psi accurate to rounding even where pi is e^-148, instead of noise divided by next to nothing.
//
// Accuracy: solved on two grids, one twice as fine. The scheme is of second order, so the finer eigenvalue is off by a
// third of the difference: `errors` are these estimates, and `eigenvalues` have them subtracted (Richardson), which
// leaves fourth order. The grid is refined until all errors are below `accuracy` relative to the eigenvalue, or
// `max_cells` is reached; `converged` tells. Eigenfunctions are those of the finer grid; they are
// off by a few `accuracy` where pi is, and locally by (h |grad log pi|)^2 / 24 of their change far out, h the spacing.
//
//   log_target   log pi, finite on the rectangle
//   box          two-dimensional; where pi is negligible outside, the walls do not matter
//   cost         128 x 128 cells, enough for 0.1 % in the built-in systems: a second; 512 x 512: ten seconds, 500 MB
//
// Eigenfunctions have unit pi-weighted mean square and are positive where sqrt(pi) |psi| is largest; of several such
// places, at the one furthest right. `at` interpolates by cubic polynomials through the 4 x 4 nodes around a point:
// what happens elsewhere in the rectangle plays no part. A point outside gets the value at the nearest point inside.
//
//   const auto system = itomap::make_system("temperature-switch", {.beta = 2.0});
//   const auto reference = itomap::planar_reference(system.log_target, itomap::Box::cube(2, 2.0));
//   reference.timescales(1);           // of the slowest process
//   reference.at(points).col(1);       // psi_1 at the points
#pragma once

#include "itomap/core/execution.hpp"
#include "itomap/core/types.hpp"
#include "itomap/dynamics/systems.hpp"

namespace itomap {

struct PlanarOptions {
  Index count = 10;        ///< eigenpairs beyond lambda_0 = 0
  double accuracy = 1e-3;  ///< relative error of the eigenvalues before extrapolation
  Index cells = 64;        ///< along each side of the first grid; even, >= 8
  Index max_cells = 512;   ///< stop refining there
  Execution execution{};

  void validate() const;
};

struct PlanarReference {
  Vector eigenvalues;    ///< lambda_0 = 0 first, then slowest first; count + 1 values
  Vector errors;         ///< estimated absolute errors of the eigenvalues of the finer grid
  Vector timescales;     ///< -1 / lambda; infinite for lambda_0
  Vector x, y;           ///< nodes along the sides
  Block eigenfunctions;  ///< at node (x_i, y_j) in row i * y.size() + j; one column each, 1 for lambda_0
  bool converged = false;

  /// m x (count + 1): all eigenfunctions at the m points.
  Block at(PointsView points) const;
};

PlanarReference planar_reference(const LogDensity& log_target, const Box& box, const PlanarOptions& options = {});

}  // namespace itomap
