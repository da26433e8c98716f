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

std::vector<std::int64_t> ExactSums::parts() const {
  std::vector<std::int64_t> parts;
  parts.reserve(parts_a_sum * sums_.size());
  for (const Wide sum : sums_) {
    parts.push_back(static_cast<std::int64_t>(sum) & part_mask);
    parts.push_back(static_cast<std::int64_t>(sum >> part_bits) & part_mask);
    parts.push_back(static_cast<std::int64_t>(sum >> (2 * part_bits)));
  }
  return parts;
}

void ExactSums::set_parts(std::span<const std::int64_t> parts) {
  sums_.resize(parts.size() / parts_a_sum);
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const std::int64_t* part = parts.data() + parts_a_sum * k;
    const Wide weight = Wide{1} << part_bits;
    sums_[k] = (Wide{part[2]} * weight + part[1]) * weight + part[0];
  }
}

}  // namespace itomap::detail
