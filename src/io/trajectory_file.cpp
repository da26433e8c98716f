#include "itomap/io/trajectory_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "io/mapped_file.hpp"
#include "io/npy.hpp"
#include "io/npy_header.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap {
using namespace detail;
namespace {

Index product_from(const std::vector<std::size_t>& shape, std::size_t axis) {
  std::size_t product = 1;
  for (; axis < shape.size(); ++axis) {
    product *= shape[axis];
  }
  return static_cast<Index>(product);
}

void check_shape(const std::string& file, const std::vector<std::size_t>& shape) {
  if (shape.empty() || product_from(shape, 0) == 0) {
    throw IoError(fmt::format("{}: holds no frames; a trajectory is frames x N", file));
  }
  if (shape.size() == 3 && shape[2] != 3) {
    throw IoError(fmt::format("{}: {} values a frame in {} rows; a trajectory is frames x N or frames x atoms x 3",
                              file, product_from(shape, 1), shape[1]));
  }
}

Trajectory float32_trajectory(const SharedBytes& bytes, const NpyHeader& header, const std::string& file) {
  const Index dimension = product_from(header.shape, 1);
  const Bytes data = npy_data(bytes.bytes, header, file);
  const auto read = [owner = bytes.owner, data, dimension, swapped = header.swapped](Index begin, Index end,
                                                                                     double* out) {
    const std::byte* from = data.data() + begin * dimension * Index{sizeof(float)};
    for (Index k = 0; k < (end - begin) * dimension; ++k, from += sizeof(float)) {
      *out++ = static_cast<double>(load<float>(from, swapped));
    }
  };
  return {read, static_cast<Index>(header.shape[0]), dimension, file};
}

}  // namespace

Trajectory open_trajectory(const std::string& file) {
  const bool npy = std::filesystem::path(file).extension() == ".npy";
  const SharedBytes bytes = npy ? load_file(file, file, check_npy_start) : SharedBytes{};
  if (npy) {
    const NpyHeader header = parse_npy_header(bytes.bytes, file);
    check_shape(file, header.shape);
    if (header.item_size == sizeof(float) && !header.fortran_order) {
      return float32_trajectory(bytes, header, file);
    }
  }
  const Array array = npy ? parse_npy(bytes, file) : read_array(file);
  check_shape(file, array.shape);
  return {array.data, array.as_points().rows(), array.as_points().cols(), file};
}

}  // namespace itomap
