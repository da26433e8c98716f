#include "io/output_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "itomap/core/error.hpp"

namespace itomap::io {

namespace fs = std::filesystem;

OutputFiles::OutputFiles(fs::path directory) : directory_(std::move(directory)) {
  if (access(directory_.c_str(), W_OK | X_OK) != 0) {
    throw IoError(fmt::format("{}: cannot be written to; choose another directory with --out", directory_.string()));
  }
}

OutputFiles::~OutputFiles() {
  std::error_code ignored;
  for (const std::string& name : names_) fs::remove(hidden(name), ignored);
}

fs::path OutputFiles::hidden(const std::string& name) const {
  return directory_ / fmt::format(".{}.partial-{}", name, getpid());
}

std::string OutputFiles::path(const std::string& name) {
  names_.push_back(name);
  return hidden(name).string();
}

void OutputFiles::commit() {
  if (names_.empty()) return;
  std::error_code error;
  fs::remove(directory_ / names_.back(), error);
  for (std::size_t k = 0; k < names_.size() && !error; ++k)
    fs::rename(hidden(names_[k]), directory_ / names_[k], error);
  if (error) throw IoError(fmt::format("{}: files cannot be put into place: {}", directory_.string(), error.message()));
  names_.clear();
}

}  // namespace itomap::io
