// LKDmap of a molecule from estimates of its dynamics, and what it says about the three conformations of butane.
//
// epsilon is the lag of the estimates, so that one step of the kernel is the motion that was observed. What is left to
// choose is how far the kernels are blurred: by one length l,
//
//   density_epsilon = l^2 / 2,   eta = density_epsilon / epsilon,
//
// which is the least standard deviation of both kernels; or not at all, but for what the estimates' noise takes.
//
// eta heats. The drift stays that of the molecule, the diffusion becomes A + eta, and where b = A grad log pi the
// process settles in pi^(a / (a + eta)), a the diffusion along the slow direction: differences of free energy shrink.
// The drift of the process that diffuses by A + eta in the *same* pi is (A + eta) A^-1 b: see drift_of_blurred.
#pragma once

#include "itomap/core/scale.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::reproduce {

/// How far the kernels of a molecule are blurred.
struct Blur {
  double eta = 0.0;
  Scale density_epsilon = Scale::balanced();

  static Blur of_length(double length, double lag) { return {length * length / 2 / lag, length * length / 2}; }
};

Map molecule_map(const DynamicsEstimate& estimate, double lag, const Blur& blur, const Execution& execution = {});

/// The conformations as a map sees them; NaN where it has too few modes that are not flagged.
struct Conformations {
  double t_1 = 0.0, t_2 = 0.0;
  double anti = 0.0;  ///< stationary weight of dihedral angles from 120 to 240 degrees
};

Conformations conformations(const DynamicsEstimate& estimate, double lag, const Blur& blur,
                            const Execution& execution = {});

/// The same estimate at some of its points, evenly spread.
DynamicsEstimate thinned(const DynamicsEstimate& estimate, Index points);

/// Largest eigenvalue of A at each point: the diffusion along the dihedral angle.
Vector slow_diffusion(const DynamicsEstimate& estimate);

/// b + (eta / a) (v . b) v, v the direction of largest diffusion a. Along the others the molecule flies rather than
/// diffuses within a lag, and b is not A grad log pi.
DynamicsEstimate drift_of_blurred(DynamicsEstimate estimate, double eta);

}  // namespace itomap::reproduce
