#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "io/descriptor.hpp"
#include "io/values.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

struct OpenFile {
  Descriptor descriptor;
  struct stat status;
};

[[noreturn]] void cannot_read(const std::string& name) {
  if (errno == ENOENT) {
    throw IoError(fmt::format("{}: no such file; check the path", name));
  }
  throw IoError(fmt::format("{}: cannot be read: {}", name, last_error()));
}

OpenFile open_file(const std::string& file, const std::string& name) {
  OpenFile open{Descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC)), {}};
  if (!open.descriptor.valid() || ::fstat(open.descriptor.get(), &open.status) != 0) {
    cannot_read(name);
  }
  if (S_ISDIR(open.status.st_mode)) {
    throw IoError(fmt::format("{}: is a directory; name a file in it", name));
  }
  return open;
}

SharedBytes map_file(const OpenFile& open, const std::string& name) {
  const auto size = static_cast<std::size_t>(open.status.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, open.descriptor.get(), 0);
  if (address == MAP_FAILED) {
    cannot_read(name);
  }
  const auto unmap = [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); };
  return {std::shared_ptr<const void>(address, unmap), Bytes(static_cast<const std::byte*>(address), size)};
}

// Fills `buffer` from `used` on; the number of bytes read, 0 at the end of the file.
std::size_t read_some(const OpenFile& open, std::vector<std::byte>& buffer, std::size_t used, const std::string& name) {
  ssize_t count = -1;
  do {
    count = ::read(open.descriptor.get(), buffer.data() + used, buffer.size() - used);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    cannot_read(name);
  }
  return static_cast<std::size_t>(count);
}

// Reads to the end, not to the size that was promised: pipes promise none.
SharedBytes read_file(const OpenFile& open, const std::string& name, CheckStart check_start) {
  constexpr std::size_t start = 4096;
  const std::size_t promised = S_ISREG(open.status.st_mode) ? static_cast<std::size_t>(open.status.st_size) : 0;
  auto buffer = std::make_shared<std::vector<std::byte>>(promised + start);
  std::size_t used = 0;
  while (const std::size_t count = read_some(open, *buffer, used, name)) {
    used += count;
    if (used < buffer->size()) {
      continue;
    }
    if (used == start) {
      check_start(*buffer, name);
    }
    require_memory(2 * used, name);
    buffer->resize(2 * used);
  }
  return {buffer, Bytes(*buffer).first(used)};
}

}  // namespace

SharedBytes load_file(const std::string& file, const std::string& name, CheckStart check_start) {
  const OpenFile open = open_file(file, name);
  const bool large = S_ISREG(open.status.st_mode) && static_cast<std::size_t>(open.status.st_size) >= map_threshold;
  return large ? map_file(open, name) : read_file(open, name, check_start);
}

void check_readable(const std::string& file, const std::string& name) { open_file(file, name); }

// Asked before it is opened: opening a pipe waits for somebody who writes.
void check_regular(const std::string& file, const std::string& name) {
  struct stat status {};
  const bool known = ::stat(file.c_str(), &status) == 0;
  if (known && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    throw IoError(fmt::format("{}: is a pipe or a device, which HDF5 cannot read; copy it to a file", name));
  }
  check_readable(file, name);
}

}  // namespace itomap::detail
