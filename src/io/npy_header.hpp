// The header of a .npy file, versions 1.0 to 3.0: magic, version, length, and a Python dictionary literal
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (1000, 2), }
//
// padded with spaces and ended by a newline. The parser takes that and nothing else.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/bytes.hpp"

namespace itomap::detail {

struct NpyHeader {
  std::vector<std::size_t> shape;
  std::size_t count = 0;      ///< number of values
  std::size_t item_size = 8;  ///< bytes of a value
  char type = 'f';            ///< NumPy's letter: f float, i and u integers, b bool
  bool swapped = false;       ///< byte order is not the machine's
  bool fortran_order = false;
  std::size_t data_offset = 0;
};

/// What the values must be. Complex ones count as two floats along one more axis; Whole takes integers and bools as
/// well as floats.
enum class NpyKind { Float, Complex, Whole };

/// Throws IoError unless a .npy file can begin like this: magic and version.
void check_npy_start(Bytes start, const std::string& name);

/// Throws IoError unless `file` begins with the header of such an array of at most 3 axes.
NpyHeader parse_npy_header(Bytes file, const std::string& name, NpyKind kind = NpyKind::Float);

}  // namespace itomap::detail
