// four wells sampled hot, seen at two temperatures.
#include "reproduce/example.hpp"

namespace itomap::cli {
namespace {

std::vector<Verdict> run(const Context& context) {
  context.step(0.0, "");
  return {};
}

}  // namespace

Example temperature_switch() { return {"temperature-switch", "four wells sampled hot, seen at two temperatures", run}; }

}  // namespace itomap::cli
