// Numbers that the page draws as they are: summaries of columns over all points, however few of these it shows.
#pragma once

#include "report/report_data.hpp"

namespace itomap::detail {

/// Smallest and largest value, the quantiles between which pictures begin, and how many points have no value.
Json summary_of(const ReportColumn& column, Index points);

/// How much stationary weight, and how much of the flux, lies at each committor: null without one.
Json committor_histogram(const ReportData& data);

/// How well each function is known: the root of the mean square of its errors, weighted by phi_0, for which the
/// function itself has 1. Null without error bars of functions.
Json function_errors(const ReportData& data);

/// The mean drift in the cells of a grid over each pair of the first coordinates: null without drift.
Json drift_fields(const ReportData& data);

/// 1 / sum_i phi_0(i)^2: how many equally weighted points the averages over the invariant measure are worth.
double effective_points(const ReportData& data);

}  // namespace itomap::detail
