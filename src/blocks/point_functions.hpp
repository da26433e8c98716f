// Eigenfunctions at the points of a block, and what has to be known of all points before they can be written.
#pragma once

#include <memory>
#include <vector>

#include "blocks/block_kernel.hpp"
#include "blocks/node_modes.hpp"

namespace itomap::detail {

/// At the points of a block; columns are modes beyond the zero mode.
struct BlockFunctions {
  Vector density;
  Vector stationary;
  Block psi_re, psi_im;
  Block phi_re, phi_im;
};

/// What a pass over all points finds out about the modes.
struct ModeSummary {
  Vector residuals;
  Vector left_residuals;
  Vector effective_points;
  Vector condition;      ///< 1 for reversible maps
  ComplexVector factor;  ///< that psi is multiplied by for unit mean square and a fixed phase, and phi divided
};

class PointFunctions {
 public:
  /// Both must outlive it.
  PointFunctions(const BlockKernel& kernel, const NodeModes& modes);

  /// Looks at all points once.
  ModeSummary summary(const BlockPasses& passes, const std::string& pass) const;

  /// The functions with these factors, NaN where a row is lost.
  BlockFunctions at(const BlockRange& block, const ComplexVector& factor) const;

 private:
  BlockFunctions plain(const BlockData& data, const BlockWeights& w) const;
  void add_reversible(const BlockFunctions& f, Vector& numbers) const;
  void add_general(const BlockData& data, const BlockWeights& w, const BlockFunctions& f, Vector& numbers) const;
  ModeSummary reversible_summary(const PassTotals& totals) const;
  ModeSummary general_summary(const PassTotals& totals) const;

  const BlockKernel& kernel_;
  const NodeModes& modes_;
  // Of real parts, and imaginary ones behind them.
  std::unique_ptr<const NodeFields> right_;
  std::unique_ptr<const NodeFields> left_;  // and the stationary one behind these
  std::unique_ptr<const NodeFields> right_defect_;
  std::unique_ptr<const NodeFields> left_defect_;
};

}  // namespace itomap::detail
