// The version of the library, at compile time and at run time. The build reads it from here.
#pragma once

#define ITOMAP_VERSION "0.2.0"

namespace itomap {

/// The version that was linked, e.g. "0.2.0".
const char* version();

}  // namespace itomap
