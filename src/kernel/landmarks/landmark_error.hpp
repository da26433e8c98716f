// How far a kernel that is interpolated between landmarks is off: measured on rows that are computed entry by entry.
#pragma once

#include <vector>

#include "kernel/landmarks/landmark_kernel.hpp"

namespace itomap::detail {

/// Root mean squares over the rows of a sample. What a generator is in the limit of small epsilon are the first moments
/// of its rows: how much mass, and how far it lies on average.
struct LandmarkError {
  double sums = 0.0;     ///< relative error of sum_j K_ij, the density
  double steps = 0.0;    ///< of sum_j K_ij u_ij / sum_j K_ij with u = -log K: the mean squared step, the rates
  double entries = 0.0;  ///< absolute, of an entry, over all pairs
};

class LandmarkSample {
 public:
  /// Rows, and a few hundred entries of each, of a kernel whose landmarks may still change.
  explicit LandmarkSample(const KernelGeometry& geometry);

  LandmarkError error(const LandmarkKernel& kernel) const;

 private:
  struct Entry {
    Index column;   // as stored
    double value;   // of the kernel
    double weight;  // so many entries it stands for
  };
  struct Row {
    Index point;  // as stored
    double sum = 0.0;
    double step = 0.0;
    std::vector<Entry> entries;
  };

  std::vector<Row> rows_;
};

}  // namespace itomap::detail
