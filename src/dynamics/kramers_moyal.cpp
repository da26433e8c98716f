#include "itomap/dynamics/kramers_moyal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "dynamics/check_estimate.hpp"
#include "dynamics/finish_estimate.hpp"
#include "dynamics/frame_blocks.hpp"
#include "dynamics/frame_search.hpp"
#include "dynamics/increment_sums.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Queries handed to a thread at a time: their neighbourhoods differ a lot in size.
constexpr Index query_chunk = 16;

using NearFrames = std::vector<NearFrame>;

void check_neighbourhood(const EstimateOptions& options) {
  if (options.radius.has_value() == options.neighbours.has_value()) {
    throw InvalidArgument("radius, neighbours: give exactly one of them");
  }
  if (options.radius && (!(*options.radius > 0.0) || !std::isfinite(*options.radius))) {
    throw InvalidArgument(fmt::format("radius: {:g} is wrong; it must be > 0", *options.radius));
  }
  if (options.neighbours && *options.neighbours < 2) {
    throw InvalidArgument(fmt::format("neighbours: {} is wrong; it must be at least 2", *options.neighbours));
  }
}

Index frames_in_lag(double lag, double dt) {
  check_lag(lag);
  if (!(dt > 0.0) || !std::isfinite(dt)) {
    throw InvalidArgument(fmt::format("dt: {:g} is wrong; it must be > 0", dt));
  }
  const double ratio = lag / dt;
  const double frames = std::round(ratio);
  constexpr double decimals = 1e-6;  // what is lost when dt was typed or printed with few digits
  if (frames < 1.0 || std::abs(ratio - frames) > decimals * frames) {
    throw InvalidArgument(
        fmt::format("lag: {:g} is {:g} times dt = {:g}; it must be a whole number of dt", lag, ratio, dt));
  }
  return Index(std::min(frames, 1e18));
}

void check_trajectories(const std::vector<Trajectory>& trajectories, Index dimension, Index lag) {
  if (trajectories.empty()) {
    throw InvalidArgument("trajectories: there are none; give at least one");
  }
  Index longest = 0;
  for (const Trajectory& trajectory : trajectories) {
    if (trajectory.dimension() != dimension) {
      throw InvalidArgument(fmt::format("{}: frames have {} coordinates, the queries have {}; they must agree",
                                        trajectory.name(), trajectory.dimension(), dimension));
    }
    longest = std::max(longest, trajectory.frames());
  }
  if (longest <= lag) {
    throw InvalidArgument(fmt::format(
        "lag: {} frames, but the longest trajectory has {}; give a shorter lag or a longer trajectory", lag, longest));
  }
}

/// The walk over all pairs of frames, and what is known about each query on the way.
class Estimator {
 public:
  Estimator(const std::vector<Trajectory>& trajectories, const Points& queries, Index lag, const Torus& torus,
            const EstimateOptions& options)
      : queries_(queries),
        options_(options),
        lag_(lag),
        torus_(torus),
        blocks_(trajectories, lag, options.align, torus),
        sums_(queries.rows(), queries.cols()) {}

  /// All increments; the estimator is empty afterwards.
  IncrementSums run() {
    if (options_.radius) {
      add_frames_within(*options_.radius);
    } else {
      add_nearest_frames(*options_.neighbours);
    }
    return std::move(sums_);
  }

