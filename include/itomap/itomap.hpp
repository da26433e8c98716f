// Everything: points to generator to spectrum to files.
//
//   #include <itomap/itomap.hpp>
//
//   const auto map = itomap::target_measure_map(points, log_target, {.epsilon = 0.01});
//   const auto spectrum = itomap::eigenpairs(map, {.count = 10});
#pragma once

#include "itomap/analysis/average.hpp"
#include "itomap/analysis/cluster.hpp"
#include "itomap/analysis/committor.hpp"
#include "itomap/analysis/embedding.hpp"
#include "itomap/analysis/extension.hpp"
#include "itomap/analysis/kmeans.hpp"
#include "itomap/analysis/pcca.hpp"
#include "itomap/analysis/scale_scan.hpp"
#include "itomap/analysis/uncertainty.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/progress.hpp"
#include "itomap/core/types.hpp"
#include "itomap/core/version.hpp"
#include "itomap/dynamics/align.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"
#include "itomap/dynamics/trajectory.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/generator.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/map_definition.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/io/estimate.hpp"
#include "itomap/io/index_file.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/io/result.hpp"
#include "itomap/io/stored_map.hpp"
#include "itomap/io/trajectory_file.hpp"
#include "itomap/kernel/bandwidth.hpp"
#include "itomap/kernel/diffusion.hpp"
#include "itomap/kernel/kernel_operator.hpp"
#include "itomap/kernel/kernel_options.hpp"
#include "itomap/kernel/plan.hpp"
#include "itomap/kernel/scale.hpp"
#include "itomap/spectrum/spectrum.hpp"
