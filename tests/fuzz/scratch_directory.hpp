// Where the fuzz targets put files for readers that want a path: in memory, if the machine has a place for that.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

namespace itomap::fuzz {

/// A directory of this process alone, removed when it ends as it should.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    const std::filesystem::path memory = "/dev/shm";
    const auto place = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    std::string pattern = (place / "itomap-fuzz-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      std::abort();
    }
    path_ = pattern;
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline void write_file(const std::string& file, std::span<const char> content) {
  std::ofstream(file, std::ios::binary).write(content.data(), std::streamsize(content.size()));
}

}  // namespace itomap::fuzz
