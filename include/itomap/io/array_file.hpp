// Arrays from files: .npy, .npz, .csv/.tsv/.txt and HDF5, all as row-major doubles.
//
// The name says the format: `points.npy`, `data.npz:points` (key), `points.csv` (header optional), `run.h5:/points`
// (path). npy versions 1 to 3, float32 and float64 of either byte order, C and Fortran order; npz stored or deflated;
// anything else is refused with one line that says what was found and what to do. A large float64 C-order .npy is
// memory-mapped, never copied.
//
//   const auto array = itomap::read_array("points.npy");
//   array.shape;                 // {1000, 2}
//   array.as_points();           // 1000 x 2 view, no copy; a one-dimensional array is m x 1
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "itomap/core/point_cloud.hpp"
#include "itomap/core/types.hpp"

namespace itomap {

/// Row-major doubles with a shape; owns its memory or a mapping of the file.
struct Array {
  std::vector<std::size_t> shape;
  std::shared_ptr<const double> data;
  std::string source;                       ///< the file it came from, for messages
  bool boolean = false;                     ///< the file said true and false, not 1 and 0
  std::vector<std::string> column_names{};  ///< their names, if the file is a table with a header

  std::size_t size() const;  ///< number of values

  /// First axis by all the others: m x (product of the rest). A scalar is 1 x 1.
  Eigen::Map<const Points> as_points() const;
  /// The same as the points of a map, which shares the memory.
  PointCloud cloud() const;
  /// All values in one vector.
  Eigen::Map<const Vector> as_vector() const;
  /// "1000 x 2", for messages.
  std::string shape_text() const;
};

/// Reads FILE, FILE.npz:key or FILE.h5:/path. Throws IoError with one line.
Array read_array(const std::string& file);

/// Throws IoError, naming file, row and column, if a number is NaN or infinite.
void check_finite(const Array& array);

/// Writes float64, C order, npy version 1.0.
void write_npy(const std::string& file, std::span<const double> values, const std::vector<std::size_t>& shape);
/// int64.
void write_npy_integers(const std::string& file, std::span<const std::int64_t> values,
                        const std::vector<std::size_t>& shape);
/// complex128 from separate real and imaginary parts.
void write_npy_complex(const std::string& file, std::span<const double> re, std::span<const double> im,
                       const std::vector<std::size_t>& shape);

}  // namespace itomap
