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

  // Of the engine Landmarks; 0 for the others, which are exact but for the cut-off.
  Index landmarks = 0;
  double step_error = 0.0;  ///< relative, of the mean squared step of a row; root mean square over a sample of rows
  double sum_error = 0.0;   ///< relative, of the sum of a row, likewise
};

}  // namespace itomap
