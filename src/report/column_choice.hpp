// Which columns a page holds, and how exactly.
//
// A page that can show everything comes first: all columns in coarse steps, those that a reader looks at first before
// the others. Then these (coordinates, slow eigenfunctions, weights, what was analysed) get fine steps, the first
// coordinates and functions become exact, and then the others, as far as the page has room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/packed_column.hpp"
#include "report/report_data.hpp"

namespace itomap::detail {

struct StoredColumn {
  const ReportColumn* column = nullptr;
  PackedColumn packed{};
};

struct ColumnChoice {
  std::vector<StoredColumn> stored{};  ///< in the order of the data's columns
  std::vector<std::string> left_out{};
};

/// Bytes for the numbers and values of so many points, unless the user says otherwise: a page of ten thousand has less
/// than 1.5 MB, one of a million less than 25 MB.
std::size_t default_size(Index points);

/// Columns at these points, in at most `size` bytes of the page.
ColumnChoice choose_columns(const ReportData& data, const std::vector<std::uint32_t>& points, std::size_t size);

}  // namespace itomap::detail
