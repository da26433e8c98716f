// Which points a page shows, and in which order it stores them.
#pragma once

#include <cstdint>
#include <vector>

#include "report/report_data.hpp"

namespace itomap::detail {

/// At most `most` of the points, drawn at random but the same ones each time, in an order in which neighbours in space
/// follow each other: their differences are small, and so is what is left of them when they are packed.
std::vector<std::uint32_t> shown_points(const ReportData& data, Index most);

}  // namespace itomap::detail
