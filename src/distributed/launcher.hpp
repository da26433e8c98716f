// How many processes a launcher started, by what it tells them in their environment.
#pragma once

namespace itomap::detail {

/// 0 if there was no launcher.
int launched_processes();

}  // namespace itomap::detail
