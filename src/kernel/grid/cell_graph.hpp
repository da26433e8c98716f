// The graph of a kernel whose metric is the same everywhere, without visiting every pair.
//
// Points are put into cells so small that a ball around a row's centre holds whole cells: what is inside is linked at
// once. Where thousands of points see each other, nearly all of the work is a look at a cell that is linked already.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel_geometry.hpp"
#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

/// Components, isolated and stranded points of a geometry with constant whitening, N <= 3, periods along its axes only;
/// mean_neighbours is left 0.
KernelGraph cell_graph(const KernelGeometry& geometry);

}  // namespace itomap::detail
