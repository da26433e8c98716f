// How a long computation reports back, and how it is stopped.
//
// The library never prints. It calls the callback given in the options, from the calling thread only, a few times a
// second; a callback that returns false stops the computation, which then throws Cancelled and leaves nothing behind.
#pragma once

#include <functional>
#include <string_view>

namespace itomap {

struct ProgressUpdate {
  std::string_view stage;   ///< what is being done: "kernel", "eigenpairs", ...
  double fraction = -1.0;   ///< share done, 0 to 1; negative when it cannot be known
  std::string_view detail;  ///< a short remark, may be empty: "6 of 11 converged"
};

/// Returns true to go on, false to stop.
using Progress = std::function<bool(const ProgressUpdate&)>;

}  // namespace itomap
