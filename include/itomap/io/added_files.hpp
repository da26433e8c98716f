// Files that join a directory that exists: all of them, each whole, or none.
//
// They are written into a hidden sibling and renamed into place by commit(), the last one named last: where that one
// is, the others belong to it. An earlier last file is removed first, so that it never stands beside files of another
// run. Files of the same names that itomap did not write are never replaced.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace itomap {

/// Throws IoError if the directory holds a file of one of these names that itomap did not write.
void check_no_stranger(const std::filesystem::path& directory, std::span<const std::string> names);

class AddedFiles {
 public:
  /// IoError if nothing can be written beside `directory`.
  explicit AddedFiles(const std::filesystem::path& directory);
  /// Removes what was not committed.
  ~AddedFiles();
  AddedFiles(const AddedFiles&) = delete;
  AddedFiles& operator=(const AddedFiles&) = delete;

  /// Where to write `name`.
  std::string path(const std::string& name);

  /// IoError, and nothing is changed, if a stranger is in the way.
  void commit();

 private:
  std::filesystem::path directory_;
  std::filesystem::path staging_;
  std::vector<std::string> names_;
};

}  // namespace itomap
