// How much memory the process may still take: what the machine has, and what it was allowed.
//
// `root` is where the system's files lie, "/" but for tests. Where one of them is missing or says that there is no
// limit, the answer is none.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace itomap::detail {

using MemoryAmount = std::optional<std::size_t>;

/// An entry of a file like /proc/meminfo, "MemAvailable:   123 kB".
MemoryAmount proc_entry(const std::filesystem::path& file, const std::string& key);

/// What can be had without swapping.
MemoryAmount free_in_machine(const std::filesystem::path& root);

/// The control groups of this process, versions 1 and 2, and those above them, as far as they are limited.
class ControlGroups {
 public:
  explicit ControlGroups(const std::filesystem::path& root);

  /// The least that any of them has left. Pages of files that nobody uses are given back under pressure and do not
  /// count as taken.
  MemoryAmount free() const;

 private:
  struct Group {
    std::filesystem::path directory;
    bool unified;  // version 2
  };
  void add(const std::filesystem::path& directory, bool unified);

  std::vector<Group> groups_;
};

/// What `ulimit -v` and `ulimit -d` (RLIMIT_AS and RLIMIT_DATA) have left.
MemoryAmount free_in_resource_limits(const std::filesystem::path& root);

/// The least of those that are known.
MemoryAmount least_of(std::initializer_list<MemoryAmount> amounts);

}  // namespace itomap::detail
