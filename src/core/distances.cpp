#include "itomap/core/distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

/// How far d_ij and d_ji may differ, relative to the largest of all: RMSDs in single precision do.
constexpr double rounding_of_distances = 1e-4;

void check_list(Index rows, Index cols, const std::vector<Index>& begin, const std::vector<std::int32_t>& columns,
                const std::vector<double>& values) {
  const bool fits = Index(begin.size()) == rows + 1 && begin.front() == 0 && begin.back() == Index(columns.size()) &&
                    columns.size() == values.size() && std::is_sorted(begin.begin(), begin.end());
  if (!fits) {
    throw InvalidArgument(fmt::format("distances: these are not lists of {} rows: {} bounds, {} columns and {} values",
                                      rows, begin.size(), columns.size(), values.size()));
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] < 0 || columns[k] >= cols) {
      throw InvalidArgument(fmt::format("distances: entry {} names column {}; columns are numbered from 0 to {}", k,
                                        columns[k], cols - 1));
    }
  }
}

/// Columns of each row in ascending order, each once.
void sort_rows(const std::vector<Index>& begin, std::vector<std::int32_t>& columns, std::vector<double>& values) {
  std::vector<std::pair<std::int32_t, double>> row;
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    row.clear();
    for (Index k = begin[i]; k < begin[i + 1]; ++k) {
      row.emplace_back(columns[std::size_t(k)], values[std::size_t(k)]);
    }
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t n = 0; n < row.size(); ++n) {
      if (n > 0 && row[n].first == row[n - 1].first) {
        throw InvalidArgument(fmt::format("distances: row {} names column {} twice", i, row[n].first));
      }
      columns[std::size_t(begin[i]) + n] = row[n].first;
      values[std::size_t(begin[i]) + n] = row[n].second;
    }
  }
}

[[noreturn]] void refuse_asymmetric(Index i, Index j, double there, double back) {
  throw InvalidArgument(fmt::format(
      "distances: {:g} from point {} to {}, but {:g} back; a map needs distances that are the same both ways", there, i,
      j, back));
}

void check_symmetric(const Eigen::Map<const Points>& d, double tolerance) {
  constexpr Index block = 64;  // both halves of a pair of blocks stay in the cache
  parallel_chunks((d.rows() + block - 1) / block, 1, [&](Index a, Index) {
    for (Index first = a * block; first < d.cols(); first += block) {
      for (Index i = a * block; i < std::min(d.rows(), (a + 1) * block); ++i) {
        for (Index j = first; j < std::min(d.cols(), first + block); ++j) {
          if (!(std::abs(d(i, j) - d(j, i)) <= tolerance) && d(i, j) != d(j, i)) {
            refuse_asymmetric(i, j, d(i, j), d(j, i));
          }
        }
      }
    }
  });
}

}  // namespace

Distances::Distances(PointCloud all) : rows_(all.rows()), cols_(all.cols()), all_(std::move(all)) {}

Distances Distances::listed(Index rows, Index cols, std::vector<Index> begin, std::vector<std::int32_t> columns,
                            std::vector<double> values) {
  check_list(rows, cols, begin, columns, values);
  sort_rows(begin, columns, values);
  Distances d;
  d.rows_ = rows;
  d.cols_ = cols;
  d.list_ = std::make_shared<const List>(List{std::move(begin), std::move(columns), std::move(values)});
  return d;
}

Index Distances::known() const { return is_listed() ? Index(list_->values.size()) : rows_ * cols_; }

