// The two ways to a spectrum, and what they share.
#pragma once

#include "core/reporter.hpp"
#include "generator/generator.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "solvers/invariant_subspace.hpp"

namespace itomap::detail {

/// eigenpairs in the present execution.
Spectrum eigenpairs_of(const Generator& generator, const EigenpairsOptions& options);

/// Symmetric form, for diffusion maps and TMDmap.
Spectrum solve_reversible(const Generator& generator, const EigenpairsOptions& options);

/// Right and left eigenvectors of P, for local kernels.
Spectrum solve_general(const Generator& generator, const EigenpairsOptions& options);

/// Options for the solver, with progress passed on to `reporter`, which must outlive them.
SubspaceOptions subspace_options(const EigenpairsOptions& options, Index wanted, Reporter& reporter);

/// Whether pairs are to be kept. Who asks for rough ones takes a look at one of many maps: neither a search behind all
/// outliers nor a coarse space pays there.
constexpr double roughest_to_keep = 1e-8;
inline bool to_be_kept(const EigenpairsOptions& options) { return options.tolerance <= roughest_to_keep; }

/// Solves that it may take until pairs that were found apart reach the tolerance together, and the residual below which
/// is rounding.
constexpr int most_sharpenings = 3;
constexpr double sharpest = 1e-14;

/// The next of these tolerances, where residuals have to come down by `factor` < 1.
double sharper(double tolerance, double factor);

/// The time scale of a rate: -1 / rate, infinite unless that is negative.
double minus_inverse(double rate);

/// Fills eigenvalues and time scales from the eigenvalues mu of P.
void set_eigenvalues(Spectrum& spectrum, const Eigen::VectorXcd& mu, double epsilon);

/// Statuses from the residuals, and warnings about pairs that are not converged or not surely complete.
void set_status(Spectrum& spectrum, double tolerance, bool complete);

/// A unit factor that makes the largest entry of the column positive: the sign is then fixed.
std::complex<double> fixed_phase(const Eigen::Ref<const Eigen::VectorXcd>& column);

/// (sum w)^2 / sum w^2: as many points of equal weight would have the same statistical error.
double effective_points(const Vector& weights);

/// Those that a mode of two sides lives on. A point that is hard to leave shows in the left vector, even where it
/// weighs so much that the product of both is spread over all the others.
double carrying_points(const Eigen::VectorXcd& psi, const Eigen::VectorXcd& phi);

/// So many effective points have the statistical error 1/sqrt(n) that is the limit.
double fewest_points(double spurious_error);

/// Whether a mode with these weights |phi psi| sits on so few points that its statistical error exceeds the limit.
bool is_spurious_mode(const Vector& weights, double spurious_error);

/// How many spurious modes are listed at most on top of those asked for, lambda_0 counted among these.
Index most_spurious(Index asked);

/// Points that are left by one in 100 moves at most, though not alone in their component: each holds a mode by itself,
/// slower than most that anyone asks for. The values of these modes crowd, and to ask for all of them takes less than
/// for some.
Index modes_of_one_point(const Generator& generator);

/// How many spurious modes a search for symmetric pairs goes through at most. Points that are hard to leave are counted
/// beforehand: as long as there is an end to them, and memory for their modes, true modes are found behind all of them.
Index most_searched_spurious(const Generator& generator, Index asked, const EigenpairsOptions& options);

/// One of the modes that are known: the n-th zero mode of a component, the n-th that the solver found on the large
/// components, or the n-th of the small components beyond their zero modes.
struct KnownMode {
  enum class Kind { Zero, Solved, Small };
  Kind kind;
  Index n;
  std::complex<double> mu;
  bool spurious;
};

/// By descending real part of mu, zero modes first. Below the last that the solver found others may be missing: unless
/// it has `all_solved`, modes of small components end there.
void sort_modes(std::vector<KnownMode>& modes, bool all_solved);

Index true_modes(const std::vector<KnownMode>& modes);

/// Those to return: up to the last true one that was asked for, with the spurious ones above it as far as there is
/// room. `unlisted` more spurious ones are known of. What is left out is said in a warning.
std::vector<KnownMode> chosen_modes(const std::vector<KnownMode>& modes, Index asked, Index unlisted,
                                    Spectrum& spectrum);

/// Warnings about modes that are flagged, and about stationary weights that live on a handful of points.
void warn_of_handfuls(Spectrum& spectrum, double spurious_error);

}  // namespace itomap::detail
