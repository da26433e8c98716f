#include "inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "itomap/core/error.hpp"
#include "itomap/io/distance_file.hpp"
#include "option.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

using Shape = std::vector<std::size_t>;

std::size_t rows(const Array& array) { return array.shape.empty() ? 1 : array.shape[0]; }
std::size_t dimension(const Array& points) { return points.shape.size() > 1 ? points.shape[1] : 1; }

Array read_finite(const std::string& file) {
  auto array = read_array(file);
  check_finite(array);
  return array;
}

void check_rows(const std::string& option, const Array& array, const Array& points) {
  if (rows(array) != rows(points)) {
    throw InvalidArgument(fmt::format("{} has {} rows but {} has {}: --{} needs one row per point", array.source,
                                      rows(array), points.source, rows(points), option));
  }
}

[[noreturn]] void refuse_shape(const std::string& option, const Array& array, const std::string& expected) {
  throw InvalidArgument(fmt::format("{} is {}, but --{} needs {}", array.source, array.shape_text(), option, expected));
}

[[noreturn]] void refuse_diffusion_shape(const Array& array, const Array& points) {
  const auto m = rows(points), n = dimension(points);
  refuse_shape(
      "diffusion", array,
      fmt::format("one number, {}, {} x {}, {} x {} or {} x {} x {} ({})", m, m, n, n, n, m, n, n, size_text(points)));
}

Diffusion shaped_diffusion(const Array& array, const Array& points) {
  const auto m = rows(points), n = dimension(points);
  if (array.size() == 1) {
    return Diffusion::constant(*array.data);
  }
  if (array.shape == Shape{m, n} && m == n && n > 1) {
    throw InvalidArgument(
        fmt::format("{} is {}: one matrix, or a vector per point? Give m x N x N", array.source, array.shape_text()));
  }
  if (array.shape == Shape{n, n}) {
    return Diffusion::constant_matrix(array.as_points());
  }
  if (array.shape == Shape{m} || array.shape == Shape{m, 1}) {
    return Diffusion::scalars(array.as_vector());
  }
  if (array.shape == Shape{m, n}) {
    return Diffusion::diagonals(array.as_points());
  }
  if (array.shape == Shape{m, n, n} || array.shape == Shape{m, n * n}) {
    return Diffusion::matrices(array.as_points());
  }
  refuse_diffusion_shape(array, points);
}

}  // namespace

std::string size_text(const Array& points) {
  if (dimension(points) == 0) {
    return fmt::format("{} has distances of {}", points.source, plural(rows(points), "point"));
  }
  return fmt::format("{} has {} in {}", points.source, plural(rows(points), "point"),
                     plural(dimension(points), "dimension"));
}

Array read_points(const std::string& file) {
  auto points = read_array(file);
  if (points.shape.empty() || points.shape.size() > 2 || points.size() == 0) {
    refuse_shape("points", points, "m x N: one row per point");
  }
  if (rows(points) < 2) {
    throw InvalidArgument(fmt::format("{}: a map needs at least 2", size_text(points)));
  }
  check_finite(points);
  return points;
}

Option distances_option(std::string& file) {
  return {"distances", "FILE", Group::Input,
          "instead of points: m x m distances between them, such as RMSDs (inf: too far to be seen), or an .npz of "
          "scipy.sparse.save_npz that holds the known ones, in CSR format",
          cli::text(file)};
}

Distances read_distances_of_points(const std::string& file, Array& points) {
  Distances distances = read_distances(file);
  if (distances.rows() != distances.cols()) {
    throw InvalidArgument(fmt::format("{} is {} x {}, but --distances needs those of all points to each other, m x m",
                                      file, distances.rows(), distances.cols()));
  }
  points.source = file;
  points.shape = {static_cast<std::size_t>(distances.rows()), 0};
  return distances;
}

Array read_values(const std::string& option, const std::string& file, const Array& points) {
  auto values = read_array(file);
  if (values.shape.size() > 2 || values.size() != rows(values)) {
    refuse_shape(option, values, "one number per point");
  }
  check_rows(option, values, points);
  check_finite(values);
  return values;
}

Vector read_log_of_target(const std::string& file, const Array& points) {
  const Array target = read_values("target", file, points);
  const auto values = target.as_vector();
  for (Index i = 0; i < values.size(); ++i) {
    if (values(i) <= 0) {
      throw InvalidArgument(fmt::format("{}: target density {} in row {} (counted from 0) has no logarithm; {}", file,
                                        values(i), i, "give the logarithm itself as --log-target"));
    }
  }
  return values.array().log();
}

Array read_vectors(const std::string& option, const std::string& file, const Array& points) {
  auto vectors = read_array(file);
  if (vectors.shape.empty() || vectors.shape.size() > 2) {
    refuse_shape(option, vectors, "one vector per point");
  }
  check_rows(option, vectors, points);
  if (dimension(vectors) != dimension(points)) {
    throw InvalidArgument(fmt::format("{} has {} columns but {} has {}: --{} needs one number per coordinate",
                                      vectors.source, dimension(vectors), points.source, dimension(points), option));
  }
  check_finite(vectors);
  return vectors;
}

Array read_vectors_like(const std::string& file, Index dimension, const std::string& option) {
  auto vectors = read_array(file);
  if (vectors.shape.empty() || vectors.shape.size() > 2 || vectors.size() == 0) {
    refuse_shape(option, vectors, "m x N: one row per point");
  }
  if (vectors.as_points().cols() != dimension) {
    throw InvalidArgument(fmt::format("{} has {} columns, but the map is in {}: --{} needs one number per coordinate",
                                      file, vectors.as_points().cols(),
                                      plural(static_cast<std::size_t>(dimension), "dimension"), option));
  }
  check_finite(vectors);
  return vectors;
}

Array read_places(const std::string& option, const std::string& file) {
  auto places = read_array(file);
  const bool atoms = places.shape.size() == 3 && places.shape[2] == 3;
  if (places.shape.empty() || (places.shape.size() > 2 && !atoms) || places.size() == 0) {
    refuse_shape(option, places, "m x N: one row per point");
  }
  check_finite(places);
  return places;
}

Array read_bursts(const std::string& file, const Array& starts) {
  auto bursts = read_array(file);
  const auto n = static_cast<std::size_t>(starts.as_points().cols());
  const auto runs = bursts.size() / std::max<std::size_t>(rows(bursts) * n, 1);
  const bool flat = bursts.shape.size() == 2 && bursts.shape[1] == runs * n;
  const bool full = bursts.shape.size() == 3 && bursts.shape[2] == n;
  if (!(flat || full) || runs < 2) {
    refuse_shape("bursts", bursts, fmt::format("m x runs x {}, at least 2 runs from each start", n));
  }
  check_rows("bursts", bursts, starts);
  check_finite(bursts);
  return bursts;
}

Diffusion read_diffusion(const std::string& number_or_file, const Array& points) {
  if (const auto number = parse_real(number_or_file)) {
    return Diffusion::constant(*number);
  }
  return shaped_diffusion(read_finite(number_or_file), points);
}

}  // namespace itomap::cli
