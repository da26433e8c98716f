#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/memory.hpp"
#include "spectrum/solve.hpp"

namespace itomap::detail {

double effective_points(const Vector& weights) { return weights.sum() * weights.sum() / weights.squaredNorm(); }

double carrying_points(const Eigen::VectorXcd& psi, const Eigen::VectorXcd& phi) {
  const Vector left = phi.cwiseAbs();
  return std::min(effective_points(left), effective_points(left.cwiseProduct(psi.cwiseAbs())));
}

double fewest_points(double spurious_error) { return 1.0 / (spurious_error * spurious_error); }

bool is_spurious_mode(const Vector& weights, double spurious_error) {
  return effective_points(weights) < fewest_points(spurious_error);
}

Index most_spurious(Index asked) { return std::max<Index>(asked, 20); }

Index modes_of_one_point(const Generator& g) {
  std::vector<Index> points(std::size_t(g.diagnostics.components), 0);
  for (const Index c : g.component) {
    ++points[std::size_t(c)];
  }
  Index count = 0;
  for (Index i = 0; i < g.size(); ++i) {
    const bool stays = g.right_weights[i] > 0.99 * g.row_sums[i];  // K_ii = 1
    count += stays && points[std::size_t(g.component[std::size_t(i)])] > 1 ? 1 : 0;
  }
  return count;
}

Index most_searched_spurious(const Generator& g, Index asked, const EigenpairsOptions& options) {
  constexpr Index end_of_patience = 500;
  // Two or three points next to each other hold a mode as well; there are fewer of these than of single ones.
  const Index held = 2 * modes_of_one_point(g);
  const Index listed = most_spurious(asked);
  if (held <= listed || held > end_of_patience || !to_be_kept(options)) {
    return listed;
  }
  const double bytes = search_bytes(g.size(), asked + held, true);
  return bytes <= double(memory_budget()) ? held : listed;
}

void sort_modes(std::vector<KnownMode>& modes, bool all_solved) {
  using Kind = KnownMode::Kind;
  double last = all_solved ? -2.0 : 2.0;
  for (const KnownMode& mode : modes) {
    if (!all_solved && mode.kind == Kind::Solved) {
      last = std::min(last, mode.mu.real());
    }
  }
  std::erase_if(modes, [last](const KnownMode& m) { return m.kind == Kind::Small && !(m.mu.real() > last); });
  std::stable_sort(modes.begin(), modes.end(), [](const KnownMode& a, const KnownMode& b) {
    const bool zero_first = a.kind == Kind::Zero && b.kind != Kind::Zero;
    return zero_first || (b.kind != Kind::Zero && a.mu.real() > b.mu.real());
  });
}

Index true_modes(const std::vector<KnownMode>& modes) {
  return Index(std::count_if(modes.begin(), modes.end(), [](const KnownMode& mode) { return !mode.spurious; }));
}

std::vector<KnownMode> chosen_modes(const std::vector<KnownMode>& modes, Index asked, Index unlisted,
                                    Spectrum& spectrum) {
  std::vector<KnownMode> chosen;
  std::size_t end = 0;
  Index found = 0;
  for (std::size_t k = 0; k < modes.size() && found < asked; ++k) {
    if (!modes[k].spurious) {
      end = k + 1;
      ++found;
    }
  }
  if (found < asked) {
    end = std::min(modes.size(), std::max(end, std::size_t(asked)));
  }
  Index flagged = 0;
  for (std::size_t k = 0; k < end; ++k) {
    flagged += modes[k].spurious ? 1 : 0;
    if (!modes[k].spurious || flagged <= most_spurious(asked)) {
      chosen.push_back(modes[k]);
    }
  }
  const Index left_out = Index(end - chosen.size()) + unlisted;
  if (left_out > 0) {
    spectrum.warnings.push_back(fmt::format(
        "{} more mode(s) that live on a handful of points each are not listed; raise epsilon, or drop isolated points",
        left_out));
  }
  if (found < asked) {
    spectrum.warnings.push_back(fmt::format(
        "only {} of the {} modes asked for live on more than a handful of points: the search ended after {} "
        "that do not; raise epsilon, or drop isolated points",
        found - 1, asked - 1, flagged + unlisted));
  }
  return chosen;
}

/// Of what a mode weighs at the points, the share beyond the heaviest few.
double share_beyond(Vector weights, double few) {
  const Index count = std::min<Index>(weights.size(), Index(std::ceil(few)));
  std::nth_element(weights.begin(), weights.begin() + count, weights.end(), std::greater<>());
  return weights.tail(weights.size() - count).sum() / weights.sum();
}

/// What carries mode n, as is_spurious_mode sees it.
Vector weights_of(const Spectrum& spectrum, Index n) {
  const Vector left = spectrum.left_eigenfunctions.complex(n).cwiseAbs();
  const Vector both = left.cwiseProduct(spectrum.eigenfunctions.complex(n).cwiseAbs());
  return effective_points(left) < effective_points(both) ? left : both;
}

/// A slow process whose eigenvalue falls among those of outliers mixes with them, and is flagged as they are. Modes of
/// outliers alone have little beyond a handful of points: a tenth, in tails up to a third.
void warn_of_mixtures(Spectrum& spectrum, double spurious_error) {
  std::vector<Index> mixed;
  for (const Index n : spectrum.spurious) {
    if (share_beyond(weights_of(spectrum, n), fewest_points(spurious_error)) > spurious_error) {
      mixed.push_back(n);
    }
  }
  if (!mixed.empty()) {
    spectrum.warnings.push_back(
        fmt::format("flagged mode(s) {} do not live on a handful of points alone: a slow process whose eigenvalue "
                    "falls among those "
                    "of outliers may be mixed into them and missing from the others; try another epsilon, or leave the "
                    "outliers out",
                    fmt::join(mixed, ", ")));
  }
}

void warn_of_handfuls(Spectrum& spectrum, double spurious_error) {
  if (!spectrum.spurious.empty()) {
    spectrum.warnings.push_back(fmt::format(
        "mode(s) {} live on a handful of points each and are flagged as spurious: outliers, not slow processes; raise "
        "epsilon, or drop isolated points",
        fmt::join(spectrum.spurious, ", ")));
    warn_of_mixtures(spectrum, spurious_error);
  }
  const double enough = fewest_points(spurious_error);
  const double effective = effective_points(spectrum.stationary);
  const bool many_points = double(spectrum.stationary.size()) > 2.0 * enough;
  if (many_points && effective < enough) {
    Index heaviest = 0;
    const double share = spectrum.stationary.maxCoeff(&heaviest);
    spectrum.warnings.push_back(fmt::format(
        "the stationary weights live on a handful of points ({:.1f} effective ones; point {} alone has {:.0f} %): "
        "averages and time scales rest on these; raise epsilon, or leave such points out",
        effective, heaviest, 100.0 * share));
  }
}

}  // namespace itomap::detail
