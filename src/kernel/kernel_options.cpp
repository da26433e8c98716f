#include "itomap/kernel/kernel_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

constexpr std::array<std::string_view, 5> engine_names = {"auto", "sparse", "grid", "dense", "landmarks"};

}  // namespace

std::string_view to_string(Engine engine) { return engine_names[std::size_t(engine)]; }

Engine engine_from_string(std::string_view name) {
  for (std::size_t k = 0; k < engine_names.size(); ++k) {
    if (engine_names[k] == name) {
      return Engine(k);
    }
  }
  throw InvalidArgument(fmt::format("engine: '{}' is not one of auto, sparse, grid, dense, landmarks", name));
}

void KernelOptions::validate(std::size_t dimension) const {
  if (!(cutoff > 0.0 && cutoff < 1.0)) {
    throw InvalidArgument(fmt::format("cutoff: {:g} is not between 0 and 1; 1e-8 is the default", cutoff));
  }
  if (single_precision && cutoff < 1e-37) {
    throw InvalidArgument(fmt::format(
        "cutoff: {:g} is below what single precision can hold; take 1e-37 or more, or double precision", cutoff));
  }
  if (landmarks < 0) {
    throw InvalidArgument(fmt::format("landmarks: {} is not a number of landmarks; 0 leaves it open", landmarks));
  }
  if (!(landmark_error > 0.0 && landmark_error < 1.0)) {
    throw InvalidArgument(
        fmt::format("landmark_error: {:g} is not between 0 and 1; 0.02 is the default", landmark_error));
  }
  if (!period.empty() && period.size() != dimension) {
    throw InvalidArgument(
        fmt::format("period: {} values for {} coordinates; give one each, 0 = not periodic", period.size(), dimension));
  }
  for (std::size_t a = 0; a < period.size(); ++a) {
    if (!(period[a] >= 0.0) || !std::isfinite(period[a])) {
      throw InvalidArgument(
          fmt::format("period: {:g} for coordinate {} is not a length; 0 = not periodic", period[a], a));
    }
  }
}

}  // namespace itomap
