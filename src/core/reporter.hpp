// One stage of a long computation, as the progress callback sees it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "itomap/core/progress.hpp"

namespace itomap {

/// Passes progress on a few times a second. Not thread safe: call it from the thread that called the library.
class Reporter {
 public:
  Reporter(const Progress& progress, std::string_view stage) : progress_(progress), stage_(stage) {}

  /// Returns false when the user asked to stop.
  bool report(double fraction, std::string_view detail = {});

  /// The same, but throws Cancelled.
  void report_or_throw(double fraction, std::string_view detail = {});

 private:
  using Clock = std::chrono::steady_clock;

  const Progress& progress_;
  std::string stage_;
  Clock::time_point last_ = Clock::time_point::min();
};

}  // namespace itomap
