#include "core/memory_limits.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

namespace itomap::detail {
namespace {

namespace fs = std::filesystem;

MemoryAmount first_number(const fs::path& file) {
  std::ifstream stream(file);
  std::size_t number = 0;
  return stream >> number ? MemoryAmount(number) : std::nullopt;
}

/// A line "inactive_file 123" of memory.stat.
std::size_t statistic(const fs::path& file, const std::string& key) {
  std::ifstream stream(file);
  std::string found;
  for (std::size_t number = 0; stream >> found >> number;) {
    if (found == key) {
      return number;
    }
  }
  return 0;
}

std::size_t difference(std::size_t limit, std::size_t used) { return limit - std::min(limit, used); }

/// A tree of control groups that is mounted somewhere.
struct Hierarchy {
  bool unified = false;  ///< version 2
  std::string top;       ///< the group that the mount point shows
  std::string mount;
};

MemoryAmount limit_of_group(const fs::path& group, bool unified) {
  constexpr std::size_t as_good_as_none = std::size_t(1) << 60;  // what version 1 says instead of "max"
  const MemoryAmount limit = unified
                                 ? least_of({first_number(group / "memory.max"), first_number(group / "memory.high")})
                                 : first_number(group / "memory.limit_in_bytes");
  return limit && *limit < as_good_as_none ? limit : std::nullopt;
}

MemoryAmount free_in_group(const fs::path& group, bool unified) {
  const MemoryAmount limit = limit_of_group(group, unified);
  const MemoryAmount used = first_number(group / (unified ? "memory.current" : "memory.usage_in_bytes"));
  if (!limit || !used) {
    return std::nullopt;
  }
  const std::size_t spare = statistic(group / "memory.stat", unified ? "inactive_file" : "total_inactive_file");
  return difference(*limit, difference(*used, spare));
}

bool has_word(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

/// /proc/self/mountinfo: "35 31 0:32 TOP MOUNT options... - TYPE source superoptions".
std::vector<Hierarchy> memory_hierarchies(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream lines(root / "proc/self/mountinfo");
  for (std::string line; std::getline(lines, line);) {
    Hierarchy hierarchy;
    std::string word, type, source, options;
    std::istringstream words(line);
    words >> word >> word >> word >> hierarchy.top >> hierarchy.mount;
    while (words >> word && word != "-") {
    }
    words >> type >> source >> options;
    hierarchy.unified = type == "cgroup2";
    if (hierarchy.unified || (type == "cgroup" && has_word(options, "memory"))) {
      found.push_back(hierarchy);
    }
  }
  return found;
}

/// /proc/self/cgroup: "4:cpu,memory:GROUP", and "0::GROUP" in version 2.
std::optional<std::string> own_group(const fs::path& root, bool unified) {
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : has_word(controllers, "memory")) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

/// The way from the mount point to our group; empty if our group is not below it, as in a container that sees its own
/// only.
fs::path way_down(const Hierarchy& hierarchy, const std::string& group) {
  const fs::path way = fs::path(group).lexically_relative(hierarchy.top);
  const bool outside = way.empty() || *way.begin() == ".." || way == ".";
  return outside ? fs::path() : way;
}

MemoryAmount resource_free(int resource, const fs::path& status, const char* used) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return std::nullopt;
  }
  return difference(std::size_t(limit.rlim_cur), proc_entry(status, used).value_or(0));
}

}  // namespace

MemoryAmount least_of(std::initializer_list<MemoryAmount> amounts) {
  MemoryAmount least;
  for (const MemoryAmount& amount : amounts) {
    if (amount && (!least || *amount < *least)) {
      least = amount;
    }
  }
  return least;
}

MemoryAmount proc_entry(const fs::path& file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string found;
    std::size_t kilobytes = 0;
    if (words >> found >> kilobytes && found == key) {
      return kilobytes * 1024;
    }
  }
  return std::nullopt;
}

MemoryAmount free_in_machine(const fs::path& root) { return proc_entry(root / "proc/meminfo", "MemAvailable:"); }

ControlGroups::ControlGroups(const fs::path& root) {
  for (const Hierarchy& hierarchy : memory_hierarchies(root)) {
    const auto group = own_group(root, hierarchy.unified);
    if (!group) {
      continue;
    }
    const fs::path mount = root / fs::path(hierarchy.mount).relative_path();
    fs::path way = way_down(hierarchy, *group);
    add(mount / way, hierarchy.unified);
    while (way.has_filename()) {
      way = way.parent_path();
      add(mount / way, hierarchy.unified);
    }
  }
}

void ControlGroups::add(const fs::path& directory, bool unified) {
  if (limit_of_group(directory, unified)) {
    groups_.push_back({directory, unified});
  }
}

MemoryAmount ControlGroups::free() const {
  MemoryAmount least;
  for (const Group& group : groups_) {
    least = least_of({least, free_in_group(group.directory, group.unified)});
  }
  return least;
}

MemoryAmount free_in_resource_limits(const fs::path& root) {
  const fs::path status = root / "proc/self/status";
  return least_of({resource_free(RLIMIT_AS, status, "VmSize:"), resource_free(RLIMIT_DATA, status, "VmData:")});
}

}  // namespace itomap::detail
