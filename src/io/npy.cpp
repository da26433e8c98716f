#include "io/npy.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "io/npy_header.hpp"
#include "io/shape.hpp"
#include "io/values.hpp"
#include "itomap/core/error.hpp"

namespace itomap::io {
namespace {

bool can_share(const NpyHeader& header, Bytes data) {
  const bool contiguous = !header.fortran_order || header.shape.size() < 2;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data.data()) % alignof(double) == 0;
  return header.item_size == sizeof(double) && !header.swapped && contiguous && aligned;
}

// Values in C order, read one by one from either order: axis lengths a, b, c, the missing ones 1.
template <class Number>
void convert(const NpyHeader& header, Bytes data, double* values) {
  std::size_t lengths[most_dimensions] = {1, 1, 1};
  std::copy(header.shape.begin(), header.shape.end(), lengths);
  const auto [a, b, c] = lengths;
  const bool fortran = header.fortran_order;
  for (std::size_t i = 0; i < a; ++i) {
    for (std::size_t j = 0; j < b; ++j) {
      for (std::size_t k = 0; k < c; ++k) {
        const std::size_t position = fortran ? i + a * (j + b * k) : (i * b + j) * c + k;
        *values++ = static_cast<double>(load<Number>(data.data() + position * sizeof(Number), header.swapped));
      }
    }
  }
}

std::shared_ptr<const double> converted(const NpyHeader& header, Bytes data, const std::string& name) {
  const std::shared_ptr<double[]> values = new_values(header.count, name);
  if (header.item_size == sizeof(float)) {
    convert<float>(header, data, values.get());
  } else {
    convert<double>(header, data, values.get());
  }
  return {values, values.get()};
}

}  // namespace

// Before anything is allocated: a lying header must not cost memory.
Bytes npy_data(Bytes file, const NpyHeader& header, const std::string& name) {
  const std::size_t expected = header.count * header.item_size;
  const std::size_t found = file.size() - header.data_offset;
  if (found < expected) {
    throw IoError(fmt::format("{}: truncated: {} bytes of data expected for {}, {} found; copy or save it again", name,
                              expected, shape_text(header.shape), found));
  }
  if (found > expected) {
    throw IoError(fmt::format("{}: {} bytes after the end of its data ({}); save one array per file", name,
                              found - expected, shape_text(header.shape)));
  }
  return file.subspan(header.data_offset);
}

Array parse_npy(const SharedBytes& file, const std::string& name) {
  const NpyHeader header = parse_npy_header(file.bytes, name);
  const Bytes data = npy_data(file.bytes, header, name);
  if (!can_share(header, data)) return {header.shape, converted(header, data, name), name};
  return {header.shape, {file.owner, reinterpret_cast<const double*>(data.data())}, name};
}

}  // namespace itomap::io
