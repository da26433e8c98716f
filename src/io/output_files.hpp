// Files added to a directory that holds others: all of them appear, or none.
//
// They are written under hidden names beside their places; commit() renames them. What an error or Ctrl-C leaves
// uncommitted is removed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace itomap::io {

class OutputFiles {
 public:
  /// Throws IoError if nothing can be written into the directory.
  explicit OutputFiles(std::filesystem::path directory);
  ~OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  /// Where to write what will be `name`.
  std::string path(const std::string& name);

  /// Renames in the order of the calls of path(): the last file is there only if all are. An older file of that last
  /// name goes first, so that it never stands beside newer ones.
  void commit();

 private:
  std::filesystem::path hidden(const std::string& name) const;

  std::filesystem::path directory_;
  std::vector<std::string> names_;
};

}  // namespace itomap::io
