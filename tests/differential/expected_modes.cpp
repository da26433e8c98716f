#include "differential/expected_modes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace itomap::differential {
namespace {

/// Effective numbers of points this close to the limit may fall on either side of it.
constexpr double margin = 0.02;

Flag flag_of(double low, double high, double limit) {
  if (low >= (1.0 + margin) * limit) {
    return Flag::True;
  }
  return high < (1.0 - margin) * limit ? Flag::Spurious : Flag::Either;
}

double component_weight(const Solved& s, Index c) {
  const auto& points = s.dense.members[std::size_t(c)];
  return s.map.reversible() ? s.spectrum.stationary(points).sum() : double(points.size());
}

std::vector<bool> large_components(const Solved& s) {
  const double limit = 1.0 / std::pow(s.problem.eigenpairs.spurious_error, 2);
  const auto& members = s.dense.members;
  const auto largest = std::max_element(members.begin(), members.end(),
                                        [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::vector<bool> large;
  for (auto c = members.begin(); c != members.end(); ++c) {
    large.push_back(c == largest || double(c->size()) >= limit);
  }
  return large;
}

/// phi psi and phi of the mode that tells component `own` from those before it: one value on it, another on these.
Flag contrast_flag(const Solved& s, const std::vector<Index>& before, Index own, double limit) {
  Vector weights = Vector::Zero(s.map.size());
  Vector left = weights;
  const double own_weight = s.spectrum.stationary(s.dense.members[std::size_t(own)]).sum();
  double before_weight = 0.0;
  for (const Index c : before) {
    before_weight += s.spectrum.stationary(s.dense.members[std::size_t(c)]).sum();
  }
  const auto set = [&](Index c, double value) {
    for (const Index i : s.dense.members[std::size_t(c)]) {
      left[i] = s.spectrum.stationary[i] * value;
      weights[i] = left[i] * value;
    }
  };
  // Up to a factor 1 / own on one side and -1 / before on the other; in units in which neither overflows.
  for (const Index c : before) {
    set(c, std::min(1.0, own_weight / before_weight));
  }
  set(own, std::min(1.0, before_weight / own_weight));
  if (!(weights.sum() > 0.0) || !std::isfinite(weights.sum())) {
    return Flag::Either;
  }
  double effective = effective_points(weights);
  if (!s.map.reversible()) {
    effective = std::min(effective, effective_points(left));
  }
  return flag_of(effective, effective, limit);
}

void add_zero_modes(const Solved& s, const std::vector<bool>& large, double limit, ExpectedModes& expected) {
  std::vector<Index> order(large.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return component_weight(s, a) > component_weight(s, b); });
  std::stable_partition(order.begin(), order.end(), [&](Index c) { return large[std::size_t(c)]; });
  std::vector<Index> before;
  for (const Index c : order) {
    const bool big = large[std::size_t(c)];
    const Flag flag = before.empty() ? Flag::True : big ? contrast_flag(s, before, c, limit) : Flag::Spurious;
    expected.modes.push_back({1.0, 0.0, flag, big, 0});
    before.push_back(c);
  }
}

Vector on_all_points(const Solved& s, Index component, const Vector& values) {
  Vector all = Vector::Zero(s.map.size());
  all(s.dense.members[std::size_t(component)]) = values;
  return all;
}

/// Positions of discs that overlap, directly or through others.
std::vector<std::vector<std::size_t>> overlapping(const std::vector<std::complex<double>>& centres,
                                                  const std::vector<double>& radii) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> taken(centres.size(), false);
  for (std::size_t first = 0; first < centres.size(); ++first) {
    if (taken[first]) {
      continue;
    }
    std::vector<std::size_t> group{first};
    taken[first] = true;
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (std::size_t other = 0; other < centres.size(); ++other) {
        const double apart = std::abs(centres[other] - centres[group[k]]);
        if (!taken[other] && !(apart > radii[other] + radii[group[k]])) {
          taken[other] = true;
          group.push_back(other);
        }
      }
    }
    groups.push_back(group);
  }
  return groups;
}

double disc(const Solved& s, const DenseMode& mode, double perturbation) {
  const auto n = double(s.dense.members[std::size_t(mode.component)].size());
  return s.map.reversible() ? perturbation : n * mode.condition * perturbation;
}

