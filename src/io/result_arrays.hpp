// The arrays of a result directory, checked before anybody computes from them: type, shape and values.
#pragma once

#include <string>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap::detail {

using Shape = std::vector<std::size_t>;

/// An array of `directory`: IoError, as of all that follows, if it is missing, of none of these shapes or holds
/// anything but floats.
Array read_result(const std::string& directory, const std::string& name, const std::vector<Shape>& shapes);

/// The same for complex numbers; the last axis of what is returned, not of `shape`, holds real and imaginary part.
Array read_complex_result(const std::string& directory, const std::string& name, const Shape& shape);

/// Rows of points in the map must hold finite numbers; those of points that were left out, and only those, hold NaN.
void check_rows(const Array& array, const std::vector<Index>& kept);

/// Weights of points: not below 0, of sum 1.
void check_weights(const Vector& weights, const std::string& source);

/// Values that were stored must be those that are computed again, within a share of the largest of them.
void check_same(const Vector& stored, const Vector& computed, double tolerance, const std::string& source);

}  // namespace itomap::detail
