#include "reproduce/example.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "itomap/core/error.hpp"

namespace itomap::reproduce {

void Context::step(double fraction, std::string_view what) const {
  const std::string name = out.filename().string();
  if (progress && !progress({.stage = name, .fraction = fraction, .detail = what})) {
    throw Cancelled();
  }
}

const std::vector<Example>& all_examples() {
  static const std::vector<Example> examples{large_time_step(), temperature_switch(), butane(), wake()};
  return examples;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - std::floor(place));
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace itomap::reproduce
