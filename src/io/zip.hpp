// Zip archives, as far as .npz files need them: the only file pair that knows libzip.
//
// libzip finds its way through the archive, unpacks, and compares checksums. Sizes that a member claims are compared
// with what the file can hold before memory is taken for them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "io/bytes.hpp"

struct zip;  // of libzip

namespace itomap::detail {

/// Version of the library in use.
const char* zip_library();

/// Throws IoError unless an archive can begin like this, with a member or, if it is empty, with its end.
void check_zip_start(Bytes start, const std::string& archive_name);

class ZipArchive {
 public:
  /// `name` is for messages. IoError if it is not a whole zip archive.
  ZipArchive(SharedBytes file, std::string name);

  /// Names of the members in the order of the directory.
  const std::vector<std::string>& members() const { return members_; }

  /// The bytes of a member, its checksum verified. IoError if it is damaged, encrypted or packed in a strange way.
  SharedBytes unpack(std::size_t member) const;

 private:
  struct Close {
    void operator()(::zip* archive) const;
  };

  std::size_t checked_size(std::size_t member) const;
  [[noreturn]] void damaged(std::size_t member, const char* what) const;

  SharedBytes file_;
  std::string name_;
  std::unique_ptr<::zip, Close> archive_;
  std::vector<std::string> members_;
};

}  // namespace itomap::detail
