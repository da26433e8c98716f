// The body of vector_exp.hpp: a loop without a branch or a call, which compilers make vectors of. Included by one file
// per instruction set, each in a namespace of its own: ITOMAP_INSTRUCTION_SET.
#include <cstddef>

namespace itomap::detail::ITOMAP_INSTRUCTION_SET {
namespace {

constexpr double log2_e = 1.4426950408889634;
// ln 2 in two parts: the first has zeros in its last bits, so that multiples up to 1024 of it are exact.
constexpr double ln2_high = 0x1.62e42fefa0000p-1;
constexpr double ln2_low = 0x1.cf79abc9e3b3ap-40;
// Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits of the sum.
constexpr double rounder = 6755399441055744.0;
constexpr double largest = 707.0;

/// exp(r) for |r| <= ln(2)/2 by its Taylor polynomial of degree 13: the remainder is below 5e-18.
inline double exp_small(double r) {
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  return p * r + 1.0;
}

}  // namespace

void exp_of_negative(double* values, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const double u = values[i];
    const double x = u < largest ? -u : -largest;
    const double shifted = x * log2_e + rounder;
    const double k = shifted - rounder;
    const double r = (x - k * ln2_high) - k * ln2_low;
    const auto exponent = (__builtin_bit_cast(unsigned long long, shifted) + 1023U) << 52;
    const double y = exp_small(r) * __builtin_bit_cast(double, exponent);
    values[i] = u < largest ? y : 0.0;
  }
}

}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
