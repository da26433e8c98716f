// Arrays in NumPy's .npz archives: a zip file with one .npy member per array.
#pragma once

#include <string>

#include "io/bytes.hpp"
#include "io/npy_header.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap::detail {

/// The array named `key`, with or without ".npy"; an empty key takes the only one. IoError, with the keys that are
/// there, if there is no such array. `name` is what the user calls it, file and key, for messages.
Array parse_npz(const SharedBytes& file, const std::string& key, const std::string& name,
                NpyKind kind = NpyKind::Float);

}  // namespace itomap::detail
