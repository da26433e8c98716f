#include "support/problem_maps.hpp"

#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"

namespace itomap::samples {

std::vector<Map> all_maps(const Problem& p, const KernelOptions& kernel, const Execution& execution) {
  LocalKernelMapOptions local;
  local.epsilon = p.epsilon;
  local.density_epsilon = p.density_epsilon;
  local.eta = p.eta;
  local.keep_traps = true;
  local.kernel = kernel;
  local.execution = execution;
  LocalKernelMapOptions biased = local;
  biased.biased = true;
  return {
      diffusion_map(p.points, {.epsilon = p.epsilon, .alpha = generic_alpha, .kernel = kernel, .execution = execution}),
      target_measure_map(p.points, p.log_target, {.epsilon = p.epsilon, .kernel = kernel, .execution = execution}),
      local_kernel_map(p.points, p.drift, p.diffusion, local),
      local_kernel_map(p.points, p.drift, p.diffusion, biased)};
}

std::vector<reference::Map> all_reference_maps(const Problem& p) {
  const reference::LocalKernelParameters local{p.epsilon, p.density_epsilon, p.eta, p.period};
  return {reference::diffusion_map(p.points, p.epsilon, generic_alpha, p.period),
          reference::target_measure_map(p.points, p.log_target, p.epsilon, p.period),
          reference::local_kernel_map(p.points, p.drift, p.diffusion, local),
          reference::biased_local_kernel_map(p.points, p.drift, p.diffusion, local)};
}

std::string name_of(const Map& map) {
  switch (map.method()) {
    case Method::DiffusionMap:
      return "diffusion map";
    case Method::TargetMeasureMap:
      return "TMDmap";
    case Method::LocalKernelMap:
      return "LKDmap";
    case Method::BiasedLocalKernelMap:
      return "biased local kernel";
  }
  return "?";
}

Matrix markov_matrix(const Map& map) { return map.markov(Points::Identity(map.size(), map.size())); }

}  // namespace itomap::samples
