#include "core/exact_sums.hpp"

#include <cmath>

#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

constexpr double units = 0x1p80;
constexpr double largest_term = 0x1p40;

/// Bits of the two lower parts; the highest takes what is left, with its sign.
constexpr unsigned part_bits = 43;
constexpr std::int64_t part_mask = (std::int64_t{1} << part_bits) - 1;

}  // namespace

void ExactSums::add(std::span<const double> terms) {
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const double term = terms[k];
    if (term == 0.0) {
      continue;
    }
    if (!(std::abs(term) < largest_term)) {
      throw NumericalError("a sum over the points is not a number, or too large for one");
    }
    // nearbyint would be exact as well, but a conversion that cuts off is the same for every order, too.
    sums_[k] += static_cast<Wide>(term * units);
  }
}

std::vector<double> ExactSums::values() const {
  std::vector<double> values(sums_.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = static_cast<double>(sums_[k]) / units;
  }
  return values;
}

ExactSums::Parts ExactSums::parts(std::size_t first, std::size_t count) const {
  Parts parts;
  parts.reserve(parts_a_sum * count);
  for (std::size_t k = first; k < first + count; ++k) {
    parts.push_back(static_cast<std::int64_t>(sums_[k]) & part_mask);
    parts.push_back(static_cast<std::int64_t>(sums_[k] >> part_bits) & part_mask);
    parts.push_back(static_cast<std::int64_t>(sums_[k] >> (2 * part_bits)));
  }
  return parts;
}

void ExactSums::set_parts(std::size_t first, const Parts& parts) {
  constexpr Wide weight = Wide{1} << part_bits;
  for (std::size_t k = 0; k < parts.size() / parts_a_sum; ++k) {
    const std::int64_t* part = parts.data() + parts_a_sum * k;
    sums_[first + k] = (Wide{part[2]} * weight + part[1]) * weight + part[0];
  }
}

}  // namespace itomap::detail
