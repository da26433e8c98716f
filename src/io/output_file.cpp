#include "io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include "itomap/core/error.hpp"
#include "itomap/io/output_directory.hpp"

namespace itomap::detail {

OutputFile::OutputFile(std::string file)
    : file_(std::move(file)), descriptor_(::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (!descriptor_.valid()) {
    fail();
  }
}

void OutputFile::write(Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail();
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void OutputFile::close() {
  if (!descriptor_.close()) {
    fail();
  }
}

void OutputFile::fail() const { throw IoError(fmt::format("{}: cannot be written: {}", file_, last_error())); }

}  // namespace itomap::detail

void itomap::write_text(const std::string& file, const std::string& text) {
  detail::OutputFile output(file);
  output.write(text);
  output.close();
}
