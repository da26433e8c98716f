// The maps that error bars are made of: at epsilon, 2 epsilon and 4 epsilon, on all points and without each block.
//
// Scale by scale, so that no more than one kernel and a part of it are held at a time. What is measured on a map is the
// caller's; see limits.hpp for what becomes of it.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include "analysis/limits.hpp"
#include "core/reporter.hpp"
#include "itomap/analysis/error_bars.hpp"
#include "scales/blocks.hpp"
#include "scales/replicates.hpp"

namespace itomap::detail {

/// One of the maps. The points of `map` are the rows `rows` of the whole.
struct Replicate {
  const Generator& map;
  const std::vector<Index>& rows;
  std::size_t scale;           ///< which of scale_factors
  std::optional<Index> block;  ///< that was left out; none: the whole
  const Vector& stationary;    ///< phi_0
  const PartModes* modes;      ///< where they were asked for
};

using Measure = std::function<Vector(const Replicate&)>;

/// What a measurement needs beside the map itself.
struct ReplicationNeeds {
  bool modes = false;  ///< the trusted ones; maps that are not reversible have them anyway
  CorrectionLimits correction{.steps = 8, .residual = 0.1};  ///< of the modes of a part: see part_modes
  bool graph = false;  ///< components of the parts, which have kernels of their own then
};

class Replicator {
 public:
  /// The map that the spectrum belongs to; both must outlive it.
  Replicator(const Generator& generator, const Spectrum& spectrum, const ErrorBarOptions& options);

  /// All measurements, with entries that are NaN where a replicate has no such number.
  ReplicatedValues measured(const ReplicationNeeds& needs, const Measure& measure);

  /// Numbers in the spectrum of the modes that replicates have: all that are not flagged as spurious.
  const std::vector<Index>& trusted() const { return trusted_; }
  const Replication& replication() const { return replication_; }
  /// At walls that reflect, the series is one of half powers from epsilon on.
  Extrapolation extrapolation() const { return Extrapolation::in_powers_of(replication_.power, next_power_); }
  /// Modes, by their numbers among the trusted ones, that have no likeness at a larger scale; known after modes were
  /// measured.
  const std::set<Index>& alone() const { return alone_; }

 private:
  std::vector<Index> run_ends() const;
  void choose_blocks();
  void choose_power();
  MapDefinition definition_at(std::size_t scale) const;
  std::optional<Solution> solution_at(std::size_t scale, const Generator& g, bool modes);
  static Vector measured_on(const Generator& map, const std::vector<Index>& rows, std::size_t scale,
                            std::optional<Index> block, const PartModes& modes, const Measure& measure);

  const Generator& generator_;
  const Spectrum& spectrum_;
  ErrorBarOptions options_;
  MapDefinition kept_;
  Replication replication_;
  double next_power_ = 2.0;
  std::optional<Blocks> blocks_;
  std::vector<Index> trusted_;
  std::optional<Solution> finest_;
  std::set<Index> alone_;
};

/// Values on the points of a part as values on all of them: NaN elsewhere.
Vector on_all_points(const Vector& values, const std::vector<Index>& rows, Index points);

}  // namespace itomap::detail
