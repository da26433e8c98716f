#include "itomap/core/version.hpp"

namespace itomap {

const char* version() { return ITOMAP_VERSION; }

}  // namespace itomap
