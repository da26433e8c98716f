// How a kernel is held, and why: what the planner decided.
#pragma once

#include <cstddef>
#include <string>

#include "itomap/kernel/kernel_options.hpp"

namespace itomap {

struct KernelPlan {
  Engine engine = Engine::Auto;
  std::string reason;              ///< one line
  double predicted_bytes = 0.0;    ///< of the kernel alone
  std::size_t bytes = 0;           ///< that it does take
  double predicted_seconds = 0.0;  ///< of a product with one vector, in a block of four, on all threads
};

}  // namespace itomap
