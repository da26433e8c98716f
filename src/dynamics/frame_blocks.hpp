// Walks through trajectories block by block, so that memory does not grow with them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/reporter.hpp"
#include "dynamics/torus.hpp"
#include "itomap/dynamics/align.hpp"
#include "itomap/dynamics/trajectory.hpp"
#include "neighbors/neighbor_search.hpp"

namespace itomap::detail {

/// Consecutive frames of one trajectory that have an end, one lag later, and those ends.
class FrameBlock {
 public:
  /// `number` is what frame 0 of the trajectory is called among the frames of all of them.
  FrameBlock(const Trajectory& trajectory, Index number, IndexRange range, Index lag,
             const std::optional<Alignment>& align, const Torus& torus);

  Index size() const { return frames_.rows(); }
  /// The starts, aligned or folded into one period if asked for: where neighbours are looked for.
  PointsView starts() const { return moved_.frames.size() > 0 ? PointsView(moved_.frames) : PointsView(frames_); }
  /// end - start of pair k, turned with the start, the shortest way around.
  void increment(Index k, double* out) const;
  /// The number of its first frame.
  Index first() const { return first_; }

 private:
  Index first_;
  Points frame_storage_, end_storage_;
  Trajectory::Frames frames_, ends_;
  const Torus& torus_;
  AlignedFrames moved_;  // no frames if they stay where they are
};

class FrameBlocks {
 public:
  /// Frames are numbered through, with a gap of one lag between trajectories: across it no two are close in time.
  FrameBlocks(const std::vector<Trajectory>& trajectories, Index lag, const std::optional<Alignment>& align,
              const Torus& torus);

  Index pairs() const { return pairs_; }

  void for_each(Reporter& reporter, const std::function<void(const FrameBlock&)>& body) const;

 private:
  const std::vector<Trajectory>& trajectories_;
  Index lag_;
  const std::optional<Alignment>& align_;
  const Torus& torus_;
  Index pairs_ = 0;
};

}  // namespace itomap::detail
