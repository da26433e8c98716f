// Eigenfunctions at points that were not in the map (Nyström extension).
//
//   psi(y) = 1 / mu  sum_j k(y, x_j) d_j psi(x_j) / sum_j k(y, x_j) d_j,      mu = 1 + epsilon lambda
//
// with the kernel, weights and epsilon of the map: at one of its own points this is the eigenvalue equation, so psi
// comes back as it was. A local kernel is centred at y + epsilon b(y) and shaped by A(y): these must be given.
//
// Error: where points are so few that a point's own entry p_ii carries its row, interpolation is guesswork. How far
// psi at a point of the map can be told from all the others has a closed form, because P psi = mu psi:
//
//   psi(x_i) from all j != i  =  psi_i (mu - p_ii) / (mu (1 - p_ii))
//
// and its weighted root mean square difference from psi_i, a number for each mode, is reported.
//
// Nothing is extrapolated. A new point that sees no point of the map within the cut-off is outside: its row is NaN. One
// that sees some may be beyond the data all the same: the bandwidth, or a mode, would be larger there than on any point
// of the map, or the Euler step lands where no data is. Bandwidth and |psi| are then cut back to their largest values
// on the map, and the point is listed.
//
//   const auto values = itomap::extend(map, spectrum, new_points).eigenfunctions;
//
// Cost: one product with as many vectors as there are modes, on old and new points together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

/// Where to extend to; drift and diffusion for local kernel maps only, distances for maps that were made of these.
struct NewPoints {
  Points points{};
  Distances distances{};  ///< one row for each new point, one column for each of the user's points
  Points drift{};
  std::optional<Diffusion> diffusion{};
};

struct Extension {
  Eigenfunctions eigenfunctions;  ///< one row per new point, one column per mode
  Eigen::VectorXcd eigenvalues;   ///< those of the spectrum
  Vector interpolation_error;     ///< of each mode, relative to its root mean square 1
  std::vector<Index> outside;     ///< new points that see no point of the map: their rows are NaN
  std::vector<Index> beyond;      ///< new points beyond the data: bounded, but a guess
  std::vector<std::string> warnings;

  /// How far each mode can be trusted, as the command line prints it.
  std::string report() const;
};

/// Throws InvalidArgument if the new points do not fit to the map.
Extension extend(const Map& map, const Spectrum& spectrum, const NewPoints& where);
/// For maps that need no drift and diffusion.
Extension extend(const Map& map, const Spectrum& spectrum, PointsView points);

}  // namespace itomap
