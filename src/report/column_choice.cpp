#include "report/column_choice.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "core/context.hpp"
#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

std::vector<double> values_at(const ReportColumn& column, const std::vector<std::uint32_t>& points) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const std::uint32_t i : points) {
    values.push_back(column[Index(i)]);
  }
  return values;
}

/// The coordinates and functions that the page opens with.
bool opens_with(const ReportColumn& column) {
  return column.leading && (column.group == ColumnGroup::Coordinate || column.group == ColumnGroup::Eigenfunction);
}
bool is_leading(const ReportColumn& column) { return column.leading; }
bool is_other(const ReportColumn& column) { return !column.leading; }
bool is_any(const ReportColumn&) { return true; }

/// Columns that are stored, or stored more exactly than before, as long as there is room.
struct Round {
  Precision precision;
  bool (*of)(const ReportColumn&);
};
constexpr std::array rounds{Round{Precision::Coarse, is_leading}, Round{Precision::Coarse, is_other},
                            Round{Precision::Steps, is_leading},  Round{Precision::Single, opens_with},
                            Round{Precision::Steps, is_other},    Round{Precision::Single, is_any},
                            Round{Precision::Double, is_any}};

std::size_t page_bytes(const PackedColumn& column) {
  constexpr std::size_t tag = 60;
  return base64_size(column.bytes.size()) + tag;
}

class Chooser {
 public:
  Chooser(const ReportData& data, const std::vector<std::uint32_t>& points, std::size_t size)
      : data_(data), points_(points), size_(size), chosen_(data.columns.size()) {}

  /// Ends at the first column for which there is no room: those before it matter more than those behind it.
  void run(const Round& round) {
    std::vector<std::size_t> asked;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      if (round.of(data_.columns[k]) && !(chosen_[k] && chosen_[k]->precision >= round.precision)) {
        asked.push_back(k);
      }
    }
    const auto together = std::size_t(current_threads());
    for (std::size_t begin = 0; begin < asked.size(); begin += together) {
      const auto batch = std::span(asked).subspan(begin, std::min(together, asked.size() - begin));
      if (!take(batch, packed(batch, round.precision))) {
        return;
      }
    }
  }

  ColumnChoice choice() && {
    ColumnChoice result;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      if (chosen_[k]) {
        result.stored.push_back({&data_.columns[k], std::move(*chosen_[k])});
      } else {
        result.left_out.push_back(data_.columns[k].name);
      }
    }
    return result;
  }

 private:
  std::vector<PackedColumn> packed(std::span<const std::size_t> batch, Precision precision) const {
    std::vector<PackedColumn> result(batch.size());
    parallel_chunks(Index(batch.size()), 1, [&](Index begin, Index) {
      const auto& column = data_.columns[batch[std::size_t(begin)]];
      result[std::size_t(begin)] = pack(values_at(column, points_), precision, column.positive);
    });
    return result;
  }

  bool take(std::span<const std::size_t> batch, std::vector<PackedColumn> candidates) {
    for (std::size_t n = 0; n < batch.size(); ++n) {
      auto& slot = chosen_[batch[n]];
      const std::size_t used = used_ - (slot ? page_bytes(*slot) : 0) + page_bytes(candidates[n]);
      if (used > size_) {
        return false;
      }
      used_ = used;
      slot = std::move(candidates[n]);
    }
    return true;
  }

  const ReportData& data_;
  const std::vector<std::uint32_t>& points_;
  std::size_t size_;
  std::vector<std::optional<PackedColumn>> chosen_;
  std::size_t used_ = 0;
};

}  // namespace

std::size_t default_size(Index points) {
  constexpr double few = 1e4, few_bytes = 1.1e6;
  constexpr double many = 1e6, many_bytes = 2.42e7;
  const double share = std::clamp((double(points) - few) / (many - few), 0.0, 1.0);
  return std::size_t(few_bytes + share * (many_bytes - few_bytes));
}

ColumnChoice choose_columns(const ReportData& data, const std::vector<std::uint32_t>& points, std::size_t size) {
  Chooser chooser(data, points, size);
  for (const Round& round : rounds) {
    chooser.run(round);
  }
  return std::move(chooser).choice();
}

}  // namespace itomap::detail
