// Eigenfunctions at the points of a block, and what has to be known of all points before they can be written.
#pragma once

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
  /// Blocks of node vectors as fields to gather from.
  struct Fields {
    std::vector<GridField> fields;
    Index columns = 0;
  };

  Fields fields_of(PointsView u) const;
  Block gathered(const SlabCloud& cloud, const Fields& fields) const;
  BlockFunctions plain(const BlockData& data, const BlockWeights& w) const;
  void add_reversible(const BlockFunctions& f, Vector& numbers) const;
  void add_general(const BlockData& data, const BlockWeights& w, const BlockFunctions& f, Vector& numbers) const;
  ModeSummary reversible_summary(const PassTotals& totals) const;
  ModeSummary general_summary(const PassTotals& totals) const;

  const BlockKernel& kernel_;
  const NodeModes& modes_;
  Fields right_re_, right_im_, left_re_, left_im_;
  Fields right_defect_re_, right_defect_im_, left_defect_re_, left_defect_im_;
  Fields stationary_;
};

}  // namespace itomap::detail
