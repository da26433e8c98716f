// A sample that is wrong on purpose, the target measure map that corrects it, and the truth to compare with.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>

int main() {
  const auto system = itomap::make_system("double-well", {.beta = 6.0});
  const auto run = itomap::euler_maruyama(system, {.dt = 0.03, .steps = 300000, .thin = 100, .box = system.box});
  const auto map = itomap::target_measure_map(run.points, itomap::log_target_at(system, run.points), {.epsilon = 0.01});
  const auto spectrum = itomap::eigenpairs(map, {.count = 1});

  const auto reference = itomap::planar_reference(system.log_target, system.box, {.count = 1});
  std::printf("t_1 = %.1f, reference %.1f\n", spectrum.timescales(1), reference.timescales(1));
  return std::abs(spectrum.timescales(1) / reference.timescales(1) - 1.0) < 0.3 ? 0 : 1;
}
