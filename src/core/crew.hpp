// Threads that wait between the loops of one computation.
//
// A loop starts its threads and joins them, which costs more than a short loop itself, and the more so the more cores
// there are. A solver runs thousands of short loops; while it has a crew, they are shared among threads that are there
// already. The crew sleeps between loops, and it goes when the solver returns: no global state, nothing that outlives a
// call or that a fork would break.
//
//   const Crew crew;                         // for parallel_chunks() called by this thread, while it is in scope
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace itomap::detail {

class Crew {
 public:
  /// As many threads as the present execution has, with the one that calls, which must be the one that destroys it.
  /// Where that has a crew already, this one is empty and the other goes on serving.
  Crew();
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// The crew of the calling thread; null if there is none or if it is in the middle of a loop.
  static Crew* idle();

  /// Calls own() here and help() in at most `helpers` threads of the crew, those that wake up before own() returns.
  /// Neither may throw.
  void run(int helpers, const std::function<void()>& help, const std::function<void()>& own);

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable finished_;
  const std::function<void()>* job_ = nullptr;
  std::uint64_t number_ = 0;  // of the job
  int wanted_ = 0;            // helpers that may still join it
  int active_ = 0;            // helpers at work
  bool over_ = false;
  std::vector<std::jthread> helpers_;
};

}  // namespace itomap::detail
