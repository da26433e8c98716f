#include "core/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "itomap/core/error.hpp"

namespace itomap {

void Execution::validate() const {
  if (threads < 0) {
    throw InvalidArgument(fmt::format("threads: {} is negative; 0 takes all cores", threads));
  }
}

}  // namespace itomap

namespace itomap::detail {
namespace {

thread_local const Execution* innermost = nullptr;

}  // namespace

ExecutionScope::ExecutionScope(const Execution& execution) : outer_(innermost) {
  execution.validate();
  innermost = &execution;
}

ExecutionScope::~ExecutionScope() { innermost = outer_; }

const Execution& current_execution() {
  static const Execution defaults;
  return innermost != nullptr ? *innermost : defaults;
}

int current_threads() {
  const int asked = current_execution().threads;
  static const int cores = int(std::max(1U, std::thread::hardware_concurrency()));  // reads files each time
  return asked > 0 ? asked : cores;
}

}  // namespace itomap::detail
