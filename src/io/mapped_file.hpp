// The content of a file in memory: read if small, mapped if large.
//
// A mapping costs no memory of our own and no copy, and the kernel reads ahead; a small file is read so that a program
// that rewrites it meanwhile does not change the data under us.
#pragma once

#include <cstddef>
#include <string>

#include "io/bytes.hpp"

namespace itomap::detail {

/// Regular files of at least this many bytes are mapped.
inline constexpr std::size_t map_threshold = std::size_t{16} << 20;

/// Throws IoError if a file of some format cannot begin with these bytes; the second argument is its name.
using CheckStart = void (*)(Bytes start, const std::string& name);

/// The whole file; IoError if it is missing, a directory or unreadable. `name` is what messages call it. Pipes and
/// devices may have no end: `check_start` sees their beginning before the rest is read, and what does not fit into
/// memory is refused.
SharedBytes load_file(const std::string& file, const std::string& name, CheckStart check_start);

/// Throws what load_file would throw, without reading anything.
void check_readable(const std::string& file, const std::string& name);

/// The same, and IoError for pipes and devices, which cannot be read in any order.
void check_regular(const std::string& file, const std::string& name);

}  // namespace itomap::detail
