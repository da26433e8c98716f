#include "kernel/landmarks/strips.hpp"

#include <algorithm>
#include <numeric>

namespace itomap::detail {
namespace {

/// So far that its square is infinite: its kernel is 0.
constexpr double out_of_sight = 1e200;

}  // namespace

Strips::Strips(const Points& places) {
  const Index n = places.rows();
  const Index strips = (n + strip_width - 1) / strip_width;
  coordinates_.assign(std::size_t(strips * strip_width * places.cols()), out_of_sight);
  low_.resize(strips, places.cols());
  high_.resize(strips, places.cols());
  for (Index s = 0; s < strips; ++s) {
    const Index width = std::min<Index>(strip_width, n - s * strip_width);
    const auto part = places.middleRows(s * strip_width, width);
    low_.row(s) = part.colwise().minCoeff();
    high_.row(s) = part.colwise().maxCoeff();
    for (Index a = 0; a < places.cols(); ++a) {
      for (Index k = 0; k < width; ++k) {
        coordinates_[std::size_t((s * places.cols() + a) * strip_width + k)] = part(k, a);
      }
    }
  }
}

void Strips::near(const Points& points, double squared_distance, std::vector<Index>& found) const {
  const Eigen::RowVectorXd low = points.colwise().minCoeff();
  const Eigen::RowVectorXd high = points.colwise().maxCoeff();
  found.clear();
  for (Index s = 0; s < count(); ++s) {
    double square = 0.0;
    for (Index a = 0; a < dimension(); ++a) {
      const double gap = std::max({low_(s, a) - high[a], low[a] - high_(s, a), 0.0});
      square += gap * gap;
    }
    if (square <= squared_distance) {
      found.push_back(s);
    }
  }
}

void Strips::all(std::vector<Index>& found) const {
  found.resize(std::size_t(count()));
  std::iota(found.begin(), found.end(), Index(0));
}

}  // namespace itomap::detail
