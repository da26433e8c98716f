// Steps that the three maps share: checks, the kernel without isolated points, the Markov normalisation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "generator/generator.hpp"

namespace itomap::detail {

/// A generator that has its definition, execution and epsilon so far.
Generator started(MapDefinition definition);

/// A kernel, the points it stands for, and its graph.
struct ConnectedKernel {
  std::shared_ptr<const KernelOperator> kernel;
  std::vector<Index> kept;
  KernelGraph graph;
};

/// Builds the kernel on all points; with drop_isolated again without those that see nobody, until all see somebody.
/// A component of at most N points spans no volume, so no gradient can be seen on it: it is dropped too.
using KernelBuilder = std::function<std::shared_ptr<const KernelOperator>(const std::vector<Index>& kept)>;
ConnectedKernel connected_kernel(const Generator& generator, const KernelBuilder& build);

/// The rows of `values` that are kept; of nothing, nothing.
Vector kept_values(const Vector& values, const std::vector<Index>& kept);
Points kept_rows(PointsView values, const std::vector<Index>& kept);

/// Takes over the kernel and its graph, and reports what is wrong with them.
void adopt_kernel(Generator& generator, ConnectedKernel connected);

/// Says so if the kernel between landmarks is farther off than was asked for.
void warn_of_landmarks(const KernelPlan& plan, const KernelOptions& options, Diagnostics& diagnostics);

/// rho at the points; empty for a fixed bandwidth.
Vector bandwidth_of(const MapDefinition& definition);

/// Takes over rho at the points that are kept, the pace that follows from it, and d: as given, or the intrinsic
/// dimension that diagnostics hold, rounded, within the space that the points lie in.
void adopt_bandwidth(Generator& generator, const Vector& rho);

/// Kernel sums over a ball of radius rho become densities: q / rho^d.
void divide_by_volume(Generator& generator);

/// Sets d = exp(log_weights), scaled to a maximum of 1, and K d. Weights too small for a double are raised to the
/// smallest that is safe and counted in diagnostics.underflow_points.
void set_weights(Generator& generator, Vector log_weights);

/// The same where K d is known, of weights between e^-600 and 1.
void set_weights(Generator& generator, const Vector& log_weights, AccurateProduct sums);

/// Sets K d from the weights d.
void set_row_sums(Generator& generator);

/// The first of the points, as the user numbers them: "3, 17, 20, 21, 40, ...".
std::string list_points(const std::vector<Index>& points, const std::vector<Index>& kept);

}  // namespace itomap::detail
