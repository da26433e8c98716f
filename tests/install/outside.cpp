// An outside program: every step of the library once, linked from where it was installed.
#include <cstdio>
#include <cstring>
#include <itomap/itomap.hpp>

namespace {

// Equispaced on the unit circle, where the exact spectrum of alpha = 1 is 0, -1, -1, -4, -4, ...
itomap::Points circle(itomap::Index m) {
  const Eigen::ArrayXd angle = Eigen::ArrayXd::LinSpaced(m + 1, 0.0, 8.0 * std::atan(1.0)).head(m);
  itomap::Points points(m, 2);
  points << angle.cos(), angle.sin();
  return points;
}

}  // namespace

int main() {
  const itomap::Points points = circle(200);
  const auto map = itomap::diffusion_map(points, {.epsilon = 0.01, .alpha = 1.0});
  const auto spectrum = itomap::eigenpairs(map, {.count = 2});
  itomap::write_npy("embedding.npy", {itomap::embedding(spectrum).data(), 400}, {200, 2});
  const auto read = itomap::read_array("embedding.npy");
  itomap::save("result", map, spectrum, {.force = true});
  const auto loaded = itomap::load("result");

  const double lambda = spectrum.eigenvalues(2).real();
  std::printf("itomap %s: lambda_2 = %.4f, %s\n", itomap::version(), lambda, read.shape_text().c_str());
  const bool same_version = std::strcmp(itomap::version(), ITOMAP_VERSION) == 0;
  const bool same_result = loaded.spectrum.eigenvalues == spectrum.eigenvalues && loaded.map.density() == map.density();
  return same_version && same_result && std::abs(lambda + 1.0) < 0.05 && read.size() == 400 ? 0 : 1;
}
