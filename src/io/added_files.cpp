#include "itomap/io/added_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <system_error>

#include "io/own_files.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& directory, const std::error_code& error) {
  throw IoError(fmt::format("{}: cannot be written to: {}", directory.string(), error.message()));
}

fs::path create_staging(const fs::path& directory) {
  std::random_device device;
  for (;;) {
    const fs::path staging =
        directory.parent_path() / fmt::format(".{}.partial-{:08x}", directory.filename().string(), device());
    std::error_code error;
    if (fs::create_directory(staging, error)) {
      return staging;
    }
    if (error) {
      cannot_write(directory, error);
    }
  }
}

}  // namespace

void check_no_stranger(const fs::path& directory, std::span<const std::string> names) {
  if (const auto stranger = find_stranger(directory, names)) {
    throw IoError(
        fmt::format("{}: is not on the list of what itomap wrote there ({}), and would be replaced; move it away or "
                    "write to another directory",
                    (directory / *stranger).string(), own_files_list));
  }
}

AddedFiles::AddedFiles(const fs::path& directory) {
  std::error_code error;
  directory_ = fs::canonical(directory, error);
  if (error) {
    cannot_write(directory, error);
  }
  staging_ = create_staging(directory_);
}

AddedFiles::~AddedFiles() {
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
}

std::string AddedFiles::path(const std::string& name) {
  if (std::ranges::find(names_, name) == names_.end()) {
    names_.push_back(name);
  }
  return (staging_ / name).string();
}

void AddedFiles::commit() {
  if (names_.empty()) {
    return;
  }
  check_no_stranger(directory_, names_);
  add_own_files(directory_, names_);
  std::error_code error;
  fs::remove(directory_ / names_.back(), error);
  for (const std::string& name : names_) {
    if (!error) {
      fs::rename(staging_ / name, directory_ / name, error);
    }
  }
  if (error) {
    cannot_write(directory_, error);
  }
  names_.clear();
}

}  // namespace itomap
