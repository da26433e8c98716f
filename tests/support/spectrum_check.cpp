#include "support/spectrum_check.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <sstream>
#include <vector>

#include "support/statistics.hpp"

namespace itomap::statistics {

double self_share(const Map& map, const Spectrum& spectrum) {
  return spectrum.stationary.dot(map.density().cwiseInverse());
}

double worst_share_of_budget(const Map& map, const Spectrum& spectrum, const Eigen::VectorXcd& computed,
                             const Eigen::VectorXcd& expected, double bias_constant) {
  if (std::abs(computed[0]) > 1e-6 || std::abs(expected[0]) > 1e-6) {
    return std::numeric_limits<double>::infinity();
  }
  const double systematic = bias_constant * map.epsilon() + 1.5 * self_share(map, spectrum);
  const double noise = 1.5 / std::sqrt(double(map.size()));
  std::vector<std::complex<double>> rest(computed.begin() + 1, computed.end());
  double worst = 0.0;
  for (Index n = 1; n < expected.size(); ++n) {
    const double size = std::abs(expected[n]);
    const auto copies = double(((expected.array() - expected[n]).abs() < 1e-6 * size).count());
    const double budget = size * (systematic + std::sqrt(copies) * noise);
    worst = std::max(worst, take_nearest(rest, expected[n]) / budget);
  }
  return worst;
}

std::string side_by_side(const Eigen::VectorXcd& computed, const Eigen::VectorXcd& expected) {
  std::ostringstream text;
  for (Index n = 0; n < expected.size(); ++n) {
    text << "  computed " << computed[n] << "  expected " << expected[n] << "\n";
  }
  return text.str();
}

}  // namespace itomap::statistics
