// Drift and diffusion from data (Kramers-Moyal): what local_kernel_map needs when nobody gives you formulas.
//
// You have a long simulation, or a black box that you can start anywhere, and want b and A of dX = b dt + sigma dW,
// A = sigma sigma^T / 2, at some points x. Watch where the process goes from there within a short time tau, the lag:
//
//   b = mean(dX) / tau,    A = cov(dX) / (2 tau),    dX = X(t + tau) - X(t)  with X(t) at or near x.
//
// The covariance is taken about the mean: the step (b tau)^2 of the drift is not noise, and leaving it in would add
// b b^T tau / 2 to A.
//
// From trajectories (estimate_dynamics) X(t) are all frames within `radius` of x, or the `neighbours` nearest ones, and
// the estimate is the average over that neighbourhood: of order radius^2 away from the value at x, and of order radius
// where the frames lie to one side of x; `centres` says where they lie. Pairs never reach across two trajectories. From
// bursts (estimate_dynamics_from_bursts) all runs start at x itself, and only tau must be small: both estimates are off
// by order tau.
//
// Standard errors follow from increments that are Gaussian, as they are for small tau:
//
//   error(b_i)^2 = 2 A_ii / (tau n_1),   error(A_ij)^2 = (A_ii A_jj + A_ij^2) / n_2
//
// n_1 = n_2 = the number of runs for bursts. Frames closer in time than the lag share a part of their noise: increments
// s < tau apart have correlation 1 - s/tau, their products its square, hence with times t, u of the n frames
//
//   n_p = n^2 / sum_{t,u} max(0, 1 - |t - u| / tau)^p
//
// which is about n dt / tau for the drift, whatever the number of frames, once every frame of a visit is taken. The
// covariance is divided by n (1 - 1/n_1), which makes it unbiased.
//
// An A that is not positive definite (fewer independent increments than coordinates, or a coordinate without noise) is
// repaired: eigenvalues that are 0 to half the digits of a double are raised to the standard error of an eigenvalue,
// trace(A) / N * (2 / n_2)^1/2, at most the mean eigenvalue trace(A) / N. `suggested_eta` is the median over the points
// of the root mean square error of A's diagonal: A + eta I is then not smaller than A can be told to be.
//
//   queries, starts   m x N, finite
//   trajectories      of the same N; each pair needs lag / dt further frames behind its first one
//   lag               > 0, a whole number of dt
//   radius            > 0, a length;  neighbours  >= 2;  exactly one of them
//   period            empty, or N lengths, 0 where a coordinate does not come back; not together with align
//   align             unset, or as in itomap/dynamics/align.hpp; frames and queries are aligned before anything else
//
// Angles and other periodic coordinates may be wrapped anywhere, or not at all: with `period` an increment is the
// shortest of all its images, and distances are those of the nearest images. The process must not get half a period
// away within a lag; a warning says where it may.
//
// Every query must see two independent increments at least (n_1 >= 2), and not all the same, or InvalidArgument names
// it; with `leave_out_poor` such queries are left out, listed and warned of, unless none would remain.
// Cost: one pass over the trajectories (two for `neighbours`), in blocks: memory is a few blocks of 32 MB, m x N^2
// numbers for each result, and 16 bytes for each of m x neighbours. Same bits for any number of threads.
//
//   const auto estimate = itomap::estimate_dynamics({itomap::Trajectory(frames)}, queries,
//                                                   {.dt = 0.01, .lag = 0.02, .radius = 0.1});
//   const auto map = itomap::local_kernel_map(estimate.points, estimate.drift,
//                                             itomap::Diffusion::matrices(estimate.diffusion));
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "itomap/core/execution.hpp"
#include "itomap/core/types.hpp"
#include "itomap/dynamics/align.hpp"
#include "itomap/dynamics/trajectory.hpp"

namespace itomap {

struct EstimateOptions {
  double dt = 0.0;  ///< time between two frames
  double lag = 0.0;
  std::optional<double> radius{};
  std::optional<Index> neighbours{};
  std::vector<double> period{};  ///< of each coordinate, 0 where it has none; empty: none has
  std::optional<Alignment> align{};
  bool leave_out_poor = false;  ///< leave out queries that see too little, instead of refusing
  Execution execution{};
};

struct BurstOptions {
  double lag = 0.0;              ///< length of every run
  std::vector<double> period{};  ///< as above
  std::optional<Alignment> align{};
  std::uint64_t seed = 0;  ///< of the black box
  Execution execution{};
};

/// All arrays have one row per query that was not left out; matrices are stored row by row, as Diffusion::matrices
/// takes them.
struct DynamicsEstimate {
  Points points;           ///< m x N: the queries, aligned if that was asked for
  Points drift;            ///< m x N
  Points diffusion;        ///< m x N*N, symmetric positive definite
  Points drift_error;      ///< standard errors
  Points diffusion_error;  ///< of the diffusion before its repair
  Points centres;          ///< m x N: mean of the frames that were used; the queries for bursts

  std::vector<Index> counts;    ///< increments n
  Vector independent_counts;    ///< n_1: how many independent increments they amount to
  std::vector<Index> repaired;  ///< rows whose A was not positive definite
  std::vector<Index> left_out;  ///< queries that saw too little: they have no row
  double suggested_eta = 0.0;   ///< for local_kernel_map
  std::vector<std::string> warnings;

  /// A summary over the points, as the command line prints it.
  std::string report() const;
};

/// Runs the process from `start` for one lag and writes where it ends. Equal seeds should mean equal ends, so that an
/// estimate can be repeated. Called from several threads at once unless `threads` is 1.
using BlackBox = std::function<void(std::span<const double> start, std::uint64_t seed, std::span<double> end)>;

DynamicsEstimate estimate_dynamics(const std::vector<Trajectory>& trajectories, PointsView queries,
                                   const EstimateOptions& options);

/// `ends` is m x (runs * N): the end points of all runs from start 0, then from start 1, ... as an m x runs x N array.
DynamicsEstimate estimate_dynamics_from_bursts(PointsView starts, PointsView ends, const BurstOptions& options);

/// Starts `runs` >= 2 runs at every point.
DynamicsEstimate estimate_dynamics_from_bursts(PointsView starts, Index runs, const BlackBox& run,
                                               const BurstOptions& options);

/// `count` frames, evenly spread over all trajectories together; frames too close to an end for a pair included.
Points thin_frames(const std::vector<Trajectory>& trajectories, Index count);

}  // namespace itomap
