// The processes that mpirun started, where the program is one of several.
#pragma once

#include <functional>

#include "itomap/core/execution.hpp"
#include "itomap/core/ranks.hpp"

namespace itomap::cli {

/// All of them; one process by itself before run_in_world.
const Ranks& world();

/// Unless somebody says how many threads, those who share a machine share its cores.
Execution share_of_machine(Execution execution);

/// Joins the others for as long as `body` runs, and returns its exit code.
int run_in_world(const std::function<int()>& body);

/// Ends all of them.
[[noreturn]] void end_world(int code);

}  // namespace itomap::cli
