#include "io/npy_rows.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <utility>

#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

std::string kind_of(bool complex, FloatWidth width) {
  const bool single = width == FloatWidth::Single;
  return complex ? (single ? "c8" : "c16") : (single ? "f4" : "f8");
}

std::vector<std::size_t> shape_of(Index rows, Index cols) {
  std::vector<std::size_t> shape{std::size_t(rows)};
  if (cols > 0) {
    shape.push_back(std::size_t(cols));
  }
  return shape;
}

}  // namespace

NpyRows::NpyRows(std::string file, Index rows, Index cols, bool complex, FloatWidth width, bool create)
    : file_(std::move(file)),
      width_(width),
      numbers_a_row_(std::size_t(std::max<Index>(cols, 1)) * (complex ? 2 : 1)),
      data_offset_(0),
      descriptor_(::open(file_.c_str(), O_WRONLY | O_CLOEXEC | (create ? O_CREAT | O_TRUNC : 0), 0666)) {
  if (!descriptor_.valid()) {
    fail();
  }
  const std::string header = npy_header(kind_of(complex, width), shape_of(rows, cols));
  data_offset_ = header.size();
  if (create) {
    write_bytes(header.data(), header.size(), 0);
  }
}

void NpyRows::write(Index first, PointsView re) const {
  const Points rows = re;
  write_numbers(first, {rows.data(), rows.data() + rows.size()});
}

void NpyRows::write(Index first, PointsView re, PointsView im) const {
  std::vector<double> numbers;
  numbers.reserve(2 * std::size_t(re.size()));
  for (Index i = 0; i < re.rows(); ++i) {
    for (Index j = 0; j < re.cols(); ++j) {
      numbers.push_back(re(i, j));
      numbers.push_back(im(i, j));
    }
  }
  write_numbers(first, numbers);
}

void NpyRows::write_numbers(Index first, const std::vector<double>& numbers) const {
  const std::size_t place = std::size_t(first) * numbers_a_row_;
  if (width_ == FloatWidth::Double) {
    return write_bytes(numbers.data(), numbers.size() * sizeof(double), data_offset_ + place * sizeof(double));
  }
  const std::vector<float> rounded(numbers.begin(), numbers.end());
  write_bytes(rounded.data(), rounded.size() * sizeof(float), data_offset_ + place * sizeof(float));
}

void NpyRows::write_bytes(const void* bytes, std::size_t size, std::size_t offset) const {
  const auto* from = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t count = ::pwrite(descriptor_.get(), from, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail();
    }
    from += count;
    size -= static_cast<std::size_t>(count);
    offset += static_cast<std::size_t>(count);
  }
}

void NpyRows::close() {
  if (!descriptor_.close()) {
    fail();
  }
}

void NpyRows::fail() const { throw IoError(fmt::format("{}: cannot be written: {}", file_, last_error())); }

}  // namespace itomap::detail
