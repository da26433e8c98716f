#include "itomap/blocks/block_map.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "blocks/block_kernel.hpp"
#include "blocks/checkpoint.hpp"
#include "blocks/node_modes.hpp"
#include "blocks/passes.hpp"
#include "blocks/point_functions.hpp"
#include "core/context.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "generator/assemble.hpp"
#include "generator/generator.hpp"
#include "io/npy_rows.hpp"
#include "itomap/analysis/embedding.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/array_file.hpp"
#include "kernel/grid/gauss_grid.hpp"
#include "spectrum/solve.hpp"

namespace itomap {
using namespace detail;
namespace {

const Ranks alone;

/// Name, length and time of a file; the name alone of what is none.
std::string file_identity(const Trajectory& rows) {
  struct stat status {};
  const bool known = ::stat(rows.name().c_str(), &status) == 0;
  return fmt::format("{} {} x {} {} {}.{:09d}", rows.name(), rows.frames(), rows.dimension(),
                     known ? status.st_size : 0, known ? status.st_mtim.tv_sec : 0, known ? status.st_mtim.tv_nsec : 0);
}

/// Blocks of landmarks are smaller: what these see of their points is kept while a block is at work.
Index block_points(const BlockInput& input, const BlockOptions& options) {
  if (options.block_points > 0) {
    return options.block_points;
  }
  const bool grid = block_engine(input.definition, input.points.dimension()) == Engine::Grid;
  return Index(1) << (grid ? 18U : 12U);
}

/// Everything that the sums of a run depend on.
std::string identity_of(const BlockInput& input, const BlockOptions& options) {
  const MapDefinition& d = input.definition;
  std::string text =
      fmt::format("itomap {}\n{}\npoints {}\n", version(), to_string(d.method), file_identity(input.points));
  if (input.target) {
    text += fmt::format("{} {}\n", input.target_is_density ? "target" : "log-target", file_identity(*input.target));
  }
  if (input.drift) {
    text += fmt::format("drift {}\n", file_identity(*input.drift));
  }
  if (d.diffusion) {
    const Points& a = d.diffusion->values();
    text += "diffusion";
    for (Index k = 0; k < a.size(); ++k) {
      text += fmt::format(" {}", a.data()[k]);
    }
    text += "\n";
  }
  text += fmt::format("epsilon {} density {} alpha {} eta {} cutoff {} blocks {}\nperiod", d.epsilon.value(),
                      d.density_epsilon.is_value() ? d.density_epsilon.value() : 0.0, d.alpha, d.eta, d.kernel.cutoff,
                      block_points(input, options));
  for (const double period : d.kernel.period) {
    text += fmt::format(" {}", period);
  }
  text += fmt::format("\nengine {} landmarks {} error {}", to_string(block_engine(d, input.points.dimension())),
                      d.kernel.landmarks, d.kernel.landmark_error);
  return text + fmt::format("\neigs {} seed {} tolerance {}\n", options.eigenpairs.count, options.eigenpairs.seed,
                            options.eigenpairs.tolerance);
}

/// Unless somebody says how many threads, those who share a machine share its cores.
Execution shared_execution(Execution execution, const Ranks& ranks) {
  if (execution.threads == 0 && ranks.on_this_machine() > 1) {
    const ExecutionScope scope(execution);
    execution.threads = std::max(1, current_threads() / ranks.on_this_machine());
  }
  return execution;
}

std::string of_the_first(const Ranks& ranks, std::string text) {
  std::uint64_t length = text.size();
  ranks.broadcast(std::as_writable_bytes(std::span(&length, 1)));
  text.resize(length);
  ranks.broadcast(std::as_writable_bytes(std::span(text)));
  return text;
}

void check_input(const BlockInput& input, const BlockOptions& options) {
  check_in_blocks(input.definition, input.points.dimension());
  if (options.block_points < 0) {
    throw InvalidArgument(fmt::format("block_points: {} is no number of points; 0 chooses one", options.block_points));
  }
  const Index m = input.points.frames();
  options.eigenpairs.validate(m);
  input.definition.kernel.validate(std::size_t(input.points.dimension()));
  for (const auto* file : {&input.target, &input.drift}) {
    if (*file && (*file)->frames() != m) {
      throw InvalidArgument(fmt::format("{} has {} rows but {} has {}: one row per point is needed", (*file)->name(),
                                        (*file)->frames(), input.points.name(), m));
    }
  }
  if ((input.definition.method == Method::TargetMeasureMap) != input.target.has_value() ||
      (input.target && input.target->dimension() != 1)) {
    throw InvalidArgument("target: TMDmap needs one number per point, the others none");
  }
  if (input.definition.local()) {
    input.definition.diffusion->validate(m, input.points.dimension(), input.definition.eta);
  }
  if (input.drift && input.drift->dimension() != input.points.dimension()) {
    throw InvalidArgument("drift: needs one number per coordinate");
  }
}

/// A map without its points: what files and reports say about it.
Map described(const BlockInput& input, const BlockKernel& kernel) {
  Generator g;
  g.definition = input.definition;
  g.definition.points = PointCloud(nullptr, input.points.frames(), input.points.dimension());
  g.definition.density_epsilon = kernel.density_epsilon();
  g.reversible = kernel.reversible();
  g.epsilon = kernel.epsilon();
  g.density_epsilon = kernel.density_epsilon();
  g.plan = kernel.plan();
  Diagnostics& d = g.diagnostics;
  d.mean_neighbours = kernel.mean_neighbours();
  d.intrinsic_dimension = kernel.intrinsic_dimension();
  if (kernel.lost_points() > 0) {
    d.warnings.push_back(
        fmt::format("{} point(s) have so little weight that the {} nothing about them: eigenvalues are not affected, "
                    "functions there are NaN",
                    kernel.lost_points(), g.plan.engine == Engine::Grid ? "grid says" : "landmarks say"));
  }
  warn_of_landmarks(g.plan, g.definition.kernel, d);
  return map_of(std::move(g));
}

/// Modes that are chosen, and the functions they come from.
struct SolvedModes {
  NodeModes modes;
  ModeSummary summary;
  std::vector<Index> chosen;  ///< columns beyond the zero mode
  Spectrum spectrum;
};

/// Stands for the points in what computes condition numbers from functions: one point that has them.
void set_conditions(const Vector& conditions, Spectrum& spectrum) {
  spectrum.stationary = Vector::Ones(1);
  spectrum.left_eigenfunctions.re = conditions.transpose();
  spectrum.left_eigenfunctions.im = Block::Zero(1, conditions.size());
  spectrum.eigenfunctions = spectrum.left_eigenfunctions;
}

void fill_spectrum(const BlockKernel& kernel, const EigenpairsOptions& options, const std::vector<KnownMode>& listed,
                   SolvedModes& solved) {
  Spectrum& s = solved.spectrum;
  const auto count = Index(listed.size());
  Eigen::VectorXcd mu = Eigen::VectorXcd::Ones(count);
  Vector conditions = Vector::Ones(count);
  s.residuals = s.left_residuals = Vector::Zero(count);
  s.effective_points = Vector::Constant(count, kernel.effective_points());
  for (Index n = 0; n < count; ++n) {
    const KnownMode& mode = listed[std::size_t(n)];
    if (mode.spurious) {
      s.spurious.push_back(n);
    }
    if (mode.kind == KnownMode::Kind::Solved) {
      solved.chosen.push_back(mode.n);
      mu[n] = mode.mu;
      s.residuals[n] = solved.summary.residuals[mode.n];
      s.left_residuals[n] = solved.summary.left_residuals[mode.n];
      s.effective_points[n] = solved.summary.effective_points[mode.n];
      conditions[n] = solved.summary.condition[mode.n];
    }
  }
  if (!kernel.reversible()) {
    set_conditions(conditions, s);
  }
  s.condensed_size = kernel.nodes();
  set_eigenvalues(s, mu, kernel.epsilon());
  set_status(s, options.tolerance, solved.modes.complete);
  if (!s.spurious.empty()) {
    s.warnings.push_back(
        fmt::format("{} mode(s) live on a handful of points each and are flagged as spurious: "
                    "outliers, not slow processes; raise epsilon",
                    s.spurious.size()));
  }
}

/// As many true modes as were asked for, if few enough are spurious.
SolvedModes solved_modes(const BlockKernel& kernel, const BlockPasses& passes, const EigenpairsOptions& options) {
  const Index asked = options.count + 1;
  const Index most = std::min(options.count + most_spurious(asked), kernel.nodes() - 1);
  SolvedModes solved;
  Index products = 0;
  for (Index wanted = std::min(options.count, most);;) {
    solved.modes = node_modes(kernel, options, wanted, passes.ranks());
    products += solved.modes.products;
    solved.summary = PointFunctions(kernel, solved.modes).summary(passes, fmt::format("functions {}", wanted));
    std::vector<KnownMode> known{{KnownMode::Kind::Zero, 0, 1.0, false}};
    for (Index n = 0; n < solved.modes.count(); ++n) {
      known.push_back({KnownMode::Kind::Solved, n, solved.modes.mu[n],
                       solved.summary.effective_points[n] < fewest_points(options.spurious_error)});
    }
    const Index missing = asked - true_modes(known);
    if (missing <= 0 || wanted >= most || !solved.modes.complete) {
      const auto listed = chosen_modes(known, asked, 0, solved.spectrum);
      fill_spectrum(kernel, options, listed, solved);
      solved.spectrum.condensed_products = products;
      return solved;
    }
    wanted = std::min(most, wanted + std::max<Index>(missing, 4));
  }
}

/// The arrays that are asked for, with one row for each point.
class BlockArrays {
 public:
  BlockArrays(const BlockInput& input, const BlockKernel& kernel, const SolvedModes& solved,
              std::filesystem::path folder, const SaveOptions& save, const Ranks& ranks)
      : input_(input), kernel_(kernel), solved_(solved), folder_(std::move(folder)), save_(save), ranks_(ranks) {
    // The first creates the files, the others find them.
    for (const bool create : {true, false}) {
      if (ranks.first() == create) {
        open_all(create);
      }
      ranks.broadcast(std::as_writable_bytes(std::span(&token_, 1)));
    }
  }

