// A scan of scales as JSON, with the keys of scale.json.
#pragma once

#include "io/json.hpp"
#include "itomap/scales/scale_scan.hpp"

namespace itomap::detail {

Json scan_json(const ScaleScan& scan);

}  // namespace itomap::detail
