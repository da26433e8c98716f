#include "world.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <thread>

#include "itomap/core/error.hpp"
#include "itomap/distributed/mpi.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

const MpiSession* session = nullptr;

}  // namespace

const Ranks& world() {
  static const Ranks alone;
  return session != nullptr ? session->ranks() : alone;
}

Execution share_of_machine(Execution execution) {
  if (execution.threads == 0 && world().on_this_machine() > 1) {
    execution.threads = std::max(1, int(std::thread::hardware_concurrency()) / world().on_this_machine());
  }
  return execution;
}

int run_in_world(const std::function<int()>& body) {
  std::optional<MpiSession> own;
  try {
    own.emplace();
  } catch (const Error& error) {
    print_error(error.what());
    return 2;
  }
  session = &*own;
  const int code = body();
  session = nullptr;
  return code;
}

void end_world(int code) {
  if (session != nullptr) {
    session->abort(code);
  }
  std::_Exit(code);
}

}  // namespace itomap::cli
