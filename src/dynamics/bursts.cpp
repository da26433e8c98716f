// Kramers-Moyal estimates from short runs that all start at the queries.
#include <fmt/format.h>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dynamics/check_estimate.hpp"
#include "dynamics/finish_estimate.hpp"
#include "dynamics/increment_sums.hpp"
#include "itomap/core/error.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Runs are independent: their "frames" stand a lag apart, so that none overlaps with another.
constexpr Index one_lag = 1;

void check_runs(Index runs) {
  if (runs < 2) {
    throw InvalidArgument(fmt::format("bursts: {} runs from each start; at least 2 are needed", runs));
  }
}

/// Writes end points of all runs from one start, runs x N, to `ends`.
using RunAll = std::function<void(Index start, Points& ends)>;

DynamicsEstimate estimate_runs(PointsView starts, Index runs, const RunAll& run_all, const BurstOptions& options) {
  const ExecutionScope scope(options.execution);
  const Index m = starts.rows(), n = starts.cols();
  check_period(options.period, options.align, n);
  AlignedFrames aligned = aligned_or_same(starts, options.align);
  const Torus torus(options.period);
  IncrementSums sums(m, n);
  Reporter reporter("bursts");
  const auto add_runs = [&](Index begin, Index end) {
    Points ends(runs, n);
    for (Index i = begin; i < end; ++i) {
      run_all(i, ends);
      ends.rowwise() -= starts.row(i);
      for (Index r = 0; r < runs; ++r) {
        if (options.align) {
          rotate_increment(aligned.rotations.row(i).data(), ends.row(r).data(), n);
        }
        torus.shorten(ends.row(r).data());
        sums.add(i, aligned.frames.row(i).data(), ends.row(r).data(), r, one_lag);
      }
    }
  };
  parallel_chunks(m, 1, add_runs, &reporter);
  return finish_estimate(std::move(sums), std::move(aligned.frames), torus,
                         {.lag = options.lag, .remedy = "give more runs"});
}

void check_finite(const Points& ends, Index start) {
  for (Index r = 0; r < ends.rows(); ++r) {
    if (!ends.row(r).allFinite()) {
      throw InvalidArgument(fmt::format(
          "bursts: run {} from start {} (counted from 0) ends at NaN or infinity; repeat it, or leave out that start",
          r, start));
    }
  }
}

}  // namespace

DynamicsEstimate estimate_dynamics_from_bursts(PointsView starts, PointsView ends, const BurstOptions& options) {
  const ExecutionScope scope(options.execution);
  check_lag(options.lag);
  check_estimate_points(starts, "starts");
  const Index n = starts.cols();
  if (ends.rows() != starts.rows() || ends.cols() % n != 0) {
    throw InvalidArgument(
        fmt::format("bursts: {} x {} values given, but {} starts in {} dimensions need {} x (runs * {})", ends.rows(),
                    ends.cols(), starts.rows(), n, starts.rows(), n));
  }
  const Index runs = ends.cols() / n;
  check_runs(runs);
  const auto take = [&](Index i, Points& of_start) {
    of_start = Eigen::Map<const Points>(ends.row(i).data(), runs, n);
    check_finite(of_start, i);
  };
  return estimate_runs(starts, runs, take, options);
}

DynamicsEstimate estimate_dynamics_from_bursts(PointsView starts, Index runs, const BlackBox& run,
                                               const BurstOptions& options) {
  const ExecutionScope scope(options.execution);
  check_lag(options.lag);
  check_estimate_points(starts, "starts");
  check_runs(runs);
  const auto n = std::size_t(starts.cols());
  const auto simulate = [&](Index i, Points& of_start) {
    // A stream for each start, whichever thread runs it; hashed twice, or seed 1 would repeat seed 0 one start further.
    RandomStream seeds(RandomStream(RandomStream(options.seed).next() + std::uint64_t(i)).next());
    for (Index r = 0; r < runs; ++r) {
      run({starts.row(i).data(), n}, seeds.next(), {of_start.row(r).data(), n});
    }
    check_finite(of_start, i);
  };
  return estimate_runs(starts, runs, simulate, options);
}

}  // namespace itomap
