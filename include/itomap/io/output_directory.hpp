// A directory that appears whole or not at all.
//
// Files are written into a hidden sibling of the target; commit() renames it into place in one step. Until then, and
// for ever if an error, a full disk or Ctrl-C comes between, the target is as it was before.
//
//   itomap::OutputDirectory out("result", /*force=*/false);   // throws IoError if it exists
//   write_npy(out.path("density.npy"), ...);
//   out.commit();
#pragma once

#include <filesystem>
#include <string>

namespace itomap {

class OutputDirectory {
 public:
  /// Checks that `target` can be created (or replaced, with force) and throws IoError if not; creates the hidden one.
  OutputDirectory(std::filesystem::path target, bool force);
  /// Removes everything unless committed.
  ~OutputDirectory();
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;

  /// Where to write `name`.
  std::string path(const std::string& name) const;

  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path staging_;
  bool force_;
  bool committed_ = false;
};

}  // namespace itomap
