// The frames of one simulation run, in memory or behind a reader: what estimates of dynamics walk through.
//
// A trajectory may be larger than memory. It is read in blocks of consecutive frames, in place where they lie in memory
// (a memory-mapped file included), otherwise into a buffer of the caller. Frames are rows of N coordinates, the time
// between two of them is constant. Several runs are several trajectories: nothing is ever computed across their seam.
//
//   const itomap::Trajectory run(frames);                       // a view of your matrix
//   const auto file = itomap::open_trajectory("run.npy");       // itomap/io/trajectory_file.hpp
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "itomap/core/types.hpp"

namespace itomap {

class Trajectory {
 public:
  using Frames = Eigen::Map<const Points>;
  /// Writes frames begin to end - 1 to `out`, row by row. May be called from several threads.
  using Reader = std::function<void(Index begin, Index end, double* out)>;

  /// A view of frames in memory, which must outlive the trajectory. `name` is what messages call it.
  explicit Trajectory(PointsView frames, std::string name = "trajectory");
  /// Frames in memory that the trajectory keeps alive.
  Trajectory(std::shared_ptr<const double> data, Index frames, Index dimension, std::string name);
  /// Frames that are read when they are needed.
  Trajectory(Reader read, Index frames, Index dimension, std::string name);

  Index frames() const { return frames_; }
  Index dimension() const { return dimension_; }
  const std::string& name() const { return name_; }

  /// Frames begin to end - 1: in place, or read into `storage`. Throws InvalidArgument at NaN and infinity.
  Frames block(Index begin, Index end, Points& storage) const;

 private:
  void check_finite(const Frames& frames, Index begin) const;

  std::shared_ptr<const double> data_;
  Reader read_;
  Index frames_;
  Index dimension_;
  std::string name_;
};

}  // namespace itomap
