#include "suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace itomap::cli {
namespace {

// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

// Half a name counts as that name if it has at least a letter; dashes alone begin every option.
std::span<const std::string>::iterator begun_by(std::string_view word, std::span<const std::string> names) {
  const bool has_letter = word.find_first_not_of('-') != std::string_view::npos;
  return std::ranges::find_if(names, [&](const auto& name) { return has_letter && name.starts_with(word); });
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string> names, std::string_view otherwise) {
  auto best = begun_by(word, names);
  if (best == names.end()) {
    const auto nearer = [&](const auto& a, const auto& b) { return edit_distance(word, a) < edit_distance(word, b); };
    best = std::ranges::min_element(names, nearer);
    // With more than a third of the letters wrong a guess misleads more than it helps.
    if (best == names.end() || 3 * edit_distance(word, *best) > std::max(word.size(), best->size())) {
      return std::string(otherwise);
    }
  }
  return fmt::format("did you mean {}?", *best);
}

}  // namespace itomap::cli
