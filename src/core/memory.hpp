// What memory there is, and how to say it.
#pragma once

#include <cstddef>
#include <string>

namespace itomap::detail {

/// Bytes that can be had now without swapping, and without the process being stopped: the least of what is free in the
/// machine, in its control groups (containers) and within its resource limits (ulimit).
std::size_t available_memory_bytes();

/// What the present execution may take: its limit, or 80 % of what is available.
std::size_t memory_budget();

/// The most this process has held in memory so far.
std::size_t peak_memory_bytes();

/// "3.2 GB".
std::string format_bytes(double bytes);

}  // namespace itomap::detail
