// The evolution operator of a process by least squares, from steps that were observed: what the paper names beside its
// own maps (extended dynamic mode decomposition).
//
// Functions f = (f_1, ..., f_n) at both ends of many steps x -> y of one lag give the matrix K for which f(x) K is
// nearest to f(y) in the mean square,
//
//   K = G^-1 C,   G = sum f(x)^T f(x),   C = sum f(x)^T f(y),
//
// and its eigenvalues mu_n the time scales -lag / log mu_n. It does not matter how the starts x were sampled; but the
// steps are those of the process that was simulated, and nothing is learned about another one.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::reproduce {

/// Sums over steps, which add up: G and C.
struct StepSums {
  Matrix gram, shifted;

  StepSums& operator+=(const StepSums& more);
};

/// One row a step: the functions at its start and at its end.
StepSums step_sums(PointsView starts, PointsView ends);

struct Evolution {
  Vector timescales;    ///< of the slowest processes, in units of the lag; 0 of one that is over within it
  Matrix coefficients;  ///< f c_n is psi_n, its real part where it is complex; one column each
};

/// The `count` slowest beyond the constant, which must be among the functions. Combinations of the functions that
/// vanish on the starts up to rounding are left out.
Evolution fit_evolution(const StepSums& sums, Index count);

/// T_i(x / reach) T_j(y / reach), i + j <= degree, with Chebyshev's polynomials: the first is 1.
Points plane_polynomials(PointsView points, double reach, Index degree);

}  // namespace itomap::reproduce
