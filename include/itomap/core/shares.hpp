// Tasks that several processes share: each does its own, and all have the results, the same as if one had done all.
//
// A task's result is some numbers, which may be as many as they like. Everybody goes through the same tasks in the same
// order; what they take apart from these is each process's own affair. A process that throws must not leave the others
// waiting: it ends them all, as MpiSession::abort does.
//
//   const itomap::Shares shares(&session.ranks());
//   std::vector<Vector> results(tasks);
//   for (Index k = 0; k < tasks; ++k) {
//     if (shares.mine(k)) results[k] = ...;
//   }
//   shares.complete(results);
#pragma once

#include <vector>

#include "itomap/core/ranks.hpp"
#include "itomap/core/types.hpp"

namespace itomap {

class Shares {
 public:
  /// Null: this process alone.
  explicit Shares(const Ranks* ranks) : ranks_(ranks) {}

  Index processes() const { return ranks_ != nullptr ? ranks_->size() : 1; }
  /// Tasks are dealt out in turn.
  bool mine(Index task) const { return ranks_ == nullptr || task % ranks_->size() == ranks_->rank(); }

  /// How many of so many tasks a process has at most.
  Index largest(Index tasks) const { return (tasks + processes() - 1) / processes(); }

  /// Everybody gets the numbers of everybody's tasks, bit by bit.
  void complete(std::vector<Vector>& results) const;

 private:
  const Ranks* ranks_;
};

}  // namespace itomap
