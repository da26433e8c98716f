#include "core/exact_sums.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

/// Numbers of very different sizes, of both signs.
std::vector<double> terms(std::size_t count, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<double> numbers;
  for (std::size_t k = 0; k < count; ++k) {
    numbers.push_back(random.symmetric() * std::exp(20.0 * random.symmetric()));
  }
  return numbers;
}

double sum_of(const std::vector<double>& numbers) {
  ExactSums sums(1);
  for (const double number : numbers) {
    sums.add(std::array{number});
  }
  return sums.values()[0];
}

TEST(ExactSums, HaveTheSameBitsInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    auto numbers = terms(1000, seed);
    const double forwards = sum_of(numbers);
    const std::vector<double> backwards(numbers.rbegin(), numbers.rend());
    EXPECT_EQ(sum_of(backwards), forwards);
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(sum_of(numbers), forwards);
  }
}

TEST(ExactSums, AreRoundedOnceATerm) {
  const auto numbers = terms(1000, 7);
  long double exact = 0.0L;
  for (const double number : numbers) {
    exact += number;
  }
  // Each term is off by 2^-80 at most, the result by half a digit, and the long double by its own 1000 roundings.
  const double size = *std::max_element(numbers.begin(), numbers.end());
  EXPECT_NEAR(sum_of(numbers), double(exact), 1000 * size * 0x1p-64 + std::abs(double(exact)) * 0x1p-53);
}

TEST(ExactSums, AddUpOverProcesses) {
  const auto numbers = terms(300, 3);
  std::array<ExactSums, 3> shares{ExactSums(1), ExactSums(1), ExactSums(1)};
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    shares[k % 3].add(std::array{numbers[k]});
  }
  ExactSums::Parts total(ExactSums::parts_a_sum, 0);
  for (const ExactSums& share : shares) {
    const auto parts = share.parts(0, 1);
    for (std::size_t k = 0; k < total.size(); ++k) {
      total[k] += parts[k];
    }
  }
  ExactSums all(1);
  all.set_parts(0, total);
  EXPECT_EQ(all.values()[0], sum_of(numbers));
}

TEST(ExactSums, RefuseWhatIsNoNumberOrTooLarge) {
  ExactSums sums(1);
  EXPECT_THROW(sums.add(std::array{std::nan("")}), NumericalError);
  EXPECT_THROW(sums.add(std::array{std::numeric_limits<double>::infinity()}), NumericalError);
  EXPECT_THROW(sums.add(std::array{-0x1p40}), NumericalError);
}

}  // namespace
}  // namespace itomap::detail
