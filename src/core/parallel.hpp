// Threaded loops whose results do not depend on the number of threads.
//
// A range is cut into chunks of a fixed size, whatever the number of threads; each chunk is computed by one thread, and
// sums over chunks are added up in chunk order. Threads live for one loop, or while the calling thread has a crew
// (crew.hpp): nothing spins between loops, and the sanitizers understand what happens.
#pragma once

#include <functional>

#include "core/reporter.hpp"
#include "itomap/core/types.hpp"

namespace itomap::detail {

/// Calls body(begin, end) for the consecutive chunks of [0, n), on the threads of the present execution. Chunks must
/// not write to the same place. With a reporter, progress is reported from the calling thread and a stop request throws
/// Cancelled.
using ChunkBody = std::function<void(Index begin, Index end)>;
void parallel_chunks(Index n, Index chunk, const ChunkBody& body, Reporter* reporter = nullptr);

/// Sum over chunks of what body(begin, end) returns, added in chunk order: the same bits for any number of threads.
using ChunkTerm = std::function<Matrix(Index begin, Index end)>;
Matrix parallel_sum(Index n, Index chunk, Index rows, Index cols, const ChunkTerm& body);

/// The same for loops that may be so short, in multiplications or entries moved, that they are over before a thread has
/// started: the calling thread then runs them alone.
struct Operations {
  double count;
};
void parallel_chunks(Index n, Index chunk, Operations operations, const ChunkBody& body);
Matrix parallel_sum(Index n, Index chunk, Operations operations, Index rows, Index cols, const ChunkTerm& body);

/// Rows a chunk should have so that its share of a dense block stays in cache.
constexpr Index row_chunk = 2048;

}  // namespace itomap::detail
