// Sums of numbers that have the same bits in whatever order they are added.
//
// Every term is rounded once, to a multiple of 2^-80, and the sums are whole numbers of 128 bits, whose additions are
// exact. Threads, blocks of a file, runs that were interrupted and machines may then add their terms as they come.
//
//   ExactSums sums(2);
//   sums.add(std::array{1.0, 2.0});
//   sums.values();                      // {1, 2}
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace itomap::detail {

class ExactSums {
 public:
  explicit ExactSums(std::size_t count = 0) : sums_(count, 0) {}

  std::size_t size() const { return sums_.size(); }
  std::size_t memory() const { return sums_.size() * sizeof(Wide); }

  /// One term for each sum. NumericalError if one is not a number below 2^40 in size; 2^6 of these fit at least.
  void add(std::span<const double> terms);

  /// Rounded to the next double.
  std::vector<double> values() const;

  /// Three whole numbers for each of some sums, for files and for other processes: of up to 2^19 processes they may be
  /// added up, number by number, before they come back.
  static constexpr std::size_t parts_a_sum = 3;
  using Parts = std::vector<std::int64_t>;
  Parts parts(std::size_t first, std::size_t count) const;
  void set_parts(std::size_t first, const Parts& parts);
  /// Calls body(first, count) for some sums at a time: their parts take more memory than they do.
  template <class Body>
  void for_chunks(const Body& body) const {
    constexpr std::size_t chunk = std::size_t{1} << 16U;
    for (std::size_t first = 0; first < size(); first += chunk) {
      body(first, std::min(chunk, size() - first));
    }
  }

 private:
  __extension__ using Wide = __int128;

  std::vector<Wide> sums_;
};

}  // namespace itomap::detail
