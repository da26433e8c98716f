#include "core/reporter.hpp"

#include "itomap/core/error.hpp"

namespace itomap {

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

}  // namespace itomap
