// The generator of an Itô diffusion on a point cloud: what all three maps return.
//
// Every method of the paper is one object: a kernel K, a density estimate q and right weights d >= 0 make a Markov
// matrix on the data, and from it the backward (Kolmogorov) and forward (Fokker-Planck) generators
//
//   P  = diag(K d)^-1 K diag(d)
//   L  = (P - I) / epsilon
//   L* = diag(q) L^T diag(q)^-1          acts on densities with respect to volume
//
// so that (D L)^T = D L* with D = diag(1/q). For the biased kernel of Berry and Sauer L* = L^T.
//
// With a variable bandwidth (itomap/kernel/bandwidth.hpp) a step from x_i takes the time epsilon rho_i^2. P is then the
// lazy chain that moves with probability (min rho / rho_i)^2 and stays otherwise: its steps take the same time
// everywhere, time_step() = epsilon min rho^2, and everything else about P, L and L* stays as it is.
//
// A map is a value: it never changes, copies share everything, and whatever is computed from it (eigenpairs, extend,
// committor, cluster, error_bars, save) needs nothing beside it. Cost: one product with K for each application. Memory:
// K's, the points and what defines the process there, and some vectors of length m.
//
//   const auto map = itomap::target_measure_map(points, log_target, {.epsilon = 0.01});
//   itomap::Vector lf = map.backward(f);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "itomap/core/execution.hpp"
#include "itomap/core/types.hpp"
#include "itomap/generator/map_definition.hpp"
#include "itomap/kernel/plan.hpp"

namespace itomap {

/// What a user should know before trusting the result.
struct Diagnostics {
  Index components = 1;          ///< of the kernel graph; a point that sees nothing but traps is one of its own
  Index isolated_points = 0;     ///< without a neighbour within the cut-off, or with none but traps
  Index stranded_points = 0;     ///< points whose Euler step lands outside the cut-off of all data
  Index trap_points = 0;         ///< points that would hold the process and are not entered (local kernels only)
  Index wall_points = 0;         ///< within 0.37 kernel widths, (4 epsilon)^1/2, of where the data ends; from a sample
  Index underflow_points = 0;    ///< points whose weight is too small for double precision
  Index dropped_points = 0;      ///< left out because of drop_isolated
  double mean_neighbours = 0.0;  ///< entries a row above the cut-off
  double intrinsic_dimension = 0;  ///< 2 d log(sum k) / d log(epsilon) at the scale of the density estimate
  std::string epsilon_reason;      ///< why this epsilon, if it was chosen from the data
  std::vector<std::string> warnings;
};

class Map;

namespace detail {
struct Generator;
const Generator& generator_of(const Map& map);
Map map_of(Generator generator);
}  // namespace detail

class Map {
 public:
  /// Points that are in the map: all of the user's unless isolated ones were dropped.
  Index size() const;
  /// m of the user's data, and which of these rows are in the map, ascending.
  Index input_points() const;
  const std::vector<Index>& kept() const;
  Index dimension() const;  ///< N

  Method method() const;
  bool reversible() const;  ///< L is symmetric in the stationary inner product: real spectrum
  double epsilon() const;
  double density_epsilon() const;
  /// The time that a step of P takes.
  double time_step() const;

  const Vector& density() const;  ///< q_i, kernel sums at density_epsilon, by rho_i^d if it varies
  /// phi_0, weights of the points in averages over the invariant measure, summing to 1. For maps that are not
  /// reversible they are the solution of an eigenproblem, found when first asked for.
  const Vector& stationary() const;
  const Vector& bandwidth() const;              ///< rho_i; empty: the same kernel everywhere
  Index bandwidth_dimension() const;            ///< d in rho^d, the volume that the kernel of a point covers
  const std::vector<Index>& component() const;  ///< connected component of each point
  const Diagnostics& diagnostics() const;
  const KernelPlan& plan() const;           ///< which engine, and why
  const MapDefinition& definition() const;  ///< as it was given, with the scales that were chosen
  const Execution& execution() const;

  /// L f and L* rho.
  Vector backward(VectorView f) const;
  Vector forward(VectorView rho) const;
  /// P f and P^T w, column by column.
  Block markov(PointsView f) const;
  Block markov_transpose(PointsView w) const;

  /// What was made, of which points, at which scales, as the command line prints it.
  std::string report() const;

 private:
  explicit Map(std::shared_ptr<const detail::Generator> generator);
  friend const detail::Generator& detail::generator_of(const Map& map);
  friend Map detail::map_of(detail::Generator generator);

  std::shared_ptr<const detail::Generator> generator_;
};

/// The map of a definition; scales that are rules are chosen from the data. Throws InvalidArgument before any long work
/// if the definition is wrong or does not fit into the memory allowed.
Map make_map(MapDefinition definition, const Execution& execution = {});

}  // namespace itomap
