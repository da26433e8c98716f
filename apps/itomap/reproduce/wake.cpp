// vortices and recirculation behind a car body.
#include "reproduce/example.hpp"

namespace itomap::cli {
namespace {

std::vector<Verdict> run(const Context& context) {
  context.step(0.0, "");
  return {};
}

}  // namespace

Example wake() { return {"wake", "vortices and recirculation behind a car body", run}; }

}  // namespace itomap::cli
