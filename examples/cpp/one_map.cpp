// A map made, saved, loaded, extended to new points, and asked for passages and sets: all from one value.
#include <cstdio>
#include <itomap/itomap.hpp>

int main() {
  const auto system = itomap::make_system("double-well", {.beta = 2.0});
  const auto points = itomap::euler_maruyama(system, {.dt = 0.01, .steps = 200000, .thin = 100}).points;
  const auto map = itomap::target_measure_map(points, itomap::log_target_at(system, points), {.epsilon = 0.02});
  const auto spectrum = itomap::eigenpairs(map, {.count = 4});
  itomap::save("one_map-result", map, spectrum, {.force = true});
  const auto loaded = itomap::load("one_map-result");

  itomap::Points line(5, 2);
  line << -1.0, 0.0, -0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 1.0, 0.0;
  const auto psi = itomap::extend(loaded.map, loaded.spectrum, line).eigenfunctions;
  const auto sets = itomap::cluster(loaded.map, loaded.spectrum, 2);
  std::vector<bool> left, right;
  for (itomap::Index i = 0; i < points.rows(); ++i) {
    left.push_back(points(i, 0) < -0.8);
    right.push_back(points(i, 0) > 0.8);
  }
  const auto passage = itomap::committor(loaded.map, itomap::indices_of(left), itomap::indices_of(right));
  std::printf("%s\n%s\n%s\n%s", map.report().c_str(), spectrum.report().c_str(), sets.report().c_str(),
              passage.report().c_str());
  return psi.re(0, 1) * psi.re(4, 1) < 0.0 && passage.converged() ? 0 : 1;
}
