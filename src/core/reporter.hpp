// One stage of a long computation, as the progress callback sees it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/context.hpp"

namespace itomap::detail {

/// Passes progress on to the present execution, which must outlive it, a few times a second. Not thread safe: call it
/// from the thread that called the library.
class Reporter {
 public:
  explicit Reporter(std::string_view stage) : progress_(current_execution().progress), stage_(stage) {}

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

/// While it lives, all that is reported in the present execution, kernels and eigenpairs, is progress of one stage.
class Stage {
 public:
  explicit Stage(std::string_view name);

  /// Begins a part of the stage; throws Cancelled when the user asked to stop.
  void begin(double fraction, std::string detail);

 private:
  Reporter reporter_;
  double fraction_ = 0.0;
  std::string detail_;
  Execution inner_;  // the present one, but for the callback
  ExecutionScope scope_;
};

}  // namespace itomap::detail
