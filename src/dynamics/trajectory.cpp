#include "itomap/dynamics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

// A view with gaps between its rows cannot be handed out as one piece: it is copied.
std::shared_ptr<const double> contiguous(PointsView frames) {
  if (frames.outerStride() == frames.cols()) {
    return {std::shared_ptr<const double>(), frames.data()};
  }
  const auto copy = std::make_shared<const Points>(frames);
  return {copy, copy->data()};
}

}  // namespace

Trajectory::Trajectory(PointsView frames, std::string name)
    : Trajectory(contiguous(frames), frames.rows(), frames.cols(), std::move(name)) {}

Trajectory::Trajectory(std::shared_ptr<const double> data, Index frames, Index dimension, std::string name)
    : data_(std::move(data)), frames_(frames), dimension_(dimension), name_(std::move(name)) {}

Trajectory::Trajectory(Reader read, Index frames, Index dimension, std::string name)
    : read_(std::move(read)), frames_(frames), dimension_(dimension), name_(std::move(name)) {}

Trajectory::Frames Trajectory::block(Index begin, Index end, Points& storage) const {
  const double* first = data_.get() + begin * dimension_;
  if (read_) {
    storage.resize(end - begin, dimension_);
    read_(begin, end, storage.data());
    first = storage.data();
  }
  const Frames frames(first, end - begin, dimension_);
  check_finite(frames, begin);
  return frames;
}

void Trajectory::check_finite(const Frames& frames, Index begin) const {
  if (frames.allFinite()) {
    return;
  }
  for (Index i = 0; i < frames.rows(); ++i) {
    for (Index j = 0; j < frames.cols(); ++j) {
      if (!std::isfinite(frames(i, j))) {
        throw InvalidArgument(fmt::format("{}: {} in row {}, column {} (counted from 0); cut the trajectory there",
                                          name_, frames(i, j), begin + i, j));
      }
    }
  }
}

}  // namespace itomap
