// The two ways to a spectrum, and what they share.
#pragma once

#include "core/reporter.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "spectrum/invariant_subspace.hpp"

namespace itomap {

/// Symmetric form, for diffusion maps and TMDmap.
Spectrum solve_reversible(const Generator& generator, const EigenpairsOptions& options);

/// Right and left eigenvectors of P, for local kernels.
Spectrum solve_general(const Generator& generator, const EigenpairsOptions& options);

/// Options for the solver, with progress passed on to `reporter`, which must outlive them.
SubspaceOptions subspace_options(const EigenpairsOptions& options, Index wanted, Reporter& reporter);

/// Fills eigenvalues and time scales from the eigenvalues mu of P.
void set_eigenvalues(Spectrum& spectrum, const Eigen::VectorXcd& mu, double epsilon);

/// Statuses from the residuals, and warnings about pairs that are not converged or not surely complete.
void set_status(Spectrum& spectrum, double tolerance, bool complete);

/// A unit factor that makes the largest entry of the column positive: the sign is then fixed.
std::complex<double> fixed_phase(const Eigen::Ref<const Eigen::VectorXcd>& column);

/// Whether a mode with these weights |phi psi| sits on so few points that its statistical error exceeds the limit.
bool is_spurious_mode(const Vector& weights, double spurious_error);

/// Flags the modes whose weight |phi_n psi_n| sits on a handful of points.
void flag_spurious(Spectrum& spectrum, double spurious_error);

}  // namespace itomap
