// three conformations of a molecule in water.
#include "reproduce/example.hpp"

namespace itomap::cli {
namespace {

std::vector<Verdict> run(const Context& context) {
  context.step(0.0, "");
  return {};
}

}  // namespace

Example butane() { return {"butane", "three conformations of a molecule in water", run}; }

}  // namespace itomap::cli
