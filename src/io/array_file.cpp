#include "itomap/io/array_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>
#include <new>
#include <numeric>
#include <string_view>

#include "io/csv.hpp"
#include "io/hdf5_file.hpp"
#include "io/mapped_file.hpp"
#include "io/npy.hpp"
#include "io/npz.hpp"
#include "io/quote.hpp"
#include "io/read_array.hpp"
#include "io/shape.hpp"
#include "io/zip.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

enum class Format { Npy, Npz, Text, Hdf5 };

struct Extension {
  std::string_view text;
  Format format;
};

constexpr std::array extensions = {
    Extension{".npy", Format::Npy},   Extension{".npz", Format::Npz},  Extension{".csv", Format::Text},
    Extension{".tsv", Format::Text},  Extension{".txt", Format::Text}, Extension{".h5", Format::Hdf5},
    Extension{".hdf5", Format::Hdf5},
};

/// What the user wrote, FILE or FILE:KEY, whole for messages and taken apart.
struct Name {
  std::string whole;
  std::string file;
  std::string key;
};

std::string lower_case(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

// The first colon after a known extension parts file and key, unless a file of the whole name exists.
Name split(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) {
    return {name, name, ""};
  }
  const std::string lower = lower_case(name);
  std::size_t colon = std::string::npos;
  for (const Extension& extension : extensions) {
    const std::size_t found = lower.find(std::string(extension.text) + ":");
    if (found != std::string::npos) {
      colon = std::min(colon, found + extension.text.size());
    }
  }
  if (colon == std::string::npos) {
    return {name, name, ""};
  }
  return {name, name.substr(0, colon), name.substr(colon + 1)};
}

Format format_of(const std::string& file) {
  const std::string extension = lower_case(std::filesystem::path(file).extension().string());
  std::string known;
  for (const Extension& candidate : extensions) {
    if (extension == candidate.text) {
      return candidate.format;
    }
    known += (known.empty() ? "" : ", ") + std::string(candidate.text);
  }
  check_readable(file, file);  // that it is missing, or a directory, is the better message
  throw IoError(fmt::format("{}: unknown file type {}; known are {}", file, quote(extension), known));
}

Array read_format(const Name& name, Format format, NpyKind kind) {
  const bool has_keys = format == Format::Npz || format == Format::Hdf5;
  if (!has_keys && !name.key.empty()) {
    throw IoError(fmt::format("{}: {} holds a single array; leave out ':{}'", name.whole, name.file, name.key));
  }
  switch (format) {
    case Format::Npy:
      return parse_npy(load_file(name.file, name.whole, check_npy_start), name.whole, kind);
    case Format::Npz:
      return parse_npz(load_file(name.file, name.whole, check_zip_start), name.key, name.whole, kind);
    case Format::Text:
      return parse_csv(load_file(name.file, name.whole, check_text_start).bytes, name.whole);
    case Format::Hdf5:
      break;
  }
  return read_hdf5(name.file, name.key);
}

}  // namespace

std::size_t Array::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Eigen::Map<const Points> Array::as_points() const {
  const std::size_t rows = shape.empty() ? 1 : shape[0];
  std::size_t columns = 1;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    columns *= shape[axis];
  }
  return {data.get(), static_cast<Index>(rows), static_cast<Index>(columns)};
}

PointCloud Array::cloud() const {
  const auto view = as_points();
  return {data, view.rows(), view.cols()};
}

Eigen::Map<const Vector> Array::as_vector() const { return {data.get(), static_cast<Index>(size())}; }

std::string Array::shape_text() const { return detail::shape_text(shape); }

void check_finite(const Array& array) {
  const auto values = array.as_points();
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      if (!std::isfinite(values(i, j))) {
        throw IoError(fmt::format("{}: {} in row {}, column {} (counted from 0); mend or remove that row", array.source,
                                  values(i, j), i, j));
      }
    }
  }
}

Array read_array(const std::string& file) { return read_array_of(file, NpyKind::Float); }

Array detail::read_array_of(const std::string& file, NpyKind kind) {
  try {
    const Name name = split(file);
    return read_format(name, format_of(name.file), kind);
  } catch (const std::bad_alloc&) {
    throw IoError(
        fmt::format("{}: does not fit into memory; a .npy file of float64 in C order is mapped instead", file));
  }
}

}  // namespace itomap
