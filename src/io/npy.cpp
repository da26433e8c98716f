#include "io/npy.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "io/npy_header.hpp"
#include "io/shape.hpp"
#include "io/values.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

bool can_share(const NpyHeader& header, Bytes data) {
  const bool contiguous = !header.fortran_order || header.shape.size() < 2;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data.data()) % alignof(double) == 0;
  const bool doubles = header.type == 'f' && header.item_size == sizeof(double);
  return doubles && !header.swapped && contiguous && aligned;
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

using Convert = void (*)(const NpyHeader&, Bytes, double*);

template <class One, class Two, class Four, class Eight>
Convert by_size(std::size_t size) {
  return size == 1 ? convert<One> : size == 2 ? convert<Two> : size == 4 ? convert<Four> : convert<Eight>;
}

void convert_any(const NpyHeader& header, Bytes data, double* values) {
  const std::size_t size = header.item_size;
  const Convert chosen = header.type == 'f' ? by_size<float, float, float, double>(size)
                         : header.type == 'i'
                             ? by_size<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(size)
                             : by_size<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(size);
  chosen(header, data, values);
}

std::shared_ptr<const double> converted(const NpyHeader& header, Bytes data, const std::string& name) {
  const std::shared_ptr<double[]> values = new_values(header.count, name);
  convert_any(header, data, values.get());
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

namespace {

Array parse_values(const NpyHeader& header, const SharedBytes& file, const std::string& name) {
  const Bytes data = npy_data(file.bytes, header, name);
  if (!can_share(header, data)) {
    return {header.shape, converted(header, data, name), name, header.type == 'b'};
  }
  return {header.shape, {file.owner, reinterpret_cast<const double*>(data.data())}, name};
}

}  // namespace

Array parse_npy(const SharedBytes& file, const std::string& name, NpyKind kind) {
  return parse_values(parse_npy_header(file.bytes, name, kind), file, name);
}

Array parse_npy_complex(const SharedBytes& file, const std::string& name) {
  return parse_values(parse_npy_header(file.bytes, name, NpyKind::Complex), file, name);
}

}  // namespace itomap::detail
