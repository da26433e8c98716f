// How much a figure from trajectories would vary if they were run again: block bootstrap.
//
// Runs are cut into blocks that are longer than their memory. Drawing as many blocks as there are, with replacement,
// makes another data set that might have been; the standard deviation of a figure over some of them is its standard
// error. Whatever is computed from blocks takes each as a run of its own: nothing reaches across a seam.
#pragma once

#include <cstdint>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::reproduce {

struct TimeBlock {
  std::size_t run = 0;
  Index begin = 0;
  Index frames = 0;
};

/// Blocks of `frames` frames of runs of these lengths; what is left at the end of a run is part of its last block. At
/// least ten blocks a run: shorter ones if need be.
std::vector<TimeBlock> time_blocks(const std::vector<Index>& run_lengths, Index frames);

/// As many blocks as there are, drawn with replacement.
std::vector<TimeBlock> resampled(const std::vector<TimeBlock>& blocks, std::uint64_t seed);

/// Standard deviation of what several data sets gave; those that are no numbers are left out. NaN of less than two.
double standard_deviation(const std::vector<double>& values);

}  // namespace itomap::reproduce
