#include "analysis/replication.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/agreement.hpp"
#include "core/numbers.hpp"
#include "generator/maps.hpp"
#include "generator/wall_sample.hpp"
#include "itomap/core/shares.hpp"
#include "scales/row_correlation.hpp"
#include "spectrum/solve.hpp"

namespace itomap::detail {
namespace {

/// Modes whose memory along the rows is looked at: the slowest, which forget last.
constexpr Index leading_modes = 3;
/// Blocks so many times longer than tau, twice the time in which correlations decay by e, miss a tenth of sigma.
constexpr double tau_a_block = 2.5;
constexpr Index few_blocks = 8;
constexpr Index fewest_rows_a_block = ErrorBarOptions::fewest_points / 2;

std::vector<Index> all_rows(Index points) {
  std::vector<Index> rows(std::size_t(points), 0);
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

/// Modes that do not live on a handful of points: those would come and go with these.
std::vector<Index> trusted_modes(const Spectrum& spectrum) {
  std::vector<Index> trusted;
  for (Index n = 0; n < spectrum.eigenvalues.size(); ++n) {
    if (n == 0 || !spectrum.is_spurious(n)) {
      trusted.push_back(n);
    }
  }
  return trusted;
}

Solution with_modes(Solution s, const std::vector<Index>& modes) {
  if (Index(modes.size()) < s.lambda.size()) {
    s.psi = columns_of(s.psi, modes);
    s.phi = columns_of(s.phi, modes);
    s.lambda = Eigen::VectorXcd(s.lambda(modes));
  }
  return s;
}

/// Real and imaginary parts of the slowest modes that are not flagged.
Points leading_functions(const Spectrum& spectrum) {
  std::vector<Vector> functions;
  Index found = 0;
  for (Index n = 1; n < spectrum.eigenvalues.size() && found < leading_modes; ++n) {
    if (spectrum.is_spurious(n) || !(spectrum.eigenvalues[n].real() < 0.0)) {
      continue;
    }
    functions.emplace_back(spectrum.eigenfunctions.re.col(n));
    if (spectrum.eigenvalues[n].imag() != 0.0) {
      functions.emplace_back(spectrum.eigenfunctions.im.col(n));
    }
    ++found;
  }
  Points columns(spectrum.eigenfunctions.rows(), Index(functions.size()));
  for (std::size_t k = 0; k < functions.size(); ++k) {
    columns.col(Index(k)) = functions[k];
  }
  return columns;
}

}  // namespace

Replicator::Replicator(const Generator& generator, const Spectrum& spectrum, const ErrorBarOptions& options)
    : generator_(generator),
      spectrum_(spectrum),
      options_(options),
      kept_(generator.definition.subset(generator.kept)),
      trusted_(trusted_modes(spectrum)) {
  options_.validate(generator.size(), generator.input_points());
  replication_.epsilon = generator.epsilon;
  choose_blocks();
  choose_power();
}

/// Ends of runs among the rows that are in the map.
std::vector<Index> Replicator::run_ends() const {
  std::vector<Index> ends;
  Index end = 0;
  for (const Index length : options_.runs) {
    end += length;
    const auto kept = std::lower_bound(generator_.kept.begin(), generator_.kept.end(), end) - generator_.kept.begin();
    if (kept > (ends.empty() ? 0 : ends.back())) {
      ends.push_back(Index(kept));
    }
  }
  return ends;
}

void Replicator::choose_blocks() {
  const std::vector<Index> ends = run_ends();
  const Index rows = generator_.size();
  const RowCorrelation memory = row_correlation(leading_functions(spectrum_), ends);
  blocks_ = make_blocks(rows, std::min(options_.blocks, rows / fewest_rows_a_block), ends, tau_a_block * memory.rows);
  replication_.blocks = blocks_->count();
  replication_.correlated_rows = memory.rows;
  const double independent = double(rows) / memory.rows;
  const bool runs_are_blocks = Index(ends.size()) >= options_.blocks;
  if (!runs_are_blocks && (!memory.resolved || independent < tau_a_block * double(few_blocks))) {
    replication_.warnings.push_back(
        fmt::format("rows: along them the slowest modes are correlated over {}{:.0f} rows, so that {} rows are worth "
                    "{:.0f} independent "
                    "ones: {} blocks are too few or too short for error bars that one can rely on; take a longer "
                    "trajectory, or mix "
                    "the rows if their order means nothing",
                    memory.resolved ? "" : "more than ", memory.rows, rows, independent, replication_.blocks));
  }
}

void Replicator::choose_power() {
  const WallSample sample = generator_.wall_sample ? *generator_.wall_sample : sample_walls(generator_);
  const WallWeight walls = wall_weight(sample, spectrum_.stationary);
  replication_.wall_weight = walls.walls() ? walls.weight : 0.0;
  const bool reflected = generator_.definition.normalization == Normalization::Bistochastic;
  replication_.power = options_.power.value_or(walls.walls() && !reflected ? 0.5 : 1.0);
  next_power_ = walls.walls() && reflected && !options_.power ? 1.5 : 2.0 * replication_.power;
}

MapDefinition Replicator::definition_at(std::size_t scale) const {
  MapDefinition map = at_scale(kept_, generator_, scale_factors[scale]);
  map.drop_isolated = false;
  return map;
}

/// The modes at a scale, in the order of the finest, where somebody needs them.
std::optional<Solution> Replicator::solution_at(std::size_t scale, const Generator& g, bool modes) {
  if (!modes && g.reversible) {
    return {};
  }
  if (scale == 0) {
    finest_ = with_modes(solution_of(definition_at(0), g, spectrum_), trusted_);
    return finest_;
  }
  const Index wanted = std::min<Index>(finest_->lambda.size() + 2, g.size() - 1);
  Solution wider = solution_of(definition_at(scale), g, eigenpairs_of(g, {.count = wanted}));
  const auto without_likeness = reorder(*finest_, wider);
  alone_.insert(without_likeness.begin(), without_likeness.end());
  return wider;
}

/// What one map gives, whole or part; `modes` is empty where nobody needs them.
Vector Replicator::measured_on(const Generator& map, const std::vector<Index>& rows, std::size_t scale,
                               std::optional<Index> block, const PartModes& modes, const Measure& measure) {
  const Vector stationary = stationary_of(map, modes);
  return measure({map, rows, scale, block, stationary, modes.lambda.size() > 0 ? &modes : nullptr});
}

ReplicatedValues Replicator::measured(const ReplicationNeeds& needs, const Measure& measure) {
  ReplicatedValues values;
  // Processes that share the rows of every kernel make all replicates together.
  const Shares shares(current_ranks() != nullptr ? nullptr : options_.ranks);
  Stage stage("error bars");
  const double rounds = double(scale_count) * double(1 + shares.largest(blocks_->count()));
  double done = 0.0;
  for (std::size_t k = 0; k < scale_count; ++k) {
    stage.begin(done++ / rounds, fmt::format("{} epsilon", scale_factors[k]));
    const MapDefinition map = definition_at(k);
    const Generator whole = k == 0 ? generator_ : build(map);
    const std::optional<Solution> solution = solution_at(k, whole, needs.modes);
    const PartModes own = solution ? PartModes{solution->lambda, solution->psi, solution->phi} : PartModes{};
    values.all[k] = measured_on(whole, all_rows(whole.size()), k, {}, own, measure);
    for (Index b = 0; b < blocks_->count(); ++b) {
      values.without[k].emplace_back();
      if (!shares.mine(b)) {
        continue;
      }
      stage.begin(done++ / rounds,
                  fmt::format("{} epsilon, {} of {} blocks", scale_factors[k], b + 1, blocks_->count()));
      const std::vector<Index> rows = blocks_->without(b);
      const Generator part = needs.graph ? build(map.subset(rows)) : build_part(map, whole, rows);
      const PartModes modes = solution ? part_modes(*solution, part, rows, needs.correction) : PartModes{};
      values.without[k].back() = measured_on(part, rows, k, b, modes, measure);
    }
    shares.complete(values.without[k]);
  }
  return values;
}

Vector on_all_points(const Vector& values, const std::vector<Index>& rows, Index points) {
  Vector all = Vector::Constant(points, not_a_number);
  all(rows) = values;
  return all;
}

}  // namespace itomap::detail