 private:
  template <class Body>
  void for_each_query(const Body& body) const {
    parallel_chunks(queries_.rows(), query_chunk, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        body(i);
      }
    });
  }

  /// Room for a pair of frames, to save allocations.
  struct Pair {
    explicit Pair(Index dimension) : start(dimension), increment(dimension) {}
    Vector start;
    Vector increment;
  };

  /// The start of a pair counts as its image nearest to the query.
  void add(Index query, const FrameBlock& block, Index k, Pair& pair) {
    pair.start = block.starts().row(k);
    if (!torus_.flat()) {
      pair.start -= queries_.row(query).transpose();
      torus_.shorten(pair.start.data());
      pair.start += queries_.row(query).transpose();
    }
    block.increment(k, pair.increment.data());
    sums_.add(query, pair.start.data(), pair.increment.data(), block.first() + k, lag_);
  }

  void add_frames_within(double radius) {
    Reporter reporter("increments");
    blocks_.for_each(reporter, [&](const FrameBlock& block) {
      const FrameSearch search(block.starts(), radius, torus_);
      for_each_query([&](Index i) {
        NearFrames found;
        Pair pair(queries_.cols());
        search.within(queries_.row(i).data(), radius, found);
        for (const NearFrame& near : found) {
          add(i, block, near.frame, pair);
        }
      });
    });
  }

  void add_nearest_frames(Index count) {
    const std::vector<NearFrames> nearest = find_nearest(count);
    Reporter reporter("increments");
    blocks_.for_each(reporter, [&](const FrameBlock& block) {
      for_each_query([&](Index i) {
        const NearFrames& frames = nearest[std::size_t(i)];
        Pair pair(queries_.cols());
        const auto before = [](const NearFrame& near, Index frame) { return near.frame < frame; };
        auto it = std::lower_bound(frames.begin(), frames.end(), block.first(), before);
        for (; it != frames.end() && it->frame < block.first() + block.size(); ++it) {
          add(i, block, it->frame - block.first(), pair);
        }
      });
    });
  }

  void check_memory(Index count) const {
    const double bytes = double(count) * double(queries_.rows()) * double(sizeof(NearFrame));
    if (bytes > double(memory_budget())) {
      throw InvalidArgument(
          fmt::format("neighbours: {} frames for each of {} queries take {}, more than is free; give "
                      "fewer of either",
                      count, queries_.rows(), format_bytes(bytes)));
    }
  }

  /// The `count` nearest frames of each query, by ascending number. While the walk lasts each list is a heap, its
  /// farthest frame on top: only what is nearer needs to be looked at in later blocks.
  std::vector<NearFrames> find_nearest(Index count) const {
    if (count > blocks_.pairs()) {
      throw InvalidArgument(
          fmt::format("neighbours: {} asked for, but only {} frames are followed by another one lag "
                      "later; give fewer",
                      count, blocks_.pairs()));
    }
    check_memory(count);
    std::vector<NearFrames> nearest(static_cast<std::size_t>(queries_.rows()));
    Reporter reporter("neighbours");
    blocks_.for_each(reporter, [&](const FrameBlock& block) {
      const double guess = guessed_reach(block.starts(), count);
      const FrameSearch search(block.starts(), std::min(guess, typical_reach(nearest, count)), torus_);
      for_each_query([&](Index i) {
        NearFrames found;
        NearFrames& heap = nearest[std::size_t(i)];
        find_candidates(search, queries_.row(i).data(), reach(heap, count), guess, count, found);
        for (const NearFrame& near : found) {
          keep_nearest(heap, {near.squared_distance, near.frame + block.first()}, count);
        }
      });
    });
    const auto by_number = [](const NearFrame& a, const NearFrame& b) { return a.frame < b.frame; };
    for (NearFrames& frames : nearest) {
      std::sort(frames.begin(), frames.end(), by_number);
    }
    return nearest;
  }

  /// All frames of a block that may be among the nearest `count`: those within `reach`. While that is infinite, a
  /// radius that holds `count` frames will do; it is found by doubling.
  static void find_candidates(const FrameSearch& search, const double* query, double reach, double guess, Index count,
                              NearFrames& found) {
    constexpr int doublings = 20;  // a millionfold: farther away all frames are looked at
    double radius = std::isfinite(reach) ? reach : guess;
    for (int k = 0; k < doublings && std::isfinite(radius); ++k, radius *= 2.0) {
      search.within(query, radius, found);
      if (std::isfinite(reach) || Index(found.size()) >= count) {
        return;
      }
    }
    search.within(query, reach, found);
  }

  /// The radius of a ball that holds `count` frames if they are spread evenly over their bounding box; infinite if
  /// there are not that many.
  static double guessed_reach(PointsView frames, Index count) {
    const double share = double(count) / double(frames.rows());
    const double extent = (frames.colwise().maxCoeff() - frames.colwise().minCoeff()).maxCoeff();
    if (share >= 1.0 || !(extent > 0.0)) {
      return std::numeric_limits<double>::infinity();
    }
    return 0.5 * extent * std::pow(share, 1.0 / double(frames.cols()));
  }

  static void keep_nearest(NearFrames& heap, const NearFrame& near, Index count) {
    if (Index(heap.size()) == count) {
      if (!(near < heap.front())) {
        return;
      }
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    heap.push_back(near);
    std::push_heap(heap.begin(), heap.end());
  }

  static double reach(const NearFrames& heap, Index count) {
    return Index(heap.size()) < count ? std::numeric_limits<double>::infinity()
                                      : std::sqrt(heap.front().squared_distance) * (1.0 + 1e-12);
  }

  static double typical_reach(const std::vector<NearFrames>& nearest, Index count) {
    std::vector<double> all;
    for (const NearFrames& heap : nearest) {
      all.push_back(reach(heap, count));
    }
    const auto middle = all.begin() + std::ptrdiff_t(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  }

  const Points& queries_;
  const EstimateOptions& options_;
  Index lag_;
  const Torus& torus_;
  FrameBlocks blocks_;
  IncrementSums sums_;
};

}  // namespace

DynamicsEstimate estimate_dynamics(const std::vector<Trajectory>& trajectories, PointsView queries,
                                   const EstimateOptions& options) {
  const ExecutionScope scope(options.execution);
  check_neighbourhood(options);
  const Index lag = frames_in_lag(options.lag, options.dt);
  check_estimate_points(queries, "queries");
  check_trajectories(trajectories, queries.cols(), lag);
  check_period(options.period, options.align, queries.cols());
  Points points = aligned_or_same(queries, options.align).frames;
  const Torus torus(options.period);
  Estimator estimator(trajectories, points, lag, torus, options);
  IncrementSums sums = estimator.run();  // which looks at the points
  return finish_estimate(std::move(sums), std::move(points), torus,
                         {.lag = options.lag,
                          .leave_out_poor = options.leave_out_poor,
                          .remedy = options.radius ? "raise radius, give neighbours instead, or leave that query out"
                                                   : "raise neighbours, or shorten the lag"});
}

Points thin_frames(const std::vector<Trajectory>& trajectories, Index count) {
  Index total = 0;
  for (const Trajectory& trajectory : trajectories) {
    total += trajectory.frames();
  }
  if (count < 1 || count > total) {
    throw InvalidArgument(
        fmt::format("count: {} frames asked for, but there are {}; give 1 to {}", count, total, total));
  }
  Points thinned(count, trajectories.front().dimension());
  Points storage;
  std::size_t k = 0;
  Index before = 0;
  for (Index i = 0; i < count; ++i) {
    const Index frame = Index(double(i) * double(total) / double(count));
    while (frame - before >= trajectories[k].frames()) {
      before += trajectories[k++].frames();
    }
    thinned.row(i) = trajectories[k].block(frame - before, frame - before + 1, storage);
  }
  return thinned;
}

}  // namespace itomap