Distances Distances::symmetrised() const {
  if (!is_listed() || rows_ != cols_) {
    return *this;
  }
  double largest = 0.0;
  std::vector<std::vector<std::pair<std::int32_t, double>>> other(
      static_cast<std::size_t>(rows_));  // of (i, j), as row j has it
  for (Index i = 0; i < rows_; ++i) {
    bool own = false;
    for_row(i, [&](Index j, double d) {
      own = own || j == i;
      largest = std::max(largest, d);
      other[std::size_t(j)].emplace_back(std::int32_t(i), d);
    });
    if (!own) {
      other[std::size_t(i)].emplace_back(std::int32_t(i), 0.0);
    }
  }
  std::vector<Index> begin{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  const auto add = [&](std::int32_t column, double value) {
    columns.push_back(column);
    values.push_back(value);
  };
  for (Index i = 0; i < rows_; ++i) {
    auto back = other[std::size_t(i)].begin();
    const auto end = other[std::size_t(i)].end();
    for_row(i, [&](Index j, double d) {
      for (; back != end && back->first < j; ++back) {
        add(back->first, back->second);
      }
      const bool both = back != end && back->first == j;
      const bool rounded = both && std::abs(back->second - d) <= rounding_of_distances * largest;
      add(std::int32_t(j), rounded && j < i ? back->second : d);
      back += both ? 1 : 0;
    });
    for (; back != end; ++back) {
      add(back->first, back->second);
    }
    begin.push_back(Index(columns.size()));
  }
  return listed(rows_, cols_, std::move(begin), std::move(columns), std::move(values));
}

Distances Distances::subset(const std::vector<Index>& points) const {
  if (!is_listed()) {
    return Distances(Points(all_.view()(points, points)));
  }
  const Distances narrow = columns(points);
  std::vector<Index> begin{0};
  std::vector<std::int32_t> chosen;
  std::vector<double> values;
  for (const Index i : points) {
    narrow.for_row(i, [&](Index j, double d) {
      chosen.push_back(std::int32_t(j));
      values.push_back(d);
    });
    begin.push_back(Index(chosen.size()));
  }
  return listed(Index(points.size()), Index(points.size()), std::move(begin), std::move(chosen), std::move(values));
}

Distances Distances::columns(const std::vector<Index>& points) const {
  if (!is_listed()) {
    return Distances(Points(all_.view()(Eigen::all, points)));
  }
  std::vector<std::int32_t> place(std::size_t(cols_), -1);
  for (std::size_t k = 0; k < points.size(); ++k) {
    place[std::size_t(points[k])] = std::int32_t(k);
  }
  std::vector<Index> begin{0};
  std::vector<std::int32_t> chosen;
  std::vector<double> values;
  for (Index i = 0; i < rows_; ++i) {
    for_row(i, [&](Index j, double d) {
      if (place[std::size_t(j)] >= 0) {
        chosen.push_back(place[std::size_t(j)]);
        values.push_back(d);
      }
    });
    begin.push_back(Index(chosen.size()));
  }
  return listed(rows_, Index(points.size()), std::move(begin), std::move(chosen), std::move(values));
}

void Distances::validate() const {
  const auto refuse = [](Index i, Index j, double d) {
    throw InvalidArgument(
        fmt::format("distances: {:g} in row {}, column {} (counted from 0); they are numbers >= 0, or infinite where "
                    "too far to be seen",
                    d, i, j));
  };
  if (is_listed()) {
    for (Index i = 0; i < rows_; ++i) {
      for (Index k = list_->begin[std::size_t(i)]; k < list_->begin[std::size_t(i) + 1]; ++k) {
        if (!(list_->values[std::size_t(k)] >= 0.0)) {
          refuse(i, list_->columns[std::size_t(k)], list_->values[std::size_t(k)]);
        }
      }
    }
    return;
  }
  const auto view = all_.view();
  parallel_chunks(rows_, 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index j = 0; j < cols_; ++j) {
        if (!(view(i, j) >= 0.0)) {
          refuse(i, j, view(i, j));
        }
      }
    }
  });
}

void Distances::validate_symmetric() const {
  if (rows_ != cols_ || rows_ < 2) {
    throw InvalidArgument(fmt::format(
        "distances: {} x {} given; a map needs those of all points to each other, one row and one column for each",
        rows_, cols_));
  }
  validate();
  double largest = 0.0;
  for (Index i = 0; i < rows_; ++i) {
    for_row(i, [&](Index, double d) { largest = std::max(largest, d); });
  }
  if (largest > 1e150 || (largest > 0.0 && largest < 1e-140)) {
    throw InvalidArgument(
        fmt::format("distances: up to {:g}, too much or too little to square; take other units", largest));
  }
  const double tolerance = rounding_of_distances * largest;
  for (Index i = 0; i < rows_; ++i) {
    for_row(i, [&](Index j, double d) {
      if (i == j && d > tolerance) {
        throw InvalidArgument(fmt::format("distances: {:g} from point {} to itself; give 0 on the diagonal", d, i));
      }
    });
  }
  if (!is_listed()) {
    return check_symmetric(all_.view(), tolerance);
  }
  const Distances both = symmetrised();
  if (both.known() != known()) {
    throw InvalidArgument(
        "distances: some are listed from one point to another, but not back, or not from a point to itself; call "
        "symmetrised()");
  }
  for (Index i = 0; i < rows_; ++i) {
    both.for_row(i, [&](Index j, double d) {
      if (j > i) {
        const auto from = list_->columns.begin() + list_->begin[std::size_t(j)];
        const auto to = list_->columns.begin() + list_->begin[std::size_t(j) + 1];
        const double back =
            list_->values[std::size_t(std::lower_bound(from, to, std::int32_t(i)) - list_->columns.begin())];
        if (!(std::abs(back - d) <= tolerance)) {
          refuse_asymmetric(i, j, d, back);
        }
      }
    });
  }
}

}  // namespace itomap
