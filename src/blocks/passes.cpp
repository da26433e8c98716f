#include "blocks/passes.hpp"

#include <bit>
#include <chrono>
#include <limits>
#include <mutex>
#include <utility>

#include "blocks/checkpoint.hpp"
#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

/// The present execution on one thread and without progress: for a block that one of several threads works on.
class SingleThread {
 public:
  SingleThread() : execution_(alone()), scope_(execution_) {}

 private:
  static Execution alone() {
    Execution execution;
    execution.threads = 1;
    return execution;
  }

  Execution execution_;
  ExecutionScope scope_;
};

/// Adds blocks to the state, one thread at a time, and saves it from time to time.
class PassRecorder {
 public:
  PassRecorder(std::string name, PassState& state, const Checkpoint* checkpoint)
      : name_(std::move(name)), state_(state), checkpoint_(checkpoint) {}

  void add(const BlockRange& block, const BlockTerms& terms) {
    const std::lock_guard lock(mutex_);
    state_.sums.add(terms.sums);
    for (std::size_t k = 0; k < terms.largest.size(); ++k) {
      state_.largest[k] = std::max(state_.largest[k], terms.largest[k]);
    }
    state_.numbers.row(block.number) = terms.numbers.transpose();
    state_.done[std::size_t(block.number)] = 1;
    if (checkpoint_ != nullptr && Clock::now() - saved_ > checkpoint_->interval()) {
      save();
    }
  }

  void save() {
    if (checkpoint_ != nullptr) {
      checkpoint_->save(name_, state_);
      saved_ = Clock::now();
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::string name_;
  PassState& state_;
  const Checkpoint* checkpoint_;
  std::mutex mutex_;
  Clock::time_point saved_ = Clock::now();
};

}  // namespace

PassState::PassState(const PassSizes& sizes, Index blocks)
    : sums(sizes.sums),
      largest(sizes.largest, -std::numeric_limits<double>::infinity()),
      numbers(Block::Zero(blocks, sizes.numbers)),
      done(std::size_t(blocks), 0) {}

double PassTotals::sum(Index k) const {
  double total = 0.0;
  for (Index block = 0; block < numbers.rows(); ++block) {
    total += numbers(block, k);
  }
  return total;
}

BlockPasses::BlockPasses(Index points, Index block_points, const Ranks& ranks, const Checkpoint* checkpoint)
    : points_(points),
      block_points_(block_points),
      blocks_((points + block_points - 1) / block_points),
      ranks_(ranks),
      checkpoint_(checkpoint) {}

BlockRange BlockPasses::range(Index number) const {
  return {number, number * block_points_, std::min(points_, (number + 1) * block_points_)};
}

std::vector<Index> BlockPasses::own_blocks() const {
  std::vector<Index> own;
  for (Index number = blocks_ * ranks_.rank() / ranks_.size(); number < blocks_ * (ranks_.rank() + 1) / ranks_.size();
       ++number) {
    own.push_back(number);
  }
  return own;
}

void BlockPasses::for_blocks(const std::string& name, const std::vector<Index>& blocks,
                             const std::function<void(const BlockRange& block)>& body) const {
  Reporter reporter(name);
  parallel_chunks(
      Index(blocks.size()), 1,
      [&](Index begin, Index end) {
        const SingleThread alone;
        for (Index k = begin; k < end; ++k) {
          body(range(blocks[std::size_t(k)]));
        }
      },
      &reporter);
}

PassTotals BlockPasses::run(const std::string& name, const PassSizes& sizes, const Body& body) const {
  PassState state(sizes, blocks_);
  if (checkpoint_ != nullptr) {
    checkpoint_->load(name, state);
  }
  std::vector<Index> open = own_blocks();
  std::erase_if(open, [&](Index number) { return state.done[std::size_t(number)] != 0; });
  PassRecorder recorder(name, state, checkpoint_);
  try {
    for_blocks(name, open, [&](const BlockRange& block) {
      BlockTerms terms{AlignedVector(sizes.sums, 0.0),
                       std::vector<double>(sizes.largest, -std::numeric_limits<double>::infinity()),
                       Vector::Zero(sizes.numbers)};
      body(block, terms);
      recorder.add(block, terms);
    });
  } catch (...) {
    recorder.save();  // all blocks that began have ended
    throw;
  }
  if (!open.empty()) {
    recorder.save();
  }
  return totals(std::move(state));
}

PassTotals BlockPasses::totals(PassState state) const {
  if (ranks_.size() > 1) {
    state.sums.for_chunks([&](std::size_t first, std::size_t count) {
      auto parts = state.sums.parts(first, count);
      ranks_.add(parts);
      state.sums.set_parts(first, parts);
    });
    ranks_.largest(state.largest);
    // Each row is somebody's, and whole zeros everywhere else.
    std::vector<std::int64_t> bits(std::size_t(state.numbers.size()));
    for (std::size_t k = 0; k < bits.size(); ++k) {
      bits[k] = std::bit_cast<std::int64_t>(state.numbers.data()[k]);
    }
    ranks_.add(bits);
    for (std::size_t k = 0; k < bits.size(); ++k) {
      state.numbers.data()[k] = std::bit_cast<double>(bits[k]);
    }
  }
  return {state.sums.values(), std::move(state.largest), std::move(state.numbers)};
}

void BlockPasses::visit(const std::string& name, const std::function<void(const BlockRange& block)>& body) const {
  for_blocks(name, own_blocks(), body);
}

}  // namespace itomap::detail
