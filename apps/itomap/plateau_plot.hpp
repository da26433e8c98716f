// The plateau of the time scales over epsilon, for the eye.
#pragma once

#include <string>
#include <vector>

#include "itomap/scales/scale_scan.hpp"

namespace itomap::cli {

/// A column for each scale and a line for each share by which time scales differ from those in row `chosen`; modes
/// stand where they belong by their numbers. On a plateau all numbers stay near the line 0.
std::string plateau_plot(const std::vector<ScaleScanRow>& rows, Index chosen, bool density);

}  // namespace itomap::cli
