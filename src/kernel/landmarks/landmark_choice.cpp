#include "kernel/landmarks/landmark_choice.hpp"

#include <algorithm>

#include "kernel/landmarks/centres.hpp"

namespace itomap::detail {
namespace {

constexpr Index first_landmarks = 256;
constexpr Index sample_for_each = 20;
constexpr Index smallest_sample = 5000;

/// No more outliers than this share of the clusters, or so many.
constexpr double most_own_share = 0.5;
constexpr Index most_own = 64;

void set_clusters(LandmarkKernel& kernel, Index landmarks) {
  if (landmarks == kernel.points()) {
    kernel.set_landmarks(kernel.places(0, kernel.points()));
    return;
  }
  const auto rows = spread_evenly(kernel.points(), landmark_sample(landmarks));
  // All afresh: points among centres, which are nearer to everything than points are, would stay alone.
  kernel.set_landmarks(cluster_centres(kernel.places(rows), landmarks));
}

}  // namespace

Index landmark_sample(Index landmarks) { return std::max(smallest_sample, sample_for_each * landmarks); }

std::vector<Index> spread_evenly(Index m, Index count) {
  std::vector<Index> numbers(std::size_t(std::min(m, count)));
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = Index(k) * m / Index(numbers.size());
  }
  return numbers;
}

LandmarkError choose_landmarks(LandmarkKernel& kernel, Index landmarks, double tolerance) {
  const LandmarkSample sample(kernel.geometry());
  const Index size = kernel.points();
  Index count = landmarks > 0 ? landmarks : first_landmarks;
  Reporter reporter("landmarks");
  while (true) {
    reporter.report_or_throw(0.0);
    set_clusters(kernel, std::min(count, size));
    kernel.factorise();
    const LandmarkError error = sample.error(kernel);
    const bool no_more = kernel.landmarks() < std::min(count, size);  // different places
    if (landmarks > 0 || error.steps <= tolerance || no_more || 2 * count > std::min(most_landmarks, size)) {
      return error;
    }
    count *= 2;
  }
}

bool lacks_too_much(double sum, const Vector& whitened) {
  const double missing = 1.0 - whitened.squaredNorm();
  return missing > missing_share * (sum + missing);
}

Index most_outliers(Index landmarks) { return std::max(most_own, Index(most_own_share * double(landmarks))); }

}  // namespace itomap::detail
