#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/context.hpp"
#include "core/crew.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

/// The chunks of one loop, handed out in order to whichever thread is free.
class ChunkQueue {
 public:
  ChunkQueue(Index n, Index chunk) : n_(n), chunk_(chunk), chunks_((n + chunk - 1) / chunk) {}

  Index chunks() const { return chunks_; }
  double share_taken() const { return chunks_ == 0 ? 1.0 : double(std::min(next_.load(), chunks_)) / double(chunks_); }
  void stop() { next_.store(chunks_); }

  /// Runs the next chunk; false when none is left.
  bool run_next(const ChunkBody& body) {
    const Index c = next_.fetch_add(1);
    if (c >= chunks_) {
      return false;
    }
    body(c * chunk_, std::min(n_, (c + 1) * chunk_));
    return true;
  }

 private:
  Index n_, chunk_, chunks_;
  std::atomic<Index> next_{0};
};

/// Keeps the first exception of any thread.
class FirstError {
 public:
  void capture(std::exception_ptr error) {
    const std::scoped_lock lock(mutex_);
    if (!error_) {
      error_ = std::move(error);
    }
  }
  void rethrow() const {
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

void drain(ChunkQueue& queue, const ChunkBody& body, Reporter* reporter, FirstError& error) {
  try {
    while (queue.run_next(body)) {
      if (reporter != nullptr) {
        reporter->report_or_throw(queue.share_taken());
      }
    }
  } catch (...) {
    queue.stop();
    error.capture(std::current_exception());
  }
}

int threads_for(Operations operations) {
  constexpr double operations_per_start = 2e5;  // some fifty microseconds
  return operations.count < operations_per_start ? 1 : current_threads();
}

void run_chunks(Index n, Index chunk, int threads, const ChunkBody& body, Reporter* reporter) {
  ChunkQueue queue(n, chunk);
  FirstError error;
  // Loops within the loop run as it does; progress is for the calling thread alone.
  const Execution helping{.threads = current_execution().threads, .memory = current_execution().memory};
  const auto help = [&] {
    const ExecutionScope scope(helping);
    drain(queue, body, nullptr, error);
  };
  const auto own = [&] { drain(queue, body, reporter, error); };
  const auto helpers = int(std::min<Index>(threads, queue.chunks())) - 1;
  if (helpers < 1) {
    own();
  } else if (Crew* const crew = Crew::idle()) {
    crew->run(helpers, help, own);
  } else {
    std::vector<std::jthread> workers;
    for (int t = 0; t < helpers; ++t) {
      workers.emplace_back(help);
    }
    own();
    workers.clear();  // joins
  }
  error.rethrow();
}

Matrix sum_chunks(Index n, Index chunk, int threads, Index rows, Index cols, const ChunkTerm& body) {
  std::vector<Matrix> parts(std::size_t((n + chunk - 1) / chunk));
  run_chunks(
      n, chunk, threads, [&](Index begin, Index end) { parts[std::size_t(begin / chunk)] = body(begin, end); },
      nullptr);
  Matrix sum = Matrix::Zero(rows, cols);
  for (const Matrix& part : parts) {
    sum += part;
  }
  return sum;
}

}  // namespace

void parallel_chunks(Index n, Index chunk, const ChunkBody& body, Reporter* reporter) {
  run_chunks(n, chunk, current_threads(), body, reporter);
}

void parallel_chunks(Index n, Index chunk, Operations operations, const ChunkBody& body) {
  run_chunks(n, chunk, threads_for(operations), body, nullptr);
}

Matrix parallel_sum(Index n, Index chunk, Index rows, Index cols, const ChunkTerm& body) {
  return sum_chunks(n, chunk, current_threads(), rows, cols, body);
}

Matrix parallel_sum(Index n, Index chunk, Operations operations, Index rows, Index cols, const ChunkTerm& body) {
  return sum_chunks(n, chunk, threads_for(operations), rows, cols, body);
}

}  // namespace itomap::detail
