// Rates by the logarithm where steps take different times.
//
// With one step for all, mu = 1 + epsilon lambda would be exp(epsilon kappa) for a chain that is the process seen every
// epsilon: kappa = log(1 + epsilon lambda) / epsilon. Beside lambda it tells whether epsilon resolves the mode. With a
// variable bandwidth the step from x_i takes the time t_i = epsilon rho_i^2. A function that decays like exp(kappa t)
// everywhere has
//
//   lambda = sum_i w_i (exp(kappa t_i) - 1) / t_i,          w = |phi_n psi_n|,
//
// of which kappa is the solution. To second order kappa = lambda - lambda^2 t / 2 with t the mean of t_i where the mode
// is; the time step of the lazy chain, the smallest t_i, would make kappa = lambda, whatever epsilon.
#pragma once

#include "generator/generator.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::detail {

/// Re kappa of every mode of a map with a variable bandwidth; minus infinity for one that decays within a step.
Vector log_rates(const Generator& generator, const Spectrum& spectrum);

}  // namespace itomap::detail