  void write(const BlockPasses& passes) {
    const PointFunctions functions(kernel_, solved_.modes);
    passes.visit("write", [&](const BlockRange& block) {
      const BlockFunctions f = functions.at(block, solved_.summary.factor);
      write_functions(block, f);
      write_inputs(block);
    });
    for (auto& [name, file] : files_) {
      file->close();
    }
    std::int64_t done = 1;  // nobody goes on before all have written
    ranks_.add(std::span(&done, 1));
  }

 private:
  void open(const std::string& name, Index cols, bool complex, bool create, FloatWidth width) {
    files_[name] = std::make_unique<NpyRows>((folder_ / (name + ".npy")).string(), input_.points.frames(), cols,
                                             complex, width, create);
  }

  void open_all(bool create) {
    const Index modes = Index(solved_.chosen.size()) + 1;
    const bool complex = !kernel_.reversible();
    const FloatWidth width = save_.single ? FloatWidth::Single : FloatWidth::Double;
    const auto open_array = [&](const char* name, Index cols, bool is_complex) {
      if (save_.writes(name)) {
        open(name, cols, is_complex, create, width);
      }
    };
    open_array("eigenfunctions", modes, complex);
    open_array("left_eigenfunctions", modes, complex);
    open_array("stationary", 0, false);
    open_array("density", 0, false);
    open_array("embedding", modes - 1, false);
    if (save_.writes("inputs")) {
      open("points", input_.points.dimension(), false, create, FloatWidth::Double);
      if (input_.target) {
        open("log_target", 0, false, create, FloatWidth::Double);
      }
      if (complex) {
        open("drift", input_.points.dimension(), false, create, FloatWidth::Double);
      }
    }
  }

