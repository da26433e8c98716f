// A directory that appears whole or not at all.
//
// Files are written into a hidden sibling of the target; commit() renames it into place in one step. Until then, and
// for ever if an error, a full disk or Ctrl-C comes between, the target is as it was before. commit() also leaves a
// list of what was written, .itomap-files: with force a directory is replaced if all that it holds is on its list, or
// if it is empty; one that holds anything else is never touched.
//
//   itomap::OutputDirectory out("result", /*force=*/false);   // throws IoError if it exists
//   write_npy(out.path("density.npy"), ...);
//   out.commit();
#pragma once

#include <filesystem>
#include <string>

namespace itomap {

/// A small text file in one call. Throws IoError if it cannot be written to its last byte.
void write_text(const std::string& file, const std::string& text);

class OutputDirectory {
 public:
  /// Checks that `target` can be created (or replaced, with force) and throws IoError if not; creates the hidden one.
  OutputDirectory(const std::filesystem::path& target, bool force);
  /// Removes everything unless committed.
  ~OutputDirectory();
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;

  /// Where to write `name`; where it lies, once committed.
  std::string path(const std::string& name) const;

  /// Puts everything into place, the missing directories above included. IoError leaves all as it was.
  void commit();

 private:
  void remove_staging() noexcept;
  void discard_replaced() noexcept;

  std::string name_;               // as the caller spelled it, for messages
  std::filesystem::path target_;   // absolute, links resolved
  std::filesystem::path staging_;  // empty once committed
  bool force_;
};

}  // namespace itomap
