// Sessions and ranks by MPI. Its C interface alone, of any version since 3.
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "distributed/launcher.hpp"
#include "itomap/core/error.hpp"
#include "itomap/distributed/mpi.hpp"

namespace itomap {
namespace {

/// Counts are ints: longer messages go in parts.
constexpr std::size_t most_at_once = std::size_t{1} << 28U;

template <class Number, class Send>
void in_parts(std::span<Number> numbers, const Send& send) {
  for (std::size_t begin = 0; begin < numbers.size(); begin += most_at_once) {
    const auto part = numbers.subspan(begin, std::min(most_at_once, numbers.size() - begin));
    if (send(part.data(), static_cast<int>(part.size())) != MPI_SUCCESS) {
      throw Error("MPI failed to exchange data");
    }
  }
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &on_this_machine_);
    MPI_Comm_free(&node);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int on_this_machine() const override { return on_this_machine_; }

  void add(std::span<std::int64_t> numbers) const override {
    in_parts(numbers, [](std::int64_t* data, int count) {
      return MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    });
  }
  void largest(std::span<double> numbers) const override {
    in_parts(numbers, [](double* data, int count) {
      return MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    });
  }
  void broadcast(std::span<std::byte> bytes) const override {
    in_parts(bytes, [](std::byte* data, int count) { return MPI_Bcast(data, count, MPI_BYTE, 0, MPI_COMM_WORLD); });
  }
  void share(std::span<double> numbers, std::span<const std::size_t> ends) const override {
    if (numbers.size() > most_at_once) {  // places are ints, too: one after the other
      std::size_t begin = 0;
      for (int root = 0; root < size_; ++root) {
        in_parts(numbers.subspan(begin, ends[std::size_t(root)] - begin),
                 [root](double* data, int count) { return MPI_Bcast(data, count, MPI_DOUBLE, root, MPI_COMM_WORLD); });
        begin = ends[std::size_t(root)];
      }
      return;
    }
    std::vector<int> counts;
    std::vector<int> places{0};
    for (const std::size_t end : ends) {
      counts.push_back(static_cast<int>(end) - places.back());
      places.push_back(static_cast<int>(end));
    }
    if (MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers.data(), counts.data(), places.data(), MPI_DOUBLE,
                       MPI_COMM_WORLD) != MPI_SUCCESS) {
      throw Error("MPI failed to exchange data");
    }
  }

 private:
  int rank_ = 0;
  int size_ = 1;
  int on_this_machine_ = 1;
};

}  // namespace

MpiSession::MpiSession() {
  if (detail::launched_processes() == 0) {
    ranks_ = std::make_unique<const Ranks>();
    return;
  }
  int provided = 0;
  // Threads compute, and one of them talks.
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
      provided < MPI_THREAD_FUNNELED) {
    throw Error("MPI cannot be started with threads");
  }
  ranks_ = std::make_unique<const MpiRanks>();
}

MpiSession::~MpiSession() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized != 0) {
    MPI_Finalize();
  }
}

bool MpiSession::available() { return true; }

void MpiSession::abort(int code) const {
  if (ranks_->size() > 1) {
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  std::_Exit(code);
}

}  // namespace itomap
