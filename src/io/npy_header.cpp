#include "io/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "io/npy_dictionary.hpp"
#include "io/quote.hpp"
#include "io/shape.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

[[noreturn]] void truncated(const std::string& name) {
  throw IoError(fmt::format("{}: truncated inside its header; copy or save it again", name));
}

// "int64" for "<i8".
std::string dtype_name(std::string_view kind_and_size) {
  const std::string_view size = kind_and_size.substr(std::min<std::size_t>(1, kind_and_size.size()));
  std::size_t bytes = 0;
  std::from_chars(size.data(), size.data() + size.size(), bytes);
  switch (kind_and_size.empty() ? '?' : kind_and_size[0]) {
    case 'b':
      return "bool";
    case 'i':
      return fmt::format("int{}", 8 * bytes);
    case 'u':
      return fmt::format("uint{}", 8 * bytes);
    case 'f':
      return fmt::format("float{}", 8 * bytes);
    case 'c':
      return fmt::format("complex{}", 8 * bytes);
    case 'S':
    case 'U':
      return "text";
    case 'O':
      return "Python objects";
    case 'M':
    case 'm':
      return "dates or times";
    default:
      return "an unknown dtype";
  }
}

bool is_integer(std::string_view kind_and_size) {
  constexpr std::string_view known[] = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"};
  return std::find(std::begin(known), std::end(known), kind_and_size) != std::end(known);
}

void set_dtype(NpyHeader& header, std::string_view descr, const std::string& name, NpyKind kind) {
  const bool has_order = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
  const char order = has_order ? descr[0] : '=';
  const std::string_view kind_and_size = descr.substr(has_order ? 1 : 0);
  const bool whole = kind == NpyKind::Whole && is_integer(kind_and_size);
  if (!whole && kind_and_size != "f8" && kind_and_size != "f4") {
    throw IoError(fmt::format("{}: holds {} (dtype {}), not float64 or float32; save {} instead", name,
                              dtype_name(kind_and_size), quote(descr),
                              kind_and_size.starts_with('c') ? "array.real or array.imag" : "array.astype(float)"));
  }
  header.type = kind_and_size[0];
  header.item_size = static_cast<std::size_t>(kind_and_size[1] - '0');
  header.swapped = order == (std::endian::native == std::endian::little ? '>' : '<');
}

void set_shape(NpyHeader& header, std::vector<std::size_t> shape, const std::string& name) {
  if (shape.size() > most_dimensions) {
    throw IoError(
        fmt::format("{}: has {} axes, at most {} have a meaning; reshape it", name, shape.size(), most_dimensions));
  }
  const auto count = count_values(shape);
  if (!count) {
    throw IoError(fmt::format("{}: damaged .npy header: impossible shape {}; save it again", name, shape_text(shape)));
  }
  header.count = *count;
  header.shape = std::move(shape);
}

}  // namespace

void check_npy_start(Bytes file, const std::string& name) {
  if (!as_text(file).starts_with(magic)) {
    throw IoError(fmt::format("{}: is not a .npy file; check its name or save it again", name));
  }
  if (file.size() < 8) {
    truncated(name);
  }
  if (file[6] < std::byte{1} || file[6] > std::byte{3}) {
    throw IoError(fmt::format("{}: is .npy version {}.{}, known are 1.0 to 3.0; save it again with NumPy", name,
                              std::to_integer<int>(file[6]), std::to_integer<int>(file[7])));
  }
}

namespace {

// Version 1 gives the length of the dictionary in two bytes, the later ones in four.
Bytes dictionary_bytes(Bytes file, const std::string& name) {
  check_npy_start(file, name);
  const bool short_length = file[6] == std::byte{1};
  const std::size_t begin = short_length ? 10 : 12;
  if (file.size() < begin) {
    truncated(name);
  }
  const std::size_t length =
      short_length ? little_endian<std::uint16_t>(file, 8) : little_endian<std::uint32_t>(file, 8);
  if (length > file.size() - begin) {
    truncated(name);
  }
  return file.subspan(begin, length);
}

}  // namespace

NpyHeader parse_npy_header(Bytes file, const std::string& name, NpyKind kind) {
  const Bytes dictionary = dictionary_bytes(file, name);
  NpyDictionary fields = parse_npy_dictionary(as_text(dictionary), name);
  NpyHeader header;
  const bool pairs = kind == NpyKind::Complex && !fields.fortran_order && fields.descr.ends_with("c16");
  if (pairs) {
    fields.descr.replace(fields.descr.size() - 3, 3, "f8");
    fields.shape.push_back(2);
  }
  set_dtype(header, fields.descr, name, kind);
  set_shape(header, std::move(fields.shape), name);
  header.fortran_order = fields.fortran_order;
  header.data_offset = static_cast<std::size_t>(dictionary.data() + dictionary.size() - file.data());
  return header;
}

}  // namespace itomap::detail
