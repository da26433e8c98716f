// The content of a file in memory: read if small, mapped if large.
//
// A mapping costs no memory of our own and no copy, and the kernel reads ahead; a small file is read so that a program
// that rewrites it meanwhile does not change the data under us.
#pragma once

#include <cstddef>
#include <string>

#include "io/bytes.hpp"

namespace itomap::io {

/// Regular files of at least this many bytes are mapped.
inline constexpr std::size_t map_threshold = std::size_t{16} << 20;

/// The whole file; IoError if it is missing, a directory or unreadable. `name` is what messages call it.
SharedBytes load_file(const std::string& file, const std::string& name);

/// Throws what load_file would throw, without reading anything.
void check_readable(const std::string& file, const std::string& name);

}  // namespace itomap::io
