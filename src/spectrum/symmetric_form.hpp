// Reversible maps in symmetric form: S = W K W with W = diag(sqrt(d / K d)) and P = V S V^-1, so that P's
// eigenfunctions are psi = y / root with root = sqrt(d K d) and S y = mu y. For a lazy chain, which moves with
// probability s, S = I - s + W K W with W = diag(sqrt(s d / K d)) and root = sqrt(d K d / s).
#pragma once

#include "generator/generator.hpp"
#include "solvers/linear_operator.hpp"

namespace itomap::detail {

/// sqrt(phi_0), of unit norm. Roots of products are taken apart: the products may underflow where the roots do not.
Vector stationary_root(const Generator& generator);

/// W's diagonal.
Vector symmetric_scaling(const Generator& generator);

/// S, which keeps references: both must outlive it.
LinearOperator symmetric_form(const Generator& generator, const Vector& scaling);

}  // namespace itomap::detail