  template <class... Parts>
  void write_rows(const char* name, Index first, const Parts&... parts) const {
    if (const auto found = files_.find(name); found != files_.end()) {
      found->second->write(first, parts...);
    }
  }

  /// psi_0 = 1 or phi_0, and the chosen ones behind it.
  Block with_zero_mode(const Vector& zero, const Block& all) const {
    Block functions(all.rows(), Index(solved_.chosen.size()) + 1);
    functions.col(0) = zero;
    functions.rightCols(functions.cols() - 1) = all(Eigen::all, solved_.chosen);
    return functions;
  }

  void write_functions(const BlockRange& block, const BlockFunctions& f) const {
    const Vector one = Vector::Ones(f.stationary.size());
    const Block psi = with_zero_mode(one, f.psi_re);
    const Block phi = with_zero_mode(f.stationary, f.phi_re);
    const Block stationary = f.stationary;
    const Block density = f.density;
    write_rows("stationary", block.begin, stationary);
    write_rows("density", block.begin, density);
    if (kernel_.reversible()) {
      write_rows("eigenfunctions", block.begin, psi);
      write_rows("left_eigenfunctions", block.begin, phi);
    } else {
      const Vector zero = Vector::Zero(one.size());
      write_rows("eigenfunctions", block.begin, psi, with_zero_mode(zero, f.psi_im));
      write_rows("left_eigenfunctions", block.begin, phi, with_zero_mode(zero, f.phi_im));
    }
    if (files_.contains("embedding")) {
      Spectrum here;
      here.eigenvalues = solved_.spectrum.eigenvalues;
      here.eigenfunctions.re = psi;
      if (!kernel_.reversible()) {
        here.eigenfunctions.im = with_zero_mode(Vector::Zero(one.size()), f.psi_im);
      }
      write_rows("embedding", block.begin, embedding(here));
    }
  }

  void write_inputs(const BlockRange& block) const {
    if (!save_.writes("inputs")) {
      return;
    }
    Points storage;
    write_rows("points", block.begin, Block(input_.points.block(block.begin, block.end, storage)));
    if (input_.target) {
      Block target = input_.target->block(block.begin, block.end, storage);
      if (input_.target_is_density) {
        target = target.array().log();
      }
      write_rows("log_target", block.begin, target);
    }
    if (!kernel_.reversible()) {
      write_rows("drift", block.begin,
                 input_.drift ? Block(input_.drift->block(block.begin, block.end, storage))
                              : Block::Zero(block.end - block.begin, input_.points.dimension()));
    }
  }

