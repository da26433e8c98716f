// Takes translation and rotation out of molecular frames: each is moved rigidly onto a reference.
//
// A molecule that tumbles in space has the same shape in every frame, yet no two frames are close. The rigid motion
// that brings chosen atoms as near as possible to their places in the reference (least root mean square deviation,
// Kabsch 1976) makes frames comparable:
//
//   y_a = R (x_a - c) + c_ref,    R = argmin sum_a |R (x_a - c) - (r_a - c_ref)|^2  over rotations R,
//
// with c and c_ref the centroids of the chosen atoms; all atoms move along. Mirror images are never used.
//
//   frames       m x N with N = 3 * atoms: x y z of the first atom, then of the second, ...
//   reference    N values: one frame; its chosen atoms do not lie on a line
//   atoms        which take part in the fit, counted from 0, each once; all of them if empty; at least 3
//
// The end of a short run is not fitted itself: it moves along with its start, end -> R (end - c) + c_ref with R and c
// of the start. An increment is then R (end - start): what the molecule did, seen from where it stood. Fitting both
// ends would take a part of the motion out of drift and diffusion.
//
//   const auto aligned = itomap::align_frames(frames, {.reference = frames.row(0), .atoms = {0, 1, 2, 3}});
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap {

struct Alignment {
  Vector reference{};
  std::vector<Index> atoms{};

  /// Throws InvalidArgument for frames of `dimension` coordinates that cannot be aligned so.
  void validate(Index dimension) const;
};

struct AlignedFrames {
  Points frames;     ///< m x N
  Points rotations;  ///< m x 9: R of each frame, row by row
};

AlignedFrames align_frames(PointsView frames, const Alignment& alignment);

/// v_a -> R v_a for each atom of an increment; `rotation` are the 9 numbers of a row of `rotations`.
void rotate_increment(const double* rotation, double* increment, Index dimension);

}  // namespace itomap
