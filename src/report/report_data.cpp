#include "report/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace itomap::detail {
namespace {

constexpr Index leading_coordinates = 3;
constexpr Index leading_functions = 4;

std::set<Index> spurious_modes(const Json& result) {
  std::set<Index> modes;
  for (const Json& mode : result.at("spurious")) {
    modes.insert(mode.get<Index>());
  }
  return modes;
}

}  // namespace

std::string_view to_string(ColumnGroup group) {
  switch (group) {
    case ColumnGroup::Coordinate:
      return "coordinate";
    case ColumnGroup::Eigenfunction:
      return "eigenfunction";
    case ColumnGroup::Weight:
      return "weight";
    case ColumnGroup::Analysis:
      return "analysis";
    case ColumnGroup::ErrorBar:
      return "error_bar";
    case ColumnGroup::Values:
      break;
  }
  return "values";
}

const ReportColumn* ReportData::find(std::string_view key) const {
  const auto found = std::ranges::find(columns, key, &ReportColumn::key);
  return found == columns.end() ? nullptr : &*found;
}

void ColumnList::coordinates(const double* first, Index width, const std::shared_ptr<const void>& owner,
                             const std::vector<std::string>& names) {
  for (Index k = 0; k < width; ++k) {
    data_.columns.push_back({.key = fmt::format("x{}", k + 1),
                             .name = Index(names.size()) == width ? names[std::size_t(k)] : fmt::format("x_{}", k + 1),
                             .group = ColumnGroup::Coordinate,
                             .leading = k < leading_coordinates,
                             .first = first + k,
                             .stride = width,
                             .owner = owner});
  }
}

void ColumnList::eigenfunctions(const double* re, const double* im, Index step, Index stride,
                                const std::shared_ptr<const void>& owner) {
  functions({.group = ColumnGroup::Eigenfunction, .stride = stride, .owner = owner}, re, im, step);
}

void ColumnList::function_error_bars(std::string_view suffix, const double* re, const double* im, Index step,
                                     Index stride, const std::shared_ptr<const void>& owner) {
  functions({.key = std::string(suffix), .group = ColumnGroup::ErrorBar, .stride = stride, .owner = owner}, re, im,
            step);
}

// One column for each mode, or two; `like` has what they share, and the end of their keys.
void ColumnList::functions(const ReportColumn& like, const double* re, const double* im, Index step) {
  const Json& eigenvalues = data_.result.at("eigenvalues");
  const auto spurious = spurious_modes(data_.result);
  Index trusted = 0;
  for (Index n = 1; n < Index(eigenvalues.size()); ++n) {
    const double imaginary = eigenvalues[std::size_t(n)][1].get<double>();
    if (imaginary < 0.0) {
      continue;  // the conjugate of the one before
    }
    trusted += spurious.contains(n) ? 0 : 1;
    ReportColumn column = like;
    column.key = fmt::format("psi{}{}", n, like.key);
    column.name = fmt::format("psi_{}{}", n, like.key);
    column.mode = n;
    column.leading = like.group == ColumnGroup::Eigenfunction && !spurious.contains(n) && trusted <= leading_functions;
    column.first = re + n * step;
    data_.columns.push_back(column);
    if (im != nullptr && imaginary > 0.0) {
      column.key = fmt::format("psi{}_im{}", n, like.key);
      column.name = fmt::format("Im psi_{}{}", n, like.key);
      column.first = im + n * step;
      data_.columns.push_back(column);
    }
  }
}

void ColumnList::add(const std::string& key, ColumnGroup group, const double* first, std::shared_ptr<const void> owner,
                     bool leading, bool positive) {
  data_.columns.push_back({.key = key,
                           .name = key,
                           .group = group,
                           .positive = positive,
                           .leading = leading,
                           .first = first,
                           .owner = std::move(owner)});
}

void ColumnList::drift(const double* first, Index width, const std::shared_ptr<const void>& owner) {
  for (Index k = 0; k < width; ++k) {
    data_.drift.push_back({.key = fmt::format("b{}", k + 1), .first = first + k, .stride = width, .owner = owner});
  }
}

}  // namespace itomap::detail
