// Writing .npy files, version 1.0.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "io/npy_rows.hpp"
#include "io/output_file.hpp"
#include "io/shape.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap {
using namespace detail;
namespace {

// Python's spelling of a tuple: "()", "(3,)", "(3, 2)".
std::string tuple_text(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t length : shape) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", length) + ",";
  }
  if (shape.size() > 1) {
    text.pop_back();
  }
  return "(" + text + ")";
}

void check_shape(const std::string& file, std::size_t values, const std::vector<std::size_t>& shape) {
  if (count_values(shape) != values) {
    throw InvalidArgument(
        fmt::format("{}: {} values do not fill an array of shape {}", file, values, shape_text(shape)));
  }
}

void write_whole(const std::string& file, const char* kind, Bytes values, const std::vector<std::size_t>& shape) {
  OutputFile output(file);
  output.write(npy_header(kind, shape));
  output.write(values);
  output.close();
}

}  // namespace

std::string detail::npy_header(const std::string& kind, const std::vector<std::size_t>& shape) {
  const char order = std::endian::native == std::endian::little ? '<' : '>';
  std::string dictionary =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}", order, kind, tuple_text(shape));
  constexpr std::size_t preamble = 10;
  const std::size_t unpadded = preamble + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ').push_back('\n');
  const auto length = static_cast<std::uint16_t>(dictionary.size());
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xFFU) + static_cast<char>(length >> 8U) +
         dictionary;
}

void write_npy(const std::string& file, std::span<const double> values, const std::vector<std::size_t>& shape) {
  check_shape(file, values.size(), shape);
  write_whole(file, "f8", std::as_bytes(values), shape);
}

void write_npy_integers(const std::string& file, std::span<const std::int64_t> values,
                        const std::vector<std::size_t>& shape) {
  check_shape(file, values.size(), shape);
  write_whole(file, "i8", std::as_bytes(values), shape);
}

void write_npy_complex(const std::string& file, std::span<const double> re, std::span<const double> im,
                       const std::vector<std::size_t>& shape) {
  check_shape(file, re.size(), shape);
  check_shape(file, im.size(), shape);
  OutputFile output(file);
  output.write(npy_header("c16", shape));
  std::array<double, 8192> pairs;
  for (std::size_t begin = 0; begin < re.size(); begin += pairs.size() / 2) {
    const std::size_t count = std::min(pairs.size() / 2, re.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      pairs[2 * i] = re[begin + i];
      pairs[2 * i + 1] = im[begin + i];
    }
    output.write(std::as_bytes(std::span(pairs).first(2 * count)));
  }
  output.close();
}

}  // namespace itomap
