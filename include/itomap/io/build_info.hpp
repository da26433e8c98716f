// What this library was built with, and what it finds on this machine: the lines for a question or a bug report.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace itomap {

struct BuildInfo {
  std::string version;
  std::vector<std::string> engines;
  int threads = 0;                   ///< that 0 stands for
  std::string simd;                  ///< "avx512", "avx2" or "baseline"
  std::size_t available_memory = 0;  ///< bytes
  std::string compiler;
  std::vector<std::pair<std::string, std::string>> libraries;  ///< name and version
};

BuildInfo build_info();

}  // namespace itomap
