// The files of a run, read and checked against the points: everything that is wrong with them is said here, before
// anything is computed, with the name of the file and of the option. Rows and columns are counted from 0.
#pragma once

#include <string>

#include "itomap/core/distances.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/kernel/diffusion.hpp"
#include "option.hpp"

namespace itomap::cli {

/// m x N, or m numbers as m x 1.
Array read_points(const std::string& file);

/// The option that names them.
Option distances_option(std::string& file);

/// Distances of m points to each other. `points` becomes what stands for these in messages and checks of sizes: m rows
/// without coordinates.
Distances read_distances_of_points(const std::string& file, Array& points);

/// One number for each point; `option` is its name for messages.
Array read_values(const std::string& option, const std::string& file, const Array& points);

/// log pi from a file of pi > 0.
Vector read_log_of_target(const std::string& file, const Array& points);

/// One vector of so many numbers per row, at least one row.
Array read_vectors_like(const std::string& file, Index dimension, const std::string& option);

/// One vector of R^N for each point.
Array read_vectors(const std::string& option, const std::string& file, const Array& points);

/// A number, or a file that holds one number, m numbers, m x N, N x N, m x N x N or m x N*N.
Diffusion read_diffusion(const std::string& number_or_file, const Array& points);

/// m x N (m numbers as m x 1) or m x atoms x 3, m >= 1: places where dynamics are estimated.
Array read_places(const std::string& option, const std::string& file);

/// m x runs x N (m x runs*N in csv): where the runs from the m starts end.
Array read_bursts(const std::string& file, const Array& starts);

/// "points.npy has 1000 points in 2 dimensions", for messages.
std::string size_text(const Array& points);

}  // namespace itomap::cli
