#include "itomap/io/output_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <system_error>
#include <vector>

#include "io/rename.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_create(const std::string& name, const std::error_code& error) {
  throw IoError(fmt::format("output directory '{}' cannot be created: {}", name, error.message()));
}

// Links resolved and made absolute: what is replaced is the directory itself, wherever the program goes meanwhile.
fs::path resolve(const fs::path& target, const std::string& name) {
  if (target.empty()) throw IoError("output directory has an empty name; name one");
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(fs::absolute(target, error), error);
  if (error) cannot_create(name, error);
  return resolved.has_filename() ? resolved : resolved.parent_path();
}

bool contains(const fs::path& directory, const fs::path& other) {
  return std::mismatch(directory.begin(), directory.end(), other.begin(), other.end()).first == directory.end();
}

bool plain_files_only(const fs::path& directory) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    if (entry.symlink_status().type() != fs::file_type::regular) return false;
  }
  return true;
}

// A run of the paper's examples: verdict.json and folders of plain files, nothing else.
bool is_reproduction(const fs::path& directory) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const bool folder = entry.symlink_status().type() == fs::file_type::directory;
    const bool ours = folder ? plain_files_only(entry.path()) : entry.path().filename() == "verdict.json";
    if (!ours) return false;
  }
  return fs::is_regular_file(directory / "verdict.json");
}

// Nothing but plain files, one of ours among them: a home or project directory is no result, whatever lies in it.
bool is_result(const fs::path& directory) {
  if (is_reproduction(directory)) return true;
  if (!plain_files_only(directory)) return false;
  constexpr std::array ours{"result.json", "cluster.json", "average.json", "committor.json"};
  return std::ranges::any_of(ours, [&](const char* name) { return fs::exists(directory / name); });
}

void check_replaceable(const fs::path& target, const std::string& name) {
  std::error_code error;
  if (contains(target, fs::current_path(error))) {
    throw IoError(fmt::format("output directory '{}' is where you are working; choose another", name));
  }
  if (!fs::is_empty(target) && !is_result(target)) {
    throw IoError(fmt::format(
        "output directory '{}' holds other things than a result, --force replaces only results; choose another", name));
  }
}

void check_target(const fs::path& target, bool force, const std::string& name) {
  const fs::file_status status = fs::symlink_status(target);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) {
    throw IoError(fmt::format("output directory '{}' is a file; choose another name", name));
  }
  if (!force) throw IoError(fmt::format("output directory '{}' exists; choose another or add --force", name));
  check_replaceable(target, name);
}

fs::path nearest_existing(fs::path path) {
  while (!fs::exists(path) && path.has_relative_path()) path = path.parent_path();
  return path;
}

std::string random_suffix() {
  constexpr char alphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device device;
  std::string suffix(6, ' ');
  for (char& c : suffix) c = alphabet[device() % (sizeof(alphabet) - 1)];
  return suffix;
}

// A new directory `parent`/`prefix``suffix`, with the permissions that a plain mkdir gives.
fs::path create_unique(const fs::path& parent, const std::string& prefix, const std::string& name) {
  for (;;) {
    const fs::path candidate = parent / (prefix + random_suffix());
    std::error_code error;
    if (fs::create_directory(candidate, error)) return candidate;
    if (error) cannot_create(name, error);
  }
}

// Makes the missing directories above the target, and takes them away again unless told to keep them.
class MissingParents {
 public:
  explicit MissingParents(const fs::path& path) {
    for (fs::path missing = path; !fs::exists(missing); missing = missing.parent_path()) made_.push_back(missing);
  }
  MissingParents(const MissingParents&) = delete;
  MissingParents& operator=(const MissingParents&) = delete;
  ~MissingParents() {
    std::error_code ignored;  // remove() leaves alone what somebody else has filled meanwhile
    for (const fs::path& directory : made_) fs::remove(directory, ignored);
  }

  void make() const {
    if (!made_.empty()) fs::create_directories(made_.front());
  }
  void keep() { made_.clear(); }

 private:
  std::vector<fs::path> made_;  // innermost first
};

// Afterwards `staging` is gone, or holds what `target` held before.
std::error_code put_into_place(const fs::path& staging, const fs::path& target) {
  if (fs::exists(target)) return io::exchange(staging, target);
  MissingParents parents(target.parent_path());
  parents.make();
  const std::error_code error = io::rename_new(staging, target);
  if (!error) parents.keep();
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
  if (staging_.empty()) return;
  try {
    check_target(target_, force_, name_);
    if (const std::error_code error = put_into_place(staging_, target_)) cannot_create(name_, error);
  } catch (const fs::filesystem_error& error) {
    cannot_create(name_, error.code());
  }
  remove_staging();
}

void OutputDirectory::remove_staging() noexcept {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
  staging_.clear();
}

}  // namespace itomap
