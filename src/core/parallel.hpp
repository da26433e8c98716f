// Threaded loops whose results do not depend on the number of threads.
//
// A range is cut into chunks of a fixed size, whatever the number of threads; each chunk is computed by one thread, and
// sums over chunks are added up in chunk order. Threads live for one loop, or while the calling thread has a crew
// (crew.hpp): nothing spins between loops, there is no global state, and the sanitizers understand what happens.
#pragma once

#include <functional>

#include "core/reporter.hpp"
#include "itomap/core/types.hpp"

namespace itomap {

/// All cores for 0, otherwise `requested`.
int resolve_threads(int requested);

/// `threads`, or 1 for a loop of so few operations, multiplications or entries moved, that it is over before a thread
/// has started.
int threads_for(double operations, int threads);

/// Calls body(begin, end) for the consecutive chunks of [0, n). Chunks must not write to the same place.
/// With a reporter, progress is reported from the calling thread and a stop request throws Cancelled.
using ChunkBody = std::function<void(Index begin, Index end)>;
void parallel_chunks(Index n, Index chunk, int threads, const ChunkBody& body, Reporter* reporter = nullptr);

/// Sum over chunks of what body(begin, end) returns, added in chunk order: the same bits for any number of threads.
Matrix parallel_sum(Index n, Index chunk, int threads, Index rows, Index cols,
                    const std::function<Matrix(Index begin, Index end)>& body);

/// Rows a chunk should have so that its share of a dense block stays in cache.
constexpr Index row_chunk = 2048;

}  // namespace itomap
