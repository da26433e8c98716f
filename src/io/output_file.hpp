// A file being written, with every write and the close checked: a full disk must never look like success.
#pragma once

#include <string>
#include <string_view>

#include "io/bytes.hpp"
#include "io/descriptor.hpp"

namespace itomap::detail {

class OutputFile {
 public:
  /// Creates or truncates `file`; IoError if that is not possible.
  explicit OutputFile(std::string file);

  void write(Bytes bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// To be called last; without it, errors that the system reports on closing are lost.
  void close();

 private:
  [[noreturn]] void fail() const;

  std::string file_;
  Descriptor descriptor_;
};

}  // namespace itomap::detail
