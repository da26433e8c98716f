#include "dynamics/frame_blocks.hpp"

#include <algorithm>

namespace itomap::detail {
namespace {

/// Large enough to be read and searched at full speed, small beside any memory.
constexpr Index block_bytes = Index{32} << 20;

Index block_frames(Index dimension) {
  constexpr Index least = 64;
  return std::max(least, block_bytes / (dimension * Index(sizeof(double))));
}

Index pairs_of(const Trajectory& trajectory, Index lag) { return std::max<Index>(0, trajectory.frames() - lag); }

}  // namespace

FrameBlock::FrameBlock(const Trajectory& trajectory, Index number, IndexRange range, Index lag,
                       const std::optional<Alignment>& align, const Torus& torus)
    : first_(number + range.begin),
      frames_(trajectory.block(range.begin, range.end, frame_storage_)),
      ends_(trajectory.block(range.begin + lag, range.end + lag, end_storage_)),
      torus_(torus) {
  if (align) {
    moved_ = align_frames(frames_, *align);
  }
  if (!torus.flat()) {
    moved_.frames = frames_;
    torus.fold(moved_.frames);
  }
}

void FrameBlock::increment(Index k, double* out) const {
  Eigen::Map<Eigen::RowVectorXd>(out, frames_.cols()) = ends_.row(k) - frames_.row(k);
  if (moved_.rotations.size() > 0) {
    rotate_increment(moved_.rotations.row(k).data(), out, frames_.cols());
  }
  torus_.shorten(out);
}

FrameBlocks::FrameBlocks(const std::vector<Trajectory>& trajectories, Index lag, const std::optional<Alignment>& align,
                         const Torus& torus)
    : trajectories_(trajectories), lag_(lag), align_(align), torus_(torus) {
  for (const Trajectory& trajectory : trajectories) {
    pairs_ += pairs_of(trajectory, lag);
  }
}

void FrameBlocks::for_each(Reporter& reporter, const std::function<void(const FrameBlock&)>& body) const {
  Index number = 0, done = 0;
  for (const Trajectory& trajectory : trajectories_) {
    const Index pairs = pairs_of(trajectory, lag_);
    const Index step = block_frames(trajectory.dimension());
    for (Index begin = 0; begin < pairs; begin += step) {
      const Index end = std::min(pairs, begin + step);
      body(FrameBlock(trajectory, number, {begin, end}, lag_, align_, torus_));
      done += end - begin;
      reporter.report_or_throw(double(done) / double(pairs_));
    }
    number += trajectory.frames() + lag_;
  }
}

}  // namespace itomap::detail
