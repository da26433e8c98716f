// Arrays in NumPy's .npy format, from the bytes of a file or of a member of a .npz archive.
#pragma once

#include <string>

#include "io/bytes.hpp"
#include "io/npy_header.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap::detail {

/// The values behind the header; IoError if they are too few or too many.
Bytes npy_data(Bytes file, const NpyHeader& header, const std::string& name);

/// The array in `file`. It shares that memory if the values are native float64 in C order and aligned, and copies
/// otherwise. `name` is for messages. IoError if the bytes are anything but one array of floats, or of whole numbers if
/// `kind` allows them.
Array parse_npy(const SharedBytes& file, const std::string& name, NpyKind kind = NpyKind::Float);

/// The same for complex128: the last axis of the result holds real and imaginary part.
Array parse_npy_complex(const SharedBytes& file, const std::string& name);

}  // namespace itomap::detail
