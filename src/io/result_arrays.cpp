#include "io/result_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/mapped_file.hpp"
#include "io/npy.hpp"
#include "io/result_entry.hpp"
#include "io/shape.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

[[noreturn]] void refuse_array(const std::string& source, const std::string& why) {
  throw IoError(fmt::format("{}: {}; {}", source, why, whole_result_remedy));
}

std::string existing(const std::string& directory, const std::string& name) {
  const std::string file = (std::filesystem::path(directory) / name).string();
  std::error_code unreadable;
  if (!std::filesystem::exists(file, unreadable)) {
    refuse_array(directory, name + " is missing");
  }
  return file;
}

void check_shape(const Array& array, const std::vector<Shape>& shapes) {
  if (std::ranges::find(shapes, array.shape) != shapes.end()) {
    return;
  }
  std::string due;
  for (const Shape& shape : shapes) {
    due += (due.empty() ? "" : " or ") + shape_text(shape);
  }
  refuse_array(array.source, fmt::format("is {}, but by result.json it is {}", array.shape_text(), due));
}

}  // namespace

Array read_result(const std::string& directory, const std::string& name, const std::vector<Shape>& shapes) {
  Array array = read_array(existing(directory, name));
  check_shape(array, shapes);
  return array;
}

Array read_complex_result(const std::string& directory, const std::string& name, const Shape& shape) {
  const std::string file = existing(directory, name);
  Array array = parse_npy_complex(load_file(file, file, check_npy_start), file);
  Shape pairs = shape;
  pairs.push_back(2);
  if (array.shape.size() == shape.size()) {
    refuse_array(file, "holds real numbers, but by result.json they are complex");
  }
  check_shape(array, {pairs});
  return array;
}

void check_rows(const Array& array, const std::vector<Index>& kept) {
  const auto values = array.as_points();
  auto next = kept.begin();
  for (Index i = 0; i < values.rows(); ++i) {
    const bool in_map = next != kept.end() && *next == i;
    if (in_map) {
      ++next;
    }
    if (in_map ? !values.row(i).array().isFinite().all() : !values.row(i).array().isNaN().all()) {
      refuse_array(array.source,
                   fmt::format("row {} (counted from 0) {}", i,
                               in_map ? "holds NaN or infinity" : "holds numbers, but its point is not in the map"));
    }
  }
}

void check_weights(const Vector& weights, const std::string& source) {
  constexpr double tolerance = 1e-6;
  if (!(weights.minCoeff() >= 0.0)) {
    refuse_array(source, "holds a weight below 0");
  }
  if (!(std::abs(weights.sum() - 1.0) < tolerance)) {
    refuse_array(source, fmt::format("has the sum {:g}, but weights have the sum 1", weights.sum()));
  }
}

void check_same(const Vector& stored, const Vector& computed, double tolerance, const std::string& source) {
  if (!((stored - computed).cwiseAbs().maxCoeff() <= tolerance * computed.cwiseAbs().maxCoeff())) {
    refuse_array(source, "does not belong to the points and parameters beside it");
  }
}

}  // namespace itomap::detail
