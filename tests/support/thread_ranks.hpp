// Ranks that are threads of one process: what several processes do, without any.
#pragma once

#include <algorithm>
#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "itomap/core/ranks.hpp"

namespace itomap::test {

class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : size_(size), barrier_(size), numbers_(std::size_t(size)) {}

  /// Calls body(ranks) as every rank at once.
  void run(const std::function<void(const Ranks&)>& body) {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size_; ++rank) {
      threads.emplace_back([this, rank, &body] { body(One(*this, rank)); });
    }
  }

 private:
  class One final : public Ranks {
   public:
    One(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return all_.size_; }
    void add(std::span<std::int64_t> numbers) const override {
      all_.combine(rank_, numbers, [](std::int64_t a, std::int64_t b) { return a + b; });
    }
    void largest(std::span<double> numbers) const override {
      all_.combine(rank_, numbers, [](double a, double b) { return std::max(a, b); });
    }
    void broadcast(std::span<std::byte> bytes) const override {
      all_.combine(rank_, bytes, [](std::byte first, std::byte) { return first; });
    }

   private:
    ThreadRanks& all_;
    int rank_;
  };

  template <class Number, class Combine>
  void combine(int rank, std::span<Number> numbers, const Combine& operation) {
    numbers_[std::size_t(rank)] = numbers.data();
    barrier_.arrive_and_wait();
    std::vector<Number> result(static_cast<const Number*>(numbers_[0]),
                               static_cast<const Number*>(numbers_[0]) + numbers.size());
    for (int other = 1; other < size_; ++other) {
      const auto* more = static_cast<const Number*>(numbers_[std::size_t(other)]);
      std::transform(result.begin(), result.end(), more, result.begin(), operation);
    }
    barrier_.arrive_and_wait();
    std::copy(result.begin(), result.end(), numbers.begin());
    barrier_.arrive_and_wait();
  }

  int size_;
  std::barrier<> barrier_;
  std::vector<void*> numbers_;
};

}  // namespace itomap::test
