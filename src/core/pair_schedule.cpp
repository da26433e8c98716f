#include "core/pair_schedule.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

using Pair = std::pair<Index, Index>;

/// The circle method: in each round every block meets another one; the pairs of a round share none.
std::vector<Pair> tournament(Index blocks) {
  std::vector<Pair> pairs;
  for (Index a = 0; a < blocks; ++a) {
    pairs.emplace_back(a, a);
  }
  const Index players = blocks + blocks % 2;  // an odd number is filled up with one that does not exist
  const Index circle = players - 1;
  for (Index round = 0; round < circle; ++round) {
    for (Index k = 0; k < players / 2; ++k) {
      const Index a = k == 0 ? players - 1 : (round + k) % circle;
      const Index b = (round - k + circle) % circle;
      if (std::max(a, b) < blocks) {
        pairs.emplace_back(std::min(a, b), std::max(a, b));
      }
    }
  }
  return pairs;
}

using Turns = std::vector<std::atomic<int>>;

/// Waits for a block's turn and hands it on at the end, whatever happens in between.
class Turn {
 public:
  Turn(std::atomic<int>& now, int turn) : now_(now), turn_(turn) {
    for (int seen = now_.load(); seen != turn_; seen = now_.load()) {
      now_.wait(seen);
    }
  }
  ~Turn() {
    now_.store(turn_ + 1);
    now_.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic<int>& now_;
  int turn_;
};

}  // namespace

PairSchedule::PairSchedule(Index blocks, const std::function<bool(Index a, Index b)>& empty) : blocks_(blocks) {
  std::vector<int> turns(std::size_t(blocks), 0);
  for (const auto& [a, b] : tournament(blocks)) {
    if (!empty(a, b)) {
      const int turn_a = turns[std::size_t(a)]++;
      const int turn_b = a == b ? turn_a : turns[std::size_t(b)]++;
      tasks_.push_back({a, b, turn_a, turn_b});
    }
  }
}

void PairSchedule::run(const std::function<void(Index a, Index b)>& body) const {
  Turns turns(static_cast<std::size_t>(blocks_));
  // Tasks are taken in order, so the first unfinished one never waits: there is no deadlock.
  parallel_chunks(tasks(), 1, [&](Index t, Index) {
    const Task& task = tasks_[std::size_t(t)];
    const Turn first(turns[std::size_t(task.a)], task.turn_a);
    if (task.a == task.b) {
      body(task.a, task.b);
    } else {
      const Turn second(turns[std::size_t(task.b)], task.turn_b);
      body(task.a, task.b);
    }
  });
}

}  // namespace itomap::detail