/// Of modes whose vectors may be mixed.
Flag common_flag(const Solved& s, const std::vector<const DenseMode*>& modes, double limit) {
  const DenseMode& first = *modes[0];
  if (!s.map.reversible()) {
    if (modes.size() > 1 || first.weights.size() == 0) {
      return Flag::Either;
    }
    const double effective = std::min(effective_points(first.weights), effective_points(first.left_weights));
    return flag_of(effective, effective, limit);
  }
  Vector leverage = Vector::Zero(s.map.size());
  for (const DenseMode* mode : modes) {
    leverage += on_all_points(s, mode->component, mode->weights);
  }
  const Range range = effective_range(leverage);
  return flag_of(range.low, range.high, limit);
}

void add_other_modes(const Solved& s, const std::vector<bool>& large, double limit, ExpectedModes& expected) {
  // Vectors mix where a perturbation is a noticeable part of the gap between their eigenvalues.
  constexpr double noticeable = 1e3;
  std::vector<const DenseMode*> solved;
  std::vector<std::complex<double>> centres;
  std::vector<double> reach;
  for (const DenseMode& mode : s.dense.modes) {
    const double radius = disc(s, mode, expected.perturbation);
    if (large[std::size_t(mode.component)]) {
      solved.push_back(&mode);
      centres.push_back(mode.mu);
      reach.push_back(noticeable * radius);
    } else if (!mode.zero) {
      expected.modes.push_back({mode.mu, radius, Flag::Spurious, false, 0});
    }
  }
  for (const auto& group : overlapping(centres, reach)) {
    std::vector<const DenseMode*> modes;
    for (const std::size_t k : group) {
      modes.push_back(solved[k]);
    }
    const Flag flag = common_flag(s, modes, limit);
    for (const DenseMode* mode : modes) {
      if (!mode->zero) {
        expected.modes.push_back({mode->mu, disc(s, *mode, expected.perturbation), flag, true, 0});
      }
    }
  }
}

void set_bundles(ExpectedModes& expected) {
  auto& modes = expected.modes;
  std::stable_sort(modes.begin(), modes.end(),
                   [](const ExpectedMode& a, const ExpectedMode& b) { return a.mu.real() > b.mu.real(); });
  std::vector<std::complex<double>> centres;
  std::vector<double> radii;
  for (const ExpectedMode& mode : modes) {
    centres.push_back(mode.mu);
    radii.push_back(mode.radius);
  }
  for (const auto& group : overlapping(centres, radii)) {
    for (const std::size_t k : group) {
      modes[k].bundle = expected.bundles;
    }
    ++expected.bundles;
  }
}

double joint_perturbation(const Solved& s) {
  // Zero modes and small components are solved apart, without error to speak of.
  const Vector right = s.right_residuals();
  return std::sqrt(double(right.size())) * right.maxCoeff() + s.dense.between + s.dense.defect + s.dense.rounding;
}

}  // namespace

Range effective_range(const Vector& leverage) {
  std::vector<double> sorted(leverage.begin(), leverage.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  // Weights at most the leverages, summing to 1, as uneven as can be: the largest first.
  double left = 1.0;
  double uneven = 0.0;
  for (const double l : sorted) {
    const double w = std::min({l, left, 1.0});
    uneven += w * w;
    left -= w;
  }
  // As even as can be: all cut off at one level.
  double sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  double level = 0.0;
  double rest = 1.0;
  double even = 0.0;
  if (sum <= 1.0) {
    for (const double l : sorted) {
      even += l * l / (sum * sum);
    }
    return {1.0 / uneven, 1.0 / even};
  }
  auto n = double(sorted.size());
  for (auto l = sorted.rbegin(); l != sorted.rend(); ++l, --n) {  // smallest first
    level = rest / n;
    if (*l >= level) {
      even += n * level * level;
      break;
    }
    even += *l * *l;
    rest -= *l;
  }
  return {1.0 / uneven, 1.0 / even};
}

ExpectedModes expected_modes(const Solved& s) {
  const double limit = 1.0 / std::pow(s.problem.eigenpairs.spurious_error, 2);
  ExpectedModes expected;
  expected.asked = s.problem.eigenpairs.count + 1;
  expected.cap = std::max<Index>(expected.asked, 20);
  expected.perturbation = joint_perturbation(s);
  const auto large = large_components(s);
  add_zero_modes(s, large, limit, expected);
  add_other_modes(s, large, limit, expected);
  set_bundles(expected);
  return expected;
}

}  // namespace itomap::differential
