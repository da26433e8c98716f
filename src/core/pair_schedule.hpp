// Tasks on pairs of blocks that write to both of them: threaded, and with the same bits for any number of threads.
//
// A symmetric matrix is multiplied by its upper half: block (a, b) adds to the results of a and of b. All pairs are put
// into one fixed order, and every block takes its additions in that order, whichever thread brings them. The order is
// that of a tournament, in which neighbouring pairs share no block: tasks hardly ever wait, and no thread needs a
// result of its own.
#pragma once

#include <functional>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

class PairSchedule {
 public:
  /// All pairs a <= b < blocks but those that are said to be empty.
  PairSchedule(Index blocks, const std::function<bool(Index a, Index b)>& empty);

  /// Calls body(a, b) once for every pair; no two calls that share a block run at the same time.
  void run(const std::function<void(Index a, Index b)>& body) const;

  Index tasks() const { return Index(tasks_.size()); }

 private:
  struct Task {
    Index a, b;
    int turn_a, turn_b;  // how many tasks on that block come before
  };

  Index blocks_;
  std::vector<Task> tasks_;
};

}  // namespace itomap::detail
