// What turns measured errors into verdicts: medians over seeds, slopes in a log-log plot, errors of densities.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::statistics {

double median(std::vector<double> values);
double root_mean_square(VectorView values);

/// Slope of the least-squares line through (log x, log y).
double log_log_slope(const std::vector<double>& x, const std::vector<double>& y);

/// The median of measure(seed) over the seeds 1 to 5.
double median_over_seeds(const std::function<double(std::uint64_t)>& measure);

/// sum |u - v| / sum |v| after both are scaled to sum to 1: the l1 error of a density known up to a factor.
double relative_l1_error(VectorView estimate, VectorView truth);

/// Distance from `value` to the nearest of the values, which is taken out: counts multiplicities.
double take_nearest(std::vector<std::complex<double>>& values, std::complex<double> value);

}  // namespace itomap::statistics
