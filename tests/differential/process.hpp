// A process for a cloud: targets from flat to steep, drifts that turn, pull, push or leave the data, diffusions of
// every shape, traps.
#pragma once

#include <string>

#include "differential/cloud.hpp"
#include "itomap/kernel/diffusion.hpp"

namespace itomap::differential {

struct Target {
  std::string kind;
  Vector log_values;
};
Target random_target(const Cloud& cloud, samples::Random& random);

/// The kernel is about `width` wide in space after the time `epsilon`.
struct Process {
  std::string kind;
  Points drift;
  Diffusion diffusion;
  double eta = 0.0;
  double epsilon = 1.0;
};
Process random_process(Cloud& cloud, double width, samples::Random& random);

}  // namespace itomap::differential
