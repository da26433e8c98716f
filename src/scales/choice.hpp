// What a scan and the choice of a map's scales share.
#pragma once

#include "generator/choice.hpp"
#include "itomap/scales/kernel_sum.hpp"
#include "itomap/scales/scale_scan.hpp"

namespace itomap::detail {

/// scan_scales in the present execution, for a definition that has been validated.
ScaleScan scanned(const MapDefinition& map, const ScaleScanOptions& options = {});

/// The scale of steepest growth of the kernel sum, of points or distances; not wider than lists of these are good for.
ScaleSelection steepest_scale(const MapDefinition& map);

}  // namespace itomap::detail