  const BlockInput& input_;
  const BlockKernel& kernel_;
  const SolvedModes& solved_;
  std::filesystem::path folder_;
  const SaveOptions& save_;
  const Ranks& ranks_;
  std::map<std::string, std::unique_ptr<NpyRows>> files_;
  char token_ = 0;
};

}  // namespace

void check_in_blocks(const MapDefinition& d, Index dimension) {
  const auto refuse = [](const char* why) { throw NotInBlocks(fmt::format("blocks: {}", why)); };
  if (!d.distances.empty()) {
    refuse("distances are not points");
  }
  if (dimension < 1) {
    refuse("points need a coordinate");
  }
  const Engine engine = block_engine(d, dimension);
  const bool periodic = std::any_of(d.kernel.period.begin(), d.kernel.period.end(), [](double p) { return p > 0.0; });
  if (engine == Engine::Grid && dimension > GaussGrid::max_dimension) {
    refuse("points of more than three coordinates need the engine landmarks");
  }
  if (engine != Engine::Grid && engine != Engine::Landmarks) {
    refuse("points in blocks need the engine grid or landmarks");
  }
  if (engine == Engine::Landmarks && periodic) {
    refuse("landmarks do not know periodic coordinates; give cosine and sine of an angle instead");
  }
  if (!d.epsilon.is_value()) {
    refuse("epsilon has to be a number; choose it on some of the points with itomap scale");
  }
  if (d.normalization != Normalization::Paper || !d.bandwidth.fixed()) {
    refuse("bistochastic weights and variable bandwidths need all points in memory");
  }
  if (d.method == Method::DiffusionMap && std::abs(d.alpha) > 2.0) {
    refuse("alpha has to be between -2 and 2");
  }
  if (!d.local()) {
    return;
  }
  const bool constant = d.diffusion && (d.diffusion->kind() == Diffusion::Kind::Constant ||
                                        d.diffusion->kind() == Diffusion::Kind::ConstantMatrix);
  if (!constant) {
    refuse("LKDmap needs one A for all points");
  }
  if (periodic && d.diffusion->kind() == Diffusion::Kind::ConstantMatrix) {
    refuse("periodic coordinates need a number for A");
  }
  if (d.step != Step::Euler) {
    refuse("Heun steps need all points in memory");
  }
  if (!d.density_epsilon.is_value() && !(d.density_epsilon == Scale::balanced())) {
    refuse("density_epsilon has to be a number");
  }
}

BlockOutcome map_in_blocks(const BlockInput& input, const BlockOptions& options, std::string folder,
                           const SaveOptions& save) {
  const Ranks& ranks = options.ranks != nullptr ? *options.ranks : alone;
  const Execution execution = shared_execution(options.execution, ranks);
  const ExecutionScope scope(execution);
  check_input(input, options);
  folder = of_the_first(ranks, std::move(folder));
  std::optional<Checkpoint> checkpoint;
  if (!options.checkpoint.empty()) {
    checkpoint.emplace(options.checkpoint, identity_of(input, options), ranks,
                       Checkpoint::Interval(options.checkpoint_seconds));
  }
  const BlockPasses passes(input.points.frames(), block_points(input, options), ranks,
                           checkpoint ? &*checkpoint : nullptr);
  SaveOptions timed = save;
  std::unique_ptr<const BlockKernel> kernel;
  {
    const Stopwatch timer(timed.run.seconds["kernel"]);
    kernel = make_block_kernel(input, passes);
  }
  SolvedModes solved;
  {
    const Stopwatch timer(timed.run.seconds["eigenpairs"]);
    solved = solved_modes(*kernel, passes, options.eigenpairs);
  }
  if (!folder.empty()) {
    const Stopwatch timer(timed.run.seconds["write"]);
    BlockArrays(input, *kernel, solved, folder, save, ranks).write(passes);
    if (ranks.first()) {
      write_small_arrays(folder, input.definition, solved.spectrum, save);
    }
  }
  const Map map = described(input, *kernel);
  BlockOutcome outcome;
  outcome.json = result_json(map, solved.spectrum, timed);
  if (!folder.empty() && ranks.first()) {
    write_text((std::filesystem::path(folder) / "result.json").string(), outcome.json);
  }
  outcome.map_report = map.report();
  outcome.run = std::move(timed.run);
  outcome.warnings = map.diagnostics().warnings;
  outcome.warnings.insert(outcome.warnings.end(), solved.spectrum.warnings.begin(), solved.spectrum.warnings.end());
  outcome.spectrum = std::move(solved.spectrum);
  return outcome;
}

void forget_checkpoint(const std::string& checkpoint) { Checkpoint::remove(checkpoint); }

}  // namespace itomap
