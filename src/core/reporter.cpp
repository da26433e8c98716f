#include "core/reporter.hpp"

#include <utility>

#include "itomap/core/error.hpp"

namespace itomap::detail {

bool Reporter::report(double fraction, std::string_view detail) {
  constexpr auto interval = std::chrono::milliseconds(50);
  const auto now = Clock::now();
  if (!progress_ || (last_ != Clock::time_point::min() && now - last_ < interval)) {
    return true;
  }
  last_ = now;
  return progress_({stage_, fraction, detail});
}

void Reporter::report_or_throw(double fraction, std::string_view detail) {
  if (!report(fraction, detail)) {
    throw Cancelled();
  }
}

Stage::Stage(std::string_view name)
    : reporter_(name),
      inner_{current_execution().threads, current_execution().memory,
             [this](const ProgressUpdate&) { return reporter_.report(fraction_, detail_); }},
      scope_(inner_) {}

void Stage::begin(double fraction, std::string detail) {
  fraction_ = fraction;
  detail_ = std::move(detail);
  reporter_.report_or_throw(fraction_, detail_);
}

}  // namespace itomap::detail
