#include "core/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>

#include "core/context.hpp"
#include "core/memory_limits.hpp"

namespace itomap::detail {

std::size_t available_memory_bytes() {
  static const ControlGroups groups("/");
  const MemoryAmount least = least_of({free_in_machine("/"), groups.free(), free_in_resource_limits("/")});
  return least ? *least : std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
}

std::size_t memory_budget() {
  const auto asked = current_execution().memory;
  return asked ? *asked : available_memory_bytes() / 5 * 4;
}

// Not ru_maxrss where it can be helped: that outlives exec, and is the parent's if the parent was larger.
std::size_t peak_memory_bytes() {
  if (const MemoryAmount peak = proc_entry("/proc/self/status", "VmHWM:")) {
    return *peak;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::size_t(usage.ru_maxrss) * 1024;
}

std::string format_bytes(double bytes) {
  constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace itomap::detail
