// The processes that share one computation: one here, or several that talk to each other (itomap/distributed/mpi.hpp).
//
// Everybody calls the same functions in the same order. What they combine, whole numbers that are added, maxima and
// parts that somebody has, has the same bits however many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace itomap {

/// A process alone; others derive from it.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  bool first() const { return rank() == 0; }
  /// How many of them share the cores of this machine.
  virtual int on_this_machine() const { return 1; }

  /// Everybody gets the sums, or the largest, of what everybody has, number by number.
  virtual void add(std::span<std::int64_t> /*numbers*/) const {}
  virtual void largest(std::span<double> /*numbers*/) const {}
  /// Everybody gets what the first has.
  virtual void broadcast(std::span<std::byte> /*bytes*/) const {}
  /// Everybody gets everybody's part, bit by bit: that of rank r begins where the one before ends, and ends at ends[r].
  /// By sums of bits, unless whoever derives has something better.
  virtual void share(std::span<double> numbers, std::span<const std::size_t> ends) const;
};

}  // namespace itomap
