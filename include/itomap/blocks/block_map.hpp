// Maps of points that come in blocks: files larger than memory, and shares of several processes.
//
// The engines grid and landmarks solve a problem whose matrix is a sum over the points, so that no point has to stay. A
// few passes over the data make density, weights and that matrix; eigenpairs are found on the nodes of the grid, or
// between the landmarks; a last pass gathers the eigenfunctions and writes them, block by block. Memory depends on the
// grid or the landmarks alone, not on the number of points.
//
// Contract: the same bits for any number of threads and ranks, from memory or from a file, and after an interruption
// that a checkpoint survived. Eigenvalues and functions are those of make_map and eigenpairs with the same engine, to
// its accuracy and that of the solver; not their bits: these sum in another order, and landmarks are found in a sample
// of the file, not of space.
//
// For one epsilon for all points that is given as a number, the paper's normalization, and for LKDmap one A for all
// points and Euler steps; all points must hang together. Up to three coordinates take the grid, periodic ones too, if
// landmarks are not asked for; more of them take landmarks. NotInBlocks says which of it fails.
//
//   BlockInput input{.definition = {.method = Method::TargetMeasureMap, .epsilon = 0.003},
//                    .points = open_rows("x.npy"), .target = open_rows("log_pi.npy")};
//   OutputDirectory out("result", false);
//   map_in_blocks(input, {.checkpoint = "unfinished"}, out.path(""));
//   out.commit();
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "itomap/core/error.hpp"
#include "itomap/core/ranks.hpp"
#include "itomap/dynamics/trajectory.hpp"
#include "itomap/generator/map_definition.hpp"
#include "itomap/io/result.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

/// The map is of a kind, or the points lie so, that only a map in memory can be made of them.
class NotInBlocks : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

struct BlockInput {
  /// Method, scales and options; points, target and drift are left empty and come from the files below.
  MapDefinition definition{};
  Trajectory points;                   ///< m x N, in any order
  std::optional<Trajectory> target{};  ///< m numbers, TMDmap: log pi
  bool target_is_density = false;      ///< the target is pi itself, > 0
  std::optional<Trajectory> drift{};   ///< m x N, LKDmap; 0 unless given
};

struct BlockOptions {
  EigenpairsOptions eigenpairs{};
  Execution execution{};
  /// Where sums are kept while the run lasts, so that the same call goes on after a kill; empty: nowhere.
  std::string checkpoint{};
  double checkpoint_seconds = 10.0;  ///< between two saves
  Index block_points = 0;            ///< a block; 0: as many as suit the engine
  const Ranks* ranks = nullptr;      ///< the processes that share the work; null: this one alone
};

/// What there is to say about a map whose functions went to files.
struct BlockOutcome {
  std::string json;        ///< the content of result.json
  std::string map_report;  ///< as Map::report
  RunRecord run;           ///< with the seconds of its stages
  Spectrum spectrum;       ///< eigenvalues and all that is said of pairs; without functions
  std::vector<std::string> warnings;
};

/// From how many points on a map should be made in blocks where it can: below, memory is no matter.
constexpr Index many_points = Index(1) << 22U;

/// Throws NotInBlocks for what can be told before any pass.
void check_in_blocks(const MapDefinition& definition, Index dimension);

/// Writes the result into a folder that is there, unless its name is empty. With several ranks all call this; what the
/// first of them says about the folder holds for all, so that it alone needs an OutputDirectory, and commits.
/// SaveOptions say which arrays, and how the run was called.
BlockOutcome map_in_blocks(const BlockInput& input, const BlockOptions& options = {}, std::string folder = {},
                           const SaveOptions& save = {});

/// The run is over and its result in place: removes what the checkpoint kept.
void forget_checkpoint(const std::string& checkpoint);

}  // namespace itomap
