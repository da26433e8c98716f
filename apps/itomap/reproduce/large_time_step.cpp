// a double well sampled with too large a time step.
#include "reproduce/example.hpp"

namespace itomap::cli {
namespace {

std::vector<Verdict> run(const Context& context) {
  context.step(0.0, "");
  return {};
}

}  // namespace

Example large_time_step() { return {"large-time-step", "a double well sampled with too large a time step", run}; }

}  // namespace itomap::cli
