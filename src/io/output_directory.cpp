#include "itomap/io/output_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <system_error>
#include <vector>

#include "io/own_files.hpp"
#include "io/quote.hpp"
#include "io/rename.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_create(const std::string& name, const std::error_code& error) {
  throw IoError(fmt::format("output directory '{}' cannot be created: {}", name, error.message()));
}

// Links resolved and made absolute: what is replaced is the directory itself, wherever the program goes meanwhile.
fs::path resolve(const fs::path& target, const std::string& name) {
  if (target.empty()) {
    throw IoError("output directory has an empty name; name one");
  }
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(fs::absolute(target, error), error);
  if (error) {
    cannot_create(name, error);
  }
  return resolved.has_filename() ? resolved : resolved.parent_path();
}

bool contains(const fs::path& directory, const fs::path& other) {
  return std::mismatch(directory.begin(), directory.end(), other.begin(), other.end()).first == directory.end();
}

void check_replaceable(const fs::path& target, const std::string& name) {
  std::error_code error;
  if (contains(target, fs::current_path(error))) {
    throw IoError(fmt::format("output directory '{}' is where you are working; choose another", name));
  }
  if (const auto stranger = find_stranger(target)) {
    throw IoError(fmt::format(
        "output directory '{}' holds {}, which is not on its list of what itomap wrote ({}), and nothing else "
        "is replaced; move it away or choose another directory",
        name, quote(*stranger), own_files_list));
  }
}

void check_target(const fs::path& target, bool force, const std::string& name) {
  const fs::file_status status = fs::symlink_status(target);
  if (!fs::exists(status)) {
    return;
  }
  if (!fs::is_directory(status)) {
    throw IoError(fmt::format("output directory '{}' is a file; choose another name", name));
  }
  if (!force) {
    throw OutputExists(fmt::format("output directory '{}' exists; choose another or allow it to be replaced", name));
  }
  check_replaceable(target, name);
}

fs::path nearest_existing(fs::path path) {
  while (!fs::exists(path) && path.has_relative_path()) {
    path = path.parent_path();
  }
  return path;
}

std::string random_suffix() {
  constexpr char alphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device device;
  std::string suffix(6, ' ');
  for (char& c : suffix) {
    c = alphabet[device() % (sizeof(alphabet) - 1)];
  }
  return suffix;
}

// A new directory `parent`/`prefix``suffix`, with the permissions that a plain mkdir gives.
fs::path create_unique(const fs::path& parent, const std::string& prefix, const std::string& name) {
  for (;;) {
    const fs::path candidate = parent / (prefix + random_suffix());
    std::error_code error;
    if (fs::create_directory(candidate, error)) {
      return candidate;
    }
    if (error) {
      cannot_create(name, error);
    }
  }
}

// Makes the missing directories above the target, and takes them away again unless told to keep them.
class MissingParents {
 public:
  explicit MissingParents(const fs::path& path) {
    for (fs::path missing = path; !fs::exists(missing); missing = missing.parent_path()) {
      made_.push_back(missing);
    }
  }
  MissingParents(const MissingParents&) = delete;
  MissingParents& operator=(const MissingParents&) = delete;
  ~MissingParents() {
    std::error_code ignored;  // remove() leaves alone what somebody else has filled meanwhile
    for (const fs::path& directory : made_) {
      fs::remove(directory, ignored);
    }
  }

  void make() const {
    if (!made_.empty()) {
      fs::create_directories(made_.front());
    }
  }
  void keep() { made_.clear(); }

 private:
  std::vector<fs::path> made_;  // innermost first
};

// Afterwards `staging` is gone, or holds what `target` held before.
std::error_code put_into_place(const fs::path& staging, const fs::path& target) {
  if (fs::exists(target)) {
    return exchange(staging, target);
  }
  MissingParents parents(target.parent_path());
  parents.make();
  const std::error_code error = rename_new(staging, target);
  if (!error) {
    parents.keep();
  }
  return error;
}

fs::path create_staging(const fs::path& target, const std::string& name) {
  constexpr std::size_t longest = 200;  // of the name, so that the suffix fits into the 255 bytes of a file name
  const std::string prefix = "." + target.filename().string().substr(0, longest) + ".partial-";
  return create_unique(nearest_existing(target.parent_path()), prefix, name);
}

}  // namespace

OutputDirectory::OutputDirectory(const fs::path& target, bool force)
    : name_(target.string()), target_(resolve(target, name_)), force_(force) {
  try {
    check_target(target_, force_, name_);
    staging_ = create_staging(target_, name_);
  } catch (const fs::filesystem_error& error) {
    cannot_create(name_, error.code());
  }
}

OutputDirectory::~OutputDirectory() { remove_staging(); }

std::string OutputDirectory::path(const std::string& name) const {
  return ((staging_.empty() ? target_ : staging_) / name).string();
}

void OutputDirectory::commit() {
  if (staging_.empty()) {
    return;
  }
  try {
    list_own_files(staging_);
    check_target(target_, force_, name_);
    if (const std::error_code error = put_into_place(staging_, target_)) {
      cannot_create(name_, error);
    }
  } catch (const fs::filesystem_error& error) {
    cannot_create(name_, error.code());
  }
  discard_replaced();
}

// What was replaced has been looked through, but whatever came into it since then is not for us to remove.
void OutputDirectory::discard_replaced() noexcept {
  try {
    if (fs::exists(staging_)) {
      remove_own_files(staging_);
    }
  } catch (const fs::filesystem_error&) {
  }
  staging_.clear();
}

void OutputDirectory::remove_staging() noexcept {
  std::error_code ignored;
  if (!staging_.empty()) {
    fs::remove_all(staging_, ignored);
  }
  staging_.clear();
}

}  // namespace itomap
