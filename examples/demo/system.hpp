// The double well of the paper's first example, its exact time scales, and a sample that is wrong on purpose.
//
//   dX = -beta grad U(X) dt + sqrt(2) dW,     U(x, y) = (x^2 - 1)^2 + y^2,     beta = 6
//
// has the invariant density pi = exp(-beta U) and the generator  Laplacian f - beta grad U . grad f.  U is a sum over
// the coordinates, so the exact spectrum is that of two problems on a line.
#pragma once

#include <cstdint>
#include <itomap/itomap.hpp>

namespace demo {

inline constexpr double beta = 6.0;

/// U at every point.
itomap::Vector potential(itomap::PointsView points);

/// grad U at every point, m x 2.
itomap::Points potential_gradient(itomap::PointsView points);

/// Forward Euler with a time step so large that the chain no longer samples pi: 100 m steps, every 100th is kept.
itomap::Points biased_sample(itomap::Index m, std::uint64_t seed);

struct Exact {
  itomap::Vector timescales;  ///< t_1, t_2, ..., slowest first
  itomap::Vector x;           ///< a grid, and on it
  itomap::Vector psi_1;       ///< the slowest eigenfunction, unit mean square under pi
};

/// Finite volumes on a line, error about 1e-4 relative: three digits more than any point cloud here can show.
Exact exact_solution(itomap::Index count);

}  // namespace demo
