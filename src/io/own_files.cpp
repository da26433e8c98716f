#include "io/own_files.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <system_error>
#include <vector>

#include "io/output_file.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/output_directory.hpp"

namespace itomap::detail {
namespace {

namespace fs = std::filesystem;

constexpr const char* heading = "# Written by itomap, which replaces these files and no others.\n";

struct Entry {
  std::string path;  // relative to the directory
  fs::file_type type;

  std::string listed() const { return type == fs::file_type::directory ? path + "/" : path; }
};

// Everything below the directory, links not followed, by the alphabet: folders before what is in them. What another
// program takes away meanwhile is not there.
std::vector<Entry> entries(const fs::path& directory) {
  std::vector<Entry> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (const fs::file_status status = entry.symlink_status(); fs::exists(status)) {
      found.push_back({entry.path().lexically_relative(directory).string(), status.type()});
    }
  }
  std::ranges::sort(found, {}, &Entry::path);
  return found;
}

class OwnFiles {
 public:
  explicit OwnFiles(const fs::path& directory) {
    const fs::path list = directory / own_files_list;
    std::error_code unreadable;
    if (!fs::is_regular_file(fs::symlink_status(list, unreadable))) {
      return;
    }
    std::ifstream lines(list);
    for (std::string line; std::getline(lines, line);) {
      listed_.insert(line);
    }
  }

  bool contains(const Entry& entry) const {
    const bool plain = entry.type == fs::file_type::regular;
    if (plain && entry.path == own_files_list) {
      return true;
    }
    return (plain || entry.type == fs::file_type::directory) && listed_.contains(entry.listed());
  }

 private:
  std::set<std::string> listed_;
};

}  // namespace

void list_own_files(const fs::path& directory) {
  std::string text = heading;
  for (const Entry& entry : entries(directory)) {
    text += entry.listed() + "\n";
  }
  write_text((directory / own_files_list).string(), text);
}

// One write at the end of the file, which the system does not tear apart; a line that an earlier one left unfinished
// stays alone.
void add_own_files(const fs::path& directory, std::span<const std::string> names) {
  const fs::path list = directory / own_files_list;
  std::string text = fs::exists(list) ? "\n" : heading;
  for (const std::string& name : names) {
    text += name + "\n";
  }
  std::ofstream file(list, std::ios::app);
  if (!(file << text).flush()) {
    throw IoError(list.string() + ": cannot be written");
  }
}

std::optional<std::string> find_stranger(const fs::path& directory) {
  const OwnFiles own(directory);
  for (const Entry& entry : entries(directory)) {
    if (!own.contains(entry)) {
      return entry.path;
    }
  }
  return std::nullopt;
}

std::optional<std::string> find_stranger(const fs::path& directory, std::span<const std::string> names) {
  const OwnFiles own(directory);
  for (const std::string& name : names) {
    std::error_code unreadable;
    const fs::file_status status = fs::symlink_status(directory / name, unreadable);
    if (fs::exists(status) && !own.contains({name, status.type()})) {
      return name;
    }
  }
  return std::nullopt;
}

void remove_own_files(const fs::path& directory) {
  const OwnFiles own(directory);
  std::vector<Entry> all = entries(directory);
  std::error_code ignored;  // a folder with something else in it stays
  for (auto entry = all.rbegin(); entry != all.rend(); ++entry) {
    if (own.contains(*entry)) {
      fs::remove(directory / entry->path, ignored);
    }
  }
  fs::remove(directory, ignored);
}

}  // namespace itomap::detail
