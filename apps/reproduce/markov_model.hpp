// A Markov state model of trajectories: the usual way to time scales, to compare with.
//
// Each frame is in one of K states. Transitions over a lag are counted at all times of all runs, never across two of
// them, and symmetrised, because the process is reversible in equilibrium:
//
//   C_ij = number of t with s(t) = i, s(t + lag) = j,   T = rows of C + C^T divided by their sums
//
// The eigenvalues mu_n of T give the implied time scales t_n = -lag / log mu_n. They are too short while the lag is
// shorter than what the states hide takes to relax, and do not depend on the lag from there on.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::reproduce {

using States = std::vector<Index>;  // of the frames of one run

/// Equal bins of an angle in degrees, 0 to 360.
States angle_bins(VectorView angles, Index bins);

/// The `count` slowest time scales, in units of frames, slowest first. States that never occur are left out. A process
/// that is over within the lag (mu_n <= 0) has time scale 0.
Vector implied_timescales(const std::vector<States>& runs, Index states, Index lag, Index count);

}  // namespace itomap::reproduce
