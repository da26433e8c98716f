#include "itomap/io/row_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "io/descriptor.hpp"
#include "io/npy.hpp"
#include "io/npy_header.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap {
using namespace detail;
namespace {

/// As long as any header of an array of at most three axes.
constexpr std::size_t most_header = 4096;

/// A file of rows of numbers, all of the same size.
class NpyFile {
 public:
  NpyFile(std::string name, Descriptor descriptor, NpyHeader header)
      : name_(std::move(name)), descriptor_(std::move(descriptor)), header_(std::move(header)) {}

  Index rows() const { return Index(header_.shape[0]); }
  Index cols() const { return header_.shape[0] == 0 ? 0 : Index(header_.count / header_.shape[0]); }

  void read(Index begin, Index end, double* out) const {
    const auto numbers = std::size_t((end - begin) * cols());
    const std::size_t offset = header_.data_offset + std::size_t(begin * cols()) * header_.item_size;
    if (header_.item_size == sizeof(double) && !header_.swapped) {
      return fill(reinterpret_cast<std::byte*>(out), numbers * sizeof(double), offset);
    }
    std::vector<std::byte> raw(numbers * header_.item_size);
    fill(raw.data(), raw.size(), offset);
    for (std::size_t k = 0; k < numbers; ++k) {
      const std::byte* from = raw.data() + k * header_.item_size;
      out[k] = header_.item_size == sizeof(float) ? double(load<float>(from, header_.swapped))
                                                  : load<double>(from, header_.swapped);
    }
  }

 private:
  void fill(std::byte* to, std::size_t size, std::size_t offset) const {
    while (size > 0) {
      const ssize_t count = ::pread(descriptor_.get(), to, size, static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        throw IoError(fmt::format("{}: cannot be read: {}", name_, count < 0 ? last_error() : "it became shorter"));
      }
      to += count;
      size -= std::size_t(count);
      offset += std::size_t(count);
    }
  }

  std::string name_;
  Descriptor descriptor_;
  NpyHeader header_;
};

/// Nothing if it is none that can be read row by row: others say what is wrong with it.
std::shared_ptr<const NpyFile> opened_npy(const std::string& file) {
  struct stat status {};
  // Asked before it is opened: a pipe would wait for somebody who writes, and lose what it has read when it is closed.
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return nullptr;
  }
  Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.valid() || ::fstat(descriptor.get(), &status) != 0) {
    return nullptr;
  }
  std::vector<std::byte> start(std::min(most_header, std::size_t(status.st_size)));
  const ssize_t count = ::pread(descriptor.get(), start.data(), start.size(), 0);
  if (count < 0) {
    return nullptr;
  }
  start.resize(std::size_t(count));
  NpyHeader header = parse_npy_header(start, file);
  const bool whole = header.data_offset + header.count * header.item_size == std::size_t(status.st_size);
  if (!whole || header.fortran_order || header.shape.empty() || header.shape.size() > 2) {
    return nullptr;
  }
  return std::make_shared<const NpyFile>(file, std::move(descriptor), std::move(header));
}

}  // namespace

Trajectory open_rows(const std::string& file) {
  if (std::filesystem::path(file).extension() == ".npy") {
    if (const auto npy = opened_npy(file)) {
      const auto read = [npy](Index begin, Index end, double* out) { npy->read(begin, end, out); };
      return {read, npy->rows(), npy->cols(), file};
    }
  }
  const Array array = read_array(file);
  return {array.data, array.as_points().rows(), array.as_points().cols(), file};
}

}  // namespace itomap
