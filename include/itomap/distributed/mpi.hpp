// The processes that mpirun or srun started, as the ranks of one computation.
//
// One session a process, as long as it computes. A process that was started by itself is a session of one rank, and MPI
// is not even asked. A library that was built without MPI has these sessions alone, and refuses to be one of several
// processes: they would all do the same and write to the same place.
//
//   const itomap::MpiSession session;
//   itomap::map_in_blocks(input, {.ranks = &session.ranks()}, folder);
#pragma once

#include <memory>

#include "itomap/core/ranks.hpp"

namespace itomap {

class MpiSession {
 public:
  /// Throws InvalidArgument if there are several processes and this library has no MPI.
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// Whether the library was built with MPI.
  static bool available();

  const Ranks& ranks() const { return *ranks_; }

  /// Ends all processes at once, with this exit code: what one of them cannot finish, none can.
  [[noreturn]] void abort(int code) const;

 private:
  std::unique_ptr<const Ranks> ranks_;
};

}  // namespace itomap
