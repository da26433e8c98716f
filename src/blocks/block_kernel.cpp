#include "blocks/block_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "blocks/grid_kernel.hpp"
#include "blocks/landmark_blocks.hpp"
#include "generator/local_map.hpp"
#include "kernel/grid/gauss_grid.hpp"

namespace itomap::detail {
namespace {

/// As in generator/traps.cpp: a row that sees fewer points may hold the process.
constexpr double fewest_in_reach = 4.0;

}  // namespace

BlockKernel::BlockKernel(const BlockInput& input, const BlockPasses& passes)
    : input_(input), passes_(passes), epsilon_(input.definition.epsilon.value()), density_epsilon_(epsilon_) {
  set_frames();
}

void BlockKernel::set_frames() {
  const MapDefinition& d = input_.definition;
  const Index n = input_.points.dimension();
  Points storage;
  const Eigen::RowVectorXd origin = input_.points.block(0, 1, storage).row(0);
  const auto isotropic = [&](double epsilon) {
    return KernelFrame(Whitening::isotropic(n, epsilon), d.kernel.period, origin, d.kernel.cutoff);
  };
  if (reversible()) {
    frame_ = isotropic(epsilon_);
    return;
  }
  density_epsilon_ =
      d.density_epsilon.is_value() ? d.density_epsilon.value() : epsilon_ * median_spread(*d.diffusion, 1, n, d.eta);
  frame_.emplace(Whitening::local(*d.diffusion, 1, n, epsilon_, d.eta), d.kernel.period, origin, d.kernel.cutoff);
  density_frame_ = isotropic(density_epsilon_);
}

Points BlockKernel::read_rows(const Trajectory& file, const BlockRange& block) const {
  Points storage;
  return file.block(block.begin, block.end, storage);
}

Points BlockKernel::steps(const BlockRange& block) const {
  return input_.drift ? Points(epsilon_ * read_rows(*input_.drift, block))
                      : Points::Zero(block.end - block.begin, input_.points.dimension());
}

double BlockKernel::largest_log_target(const BlockRange& block) const {
  const Points target = read_rows(*input_.target, block);
  if (input_.target_is_density && target.minCoeff() <= 0.0) {
    throw InvalidArgument(
        fmt::format("{}: a target density that is not positive has no logarithm; give the logarithm itself",
                    input_.target->name()));
  }
  const double largest = target.maxCoeff();
  return input_.target_is_density ? std::log(largest) : largest;
}

void BlockKernel::read_into(const BlockRange& block, BlockData& data) const {
  data.rows = read_rows(input_.points, block);
  if (input_.target) {
    data.log_target = read_rows(*input_.target, block).col(0);
    if (input_.target_is_density) {
      data.log_target = data.log_target.array().log();
    }
    data.log_target.array() -= largest_log_target_;
  }
}

/// log d, not above 0 and for no sensible map far below: sums of d keep their digits.
Vector BlockKernel::log_weights(const Vector& density, const BlockData& data) const {
  const MapDefinition& d = input_.definition;
  switch (d.method) {
    case Method::DiffusionMap: {
      const double most = d.alpha < 0.0 ? std::log(double(passes_.points())) : 0.0;
      return -d.alpha * (density.array().log() - most);
    }
    case Method::TargetMeasureMap:
      return 0.5 * data.log_target.array() - density.array().log();
    case Method::LocalKernelMap:
      return -density.array().log();
    case Method::BiasedLocalKernelMap:
      break;
  }
  return Vector::Zero(density.size());
}

Vector BlockKernel::block_weights(const Vector& density, const BlockData& data) const {
  constexpr double smallest_log_weight = -600.0;
  return log_weights(density, data).cwiseMax(smallest_log_weight).array().exp();
}

Vector BlockKernel::add_measure(const BlockWeights& w, Vector& numbers) const {
  Vector factors = w.weights.cwiseQuotient(w.row_sums);
  for (Index i = 0; i < factors.size(); ++i) {
    numbers[Lost] += lost(w, i) ? 1.0 : 0.0;
    numbers[Weak] += !reversible() && w.rows_hold[i] < fewest_in_reach ? 1.0 : 0.0;
    factors[i] = left_out(w, i) ? 0.0 : factors[i];
  }
  const Vector measure = w.weights.cwiseProduct(w.row_sums);
  numbers[Total] = measure.sum();
  numbers[Squares] = measure.squaredNorm();
  return factors;
}

void BlockKernel::set_measure(const PassTotals& totals) {
  lost_points_ = Index(totals.sum(Lost));
  if (!reversible() && (lost_points_ > 0 || (totals.sum(Weak) > 0.0 && !input_.definition.keep_traps))) {
    throw NotInBlocks(
        fmt::format("blocks: {:.0f} row(s) see next to nothing, and only a map in memory can look at them one by one; "
                    "raise epsilon, or leave out points that are far from all others",
                    std::max(totals.sum(Weak), double(lost_points_))));
  }
  total_weight_ = totals.sum(Total);
  effective_points_ = total_weight_ * total_weight_ / totals.sum(Squares);
}

Engine block_engine(const MapDefinition& definition, Index dimension) {
  const Engine asked = definition.kernel.engine;
  if (asked != Engine::Auto) {
    return asked;
  }
  return dimension <= GaussGrid::max_dimension ? Engine::Grid : Engine::Landmarks;
}

std::unique_ptr<const BlockKernel> make_block_kernel(const BlockInput& input, const BlockPasses& passes) {
  if (block_engine(input.definition, input.points.dimension()) == Engine::Grid) {
    return std::make_unique<const GridKernel>(input, passes);
  }
  return std::make_unique<const LandmarkBlocks>(input, passes);
}

}  // namespace itomap::detail
