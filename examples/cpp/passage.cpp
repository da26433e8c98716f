// How a diffusion crosses a barrier: committor, passage times and rate between two wells.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>

int main() {
  // Two wells at -1 and 1, a barrier of three kT between them.
  const itomap::Points points = itomap::Points(itomap::Vector::LinSpaced(1801, -1.8, 1.8));
  const itomap::Vector x = points.col(0);
  const itomap::Vector log_target = -3.0 * (x.array().square() - 1.0).square();

  const auto map = itomap::target_measure_map(points, log_target, {.epsilon = 0.002});
  const auto spectrum = itomap::eigenpairs(map, {.count = 3});

  std::vector<itomap::Index> source, sink;
  for (itomap::Index i = 0; i < x.size(); ++i) {
    if (x[i] < -1.0) {
      source.push_back(i);
    }
    if (x[i] > 1.0) {
      sink.push_back(i);
    }
  }
  const auto path = itomap::committor(map, spectrum, source, sink);
  std::printf("from the top of the barrier, the right well comes first with probability %.3f\n", path.forward[900]);
  std::printf("passages per unit of time on the left: %.4f\n", path.rate);
  std::printf("mean time from left to right: %.3f\n", path.source_to_sink);

  for (const auto& warning : path.warnings) {
    std::printf("warning: %s\n", warning.c_str());
  }
  // By symmetry both directions take the same time, and the top is half way.
  const bool symmetric = std::abs(path.source_to_sink / path.sink_to_source - 1.0) < 1e-3;
  return path.converged() && symmetric && std::abs(path.forward[900] - 0.5) < 1e-3 ? 0 : 1;
}
