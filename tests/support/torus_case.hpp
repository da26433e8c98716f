// One problem on which all limit theorems of the paper can be tried: a non-uniform density q, a target pi, a process
// with drift and position-dependent diffusion, and a test function f, all smooth and periodic.
//
// A torus has no boundary, so that the O(epsilon) of the interior holds everywhere.
#pragma once

#include <iosfwd>
#include <vector>

#include "itomap/kernel/kernel_options.hpp"
#include "support/torus_field.hpp"

namespace itomap::exact {

/// A matrix of the paper; each has a theorem that says where it converges.
enum class Construction {
  TargetBackward,  // Theorem target_diffmap
  TargetForward,   // its adjoint
  BiasedBackward,  // Theorem localkernels_q, first line
  BiasedForward,   // Theorem localkernels_q, second line
  LocalBackward,   // Theorem local_diffmap, first line
  LocalForward,    // Theorem local_diffmap, second line
};
inline constexpr Construction all_constructions[] = {Construction::TargetBackward, Construction::TargetForward,
                                                     Construction::BiasedBackward, Construction::BiasedForward,
                                                     Construction::LocalBackward,  Construction::LocalForward};
std::ostream& operator<<(std::ostream& out, Construction construction);

struct TorusCase {
  TorusField density;  ///< q up to a factor: the product of 1 + a cos(x - shift) over the axes
  std::vector<double> amplitudes;
  std::vector<double> shifts;
  TorusField log_target;
  TorusProcess process;
  TorusField function;

  Index dimension() const { return Index(amplitudes.size()); }

  /// n^dimension points that follow q without noise.
  Points lattice(Index n) const;
  /// Independent points that follow q.
  Points sample(Index m, std::uint64_t seed) const;

  /// What the matrix makes of f at the points...
  Vector computed(Construction construction, PointsView points, double epsilon, double density_epsilon) const;
  /// ... and what the theorem says it tends to.
  Vector limit(Construction construction, PointsView points) const;

  /// The next term of the expansion, (computed - limit) / epsilon for small epsilon at density_epsilon = ratio *
  /// epsilon; see docs/theory/convergence.md. For TargetBackward (ratio 1) and LocalBackward.
  Vector first_correction(Construction construction, PointsView points, double ratio) const;

 private:
  Vector density_correction(PointsView points, const TorusProcess& metric) const;
};

/// In the plane, with full A(x, y) and b(x, y).
TorusCase torus_case();
/// On a circle: one periodic coordinate.
TorusCase circle_case();

}  // namespace itomap::exact
