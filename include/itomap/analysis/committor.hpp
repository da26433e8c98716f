// How a process gets from one set of points to another: committor, mean first passage times, reactive flux and rate.
//
// Name a source A and a sink B, two sets of points. The forward committor q+(x) is the probability that the process
// from x reaches B before A; the backward committor q-(x) that it came from A last. With the Markov matrix P of a map,
// L = (P - I) / epsilon and its stationary weights phi_0,
//
//   L q+ = 0 off A and B,    q+ = 0 on A,  1 on B
//   L~ q- = 0 off A and B,   q- = 1 on A,  0 on B     L~ = (diag(phi_0)^-1 P^T diag(phi_0) - I) / epsilon
//   L t = -1 off B,          t = 0 on B               mean first passage time to B; to A likewise
//   F = sum_{i in A} phi_i (L q+)_i                   reactive flux: passages from A to B per unit of time; reversible
//                                                     maps: 1/2 sum_ij phi_i P_ij (q+_i - q+_j)^2 / epsilon, the same
//   k = F / sum_i phi_i q-_i                          rate: passages per unit of time spent on the way from A
//
// (transition path theory of jump processes). For reversible maps q- = 1 - q+.
//
// How long from A to B? Two answers, which agree where the process mixes within A before it leaves:
//
//   1 / k                                             from the entrance into A, coming from B, to the entrance into B
//   sum_{i in A} phi_i t_i / sum_{i in A} phi_i       mean first passage time to B from within A, over those points of
//   A
//                                                     that can arrive
//
// Contract: A and B are disjoint, not empty, and hold indices of points of the map. Each system is solved by products
// with P alone, conjugate gradients for reversible maps and generalised conjugate residuals for the others, both
// deflated by the eigenfunctions in `spectrum`: ten of them make slow processes cheap. What did not converge is a
// status and a warning, not an exception. Where the kernel graph is not connected: a component with A alone has
// q+ = 0, one with B alone q+ = 1, and in one with neither both committors are NaN; passage times to a set that cannot
// be reached are infinite, and means leave them out. The same bits for any number of threads.
//
// Edges of the sets: the chain meets the sets once every epsilon, so that they seem smaller by about 0.6 sqrt(2
// epsilon), an error of that order in q+ and times. Unless told otherwise, steps P_ij outside a set are therefore
// weighted, t_i P_ij t_j, with weights t that follow from the share (P 1_B)_i of a step that ends in it: those with
// which a flat edge is where it is. Errors then fall nearly like epsilon (measured: its power 0.8 to 1). What that
// takes from the rows ends in the set. Sets narrower than a kernel have no edge, and are left as they are.
//
// Error bars, from the map without each of several blocks of points and at 2 and 4 epsilon, are another function, as
// they take all systems some thirty times: itomap/analysis/error_bars.hpp has the formulas. Rates, flux and mean times
// are extrapolated by their logarithms. A block without which a set has no points is passed over.
//
//   const auto path = itomap::committor(map, spectrum, source, sink);
//   path.forward;                     // q+ at the points
//   path.rate;                        // k, per unit of time
//   const auto bars = itomap::committor_error_bars(map, spectrum, source, sink);
//   bars.rate.extrapolated;  bars.rate.error;
#pragma once

#include <string>
#include <vector>

#include "itomap/analysis/error_bars.hpp"
#include "itomap/core/types.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

struct CommittorOptions {
  double tolerance = 1e-8;     ///< on the largest residual of a system, relative to its right-hand side
  Index max_products = 10000;  ///< give up on a system, with a status, after so many products with a single vector
  bool passage_times = true;   ///< they take two more systems, the stiffest
  /// The sets have edges where the process would meet them; false: where the chain does, once every epsilon, which is
  /// L q+ = 0 to the letter.
  bool sharp_edges = true;

  void validate() const;
};

enum class SolveStatus {
  Converged,      ///< the residual is at most the tolerance
  RoundingLimit,  ///< it is larger, as rounding may leave it where passage times are long beside a step
  NotConverged,
};

/// One linear system (I - P) x = b.
struct SolveReport {
  std::string name{};     ///< "forward committor", "time to sink", ...
  Index products = 0;     ///< with a single vector
  double residual = 0.0;  ///< largest |b - (I - P) x|, relative to the largest |b|
  SolveStatus status = SolveStatus::Converged;
};

struct CommittorResult {
  Vector forward;         ///< q+
  Vector backward;        ///< q-; NaN also where the stationary weight of a map that is not reversible underflows
  Vector time_to_sink;    ///< mean first passage time to B from each point; empty if not asked for
  Vector time_to_source;  ///< the same to A

  /// What each point adds to the flux: half of sum_j f_ij (q+_j - q+_i) over the flux f into it and out of it. Sums to
  /// `total_flux`, is largest where the passages squeeze through, and converges to J . grad q+.
  Vector flux;
  double total_flux = 0.0;    ///< F
  double flux_into_sink = 0;  ///< the same, counted where it enters B: equal up to first order in the error of q+
  double rate = 0.0;          ///< k_AB = F / sum phi q-
  double reverse_rate = 0.0;  ///< k_BA = F / sum phi (1 - q-)

  double source_to_sink = 0.0;  ///< mean of time_to_sink over the points of A that can arrive, by stationary weight
  double sink_to_source = 0.0;  ///< the same of time_to_source over B

  Index source_points = 0;
  Index sink_points = 0;
  Index stuck_in_source = 0;   ///< points of A from which B cannot be reached
  Index stuck_in_sink = 0;     ///< points of B from which A cannot be reached
  Index undefined_points = 0;  ///< in components with neither set
  std::vector<SolveReport> solves;
  std::vector<std::string> warnings;

  bool converged() const;  ///< all systems, to the tolerance
  Index products() const;  ///< of all systems

  /// Rates, passage times and how they were found, as the command line prints them.
  std::string report() const;
};

CommittorResult committor(const Map& map, const Spectrum& spectrum, const std::vector<Index>& source,
                          const std::vector<Index>& sink, const CommittorOptions& options = {});
/// With eigenpairs of its own: the ten slowest.
CommittorResult committor(const Map& map, const std::vector<Index>& source, const std::vector<Index>& sink,
                          const CommittorOptions& options = {});

/// A number of a passage with its error bar.
struct PassageEstimate {
  double noise = 0.0;         ///< standard deviation of the value at epsilon from sample to sample
  double extrapolated = 0.0;  ///< the value at epsilon -> 0 and for many points
  double error = 0.0;         ///< of that: noise, and what is left of the bias
};

/// A function on the points with its error bars. NaN where too few replicates know it.
struct PassageFunction {
  Vector extrapolated;
  Vector error;
};

struct CommittorErrorBars : Replication {
  PassageEstimate total_flux, rate, reverse_rate;
  PassageEstimate source_to_sink, sink_to_source;  ///< NaN without passage times
  PassageFunction forward;
  PassageFunction time_to_sink, time_to_source;  ///< empty without passage times

  /// Rates and passage times, extrapolated, as the command line prints them.
  std::string report() const;
};

/// Throws InvalidArgument as committor does. `options.tolerance` is that of the whole; replicates are solved to 1e-6.
CommittorErrorBars committor_error_bars(const Map& map, const Spectrum& spectrum, const std::vector<Index>& source,
                                        const std::vector<Index>& sink, const ErrorBarOptions& bars = {},
                                        const CommittorOptions& options = {});

/// Positions of the true entries: a set as a mask over the points.
std::vector<Index> indices_of(const std::vector<bool>& mask);

}  // namespace itomap
