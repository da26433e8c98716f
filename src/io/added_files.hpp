// Files that join a directory that exists: all of them, each whole, or none.
//
// They are written into a hidden sibling and renamed into place by commit(), the last one named last: where that one
// is, the others belong to it. An earlier last file is removed first, so that it never stands beside files of another
// run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace itomap::io {

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

  void commit();

 private:
  std::filesystem::path directory_;
  std::filesystem::path staging_;
  std::vector<std::string> names_;
};

}  // namespace itomap::io
