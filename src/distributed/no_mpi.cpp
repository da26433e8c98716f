// Sessions of a library that was built without MPI.
#include <cstdlib>

#include "distributed/launcher.hpp"
#include "itomap/core/error.hpp"
#include "itomap/distributed/mpi.hpp"

namespace itomap {

MpiSession::MpiSession() : ranks_(std::make_unique<const Ranks>()) {
  if (detail::launched_processes() > 1) {
    throw InvalidArgument(
        "several processes were started, but this itomap was built without MPI and each would do the same; build it "
        "with cmake --preset mpi, or start one");
  }
}

MpiSession::~MpiSession() = default;

bool MpiSession::available() { return false; }

void MpiSession::abort(int code) const { std::_Exit(code); }

}  // namespace itomap
