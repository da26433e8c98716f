// The Python dictionary literal in the header of a .npy file.
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (1000, 2), }
//
// The parser takes the three keys in any order and nothing else: no other key, no expression, no nested value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace itomap::detail {

struct NpyDictionary {
  std::string descr;  ///< the dtype, e.g. "<f8"
  bool fortran_order = false;
  std::vector<std::size_t> shape;
};

/// Throws IoError, naming the file `name`, if the text is anything else.
NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& name);

}  // namespace itomap::detail
