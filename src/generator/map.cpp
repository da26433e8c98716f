#include "itomap/generator/map.hpp"

#include <mutex>
#include <span>
#include <utility>

#include "core/agreement.hpp"
#include "core/context.hpp"
#include "generator/choice.hpp"
#include "generator/generator.hpp"
#include "generator/maps.hpp"
#include "generator/wall_sample.hpp"

namespace itomap {
namespace detail {
namespace {

/// A generator, and what is found only when somebody asks.
struct SharedGenerator : Generator {
  explicit SharedGenerator(Generator generator) : Generator(std::move(generator)) {}

  mutable std::once_flag asked;
  mutable Vector stationary;
};

std::span<const double> numbers_in(const auto& matrix) { return {matrix.data(), std::size_t(matrix.size())}; }

/// Processes that were given different points would each go on with a mixture.
void check_same_input(const MapDefinition& d, const Ranks& ranks) {
  std::uint64_t print = fingerprint(numbers_in(d.points.view()));
  if (!d.distances.empty()) {
    print = d.distances.is_listed() ? fingerprint(d.distances.list_values(), print)
                                    : fingerprint(numbers_in(d.distances.all()), print);
  }
  check_alike(ranks, print, "points: what is given");
  print = fingerprint(numbers_in(d.log_target));
  print = fingerprint(numbers_in(d.drift), print);
  if (d.diffusion) {
    print = fingerprint(numbers_in(d.diffusion->values()), print);
  }
  check_alike(ranks, print, "log_target, drift or diffusion: what is given");
  const double parameters[] = {double(d.method),
                               d.epsilon.is_value() ? d.epsilon.value() : -1.0,
                               double(d.kernel.engine),
                               d.kernel.cutoff,
                               d.alpha,
                               d.eta};
  check_alike(ranks, fingerprint(parameters), "epsilon or another parameter: what is given");
}

/// The choice of scales, by maps of each process for itself.
ScaleChoice choose_scales_alone(const MapDefinition& definition, Execution execution) {
  const Ranks* ranks = std::exchange(execution.ranks, nullptr);
  const ExecutionScope scope(execution);
  return choose_scales(definition, ranks);
}

}  // namespace

const Generator& generator_of(const Map& map) { return *map.generator_; }

Map map_of(Generator generator) { return Map(std::make_shared<const SharedGenerator>(std::move(generator))); }

}  // namespace detail

Map::Map(std::shared_ptr<const detail::Generator> generator) : generator_(std::move(generator)) {}

Index Map::size() const { return generator_->size(); }
Index Map::input_points() const { return generator_->input_points(); }
const std::vector<Index>& Map::kept() const { return generator_->kept; }
Index Map::dimension() const { return generator_->dimension(); }
Method Map::method() const { return generator_->method(); }
bool Map::reversible() const { return generator_->reversible; }
double Map::epsilon() const { return generator_->epsilon; }
double Map::density_epsilon() const { return generator_->density_epsilon; }
double Map::time_step() const { return generator_->time_step(); }
const Vector& Map::density() const { return generator_->density; }
const Vector& Map::bandwidth() const { return generator_->bandwidth; }
Index Map::bandwidth_dimension() const { return generator_->bandwidth_dimension; }
const std::vector<Index>& Map::component() const { return generator_->component; }
const Diagnostics& Map::diagnostics() const { return generator_->diagnostics; }
const KernelPlan& Map::plan() const { return generator_->plan; }
const MapDefinition& Map::definition() const { return generator_->definition; }
const Execution& Map::execution() const { return generator_->execution; }

const Vector& Map::stationary() const {
  const auto& shared = static_cast<const detail::SharedGenerator&>(*generator_);
  std::call_once(shared.asked, [&] {
    const detail::ExecutionScope scope(shared.execution);
    shared.stationary = shared.reversible ? shared.reversible_stationary() : detail::solved_stationary(shared);
  });
  return shared.stationary;
}

Vector Map::backward(VectorView f) const {
  const detail::ExecutionScope scope(execution());
  return generator_->backward(f);
}

Vector Map::forward(VectorView rho) const {
  const detail::ExecutionScope scope(execution());
  return generator_->forward(rho);
}

Block Map::markov(PointsView f) const {
  const detail::ExecutionScope scope(execution());
  return generator_->markov(f);
}

Block Map::markov_transpose(PointsView w) const {
  const detail::ExecutionScope scope(execution());
  return generator_->markov_transpose(w);
}

Map make_map(MapDefinition definition, const Execution& given) {
  const Execution execution = detail::agreed_execution(given);
  const detail::ExecutionScope scope(execution);
  definition.validate();
  if (const Ranks* ranks = detail::current_ranks()) {
    detail::check_same_input(definition, *ranks);
  }
  detail::ScaleChoice choice = detail::choose_scales_alone(definition, execution);
  definition.epsilon = choice.epsilon;
  definition.density_epsilon = choice.density_epsilon;
  definition.bandwidth.dimension = choice.bandwidth_dimension;
  detail::Generator generator = detail::build(std::move(definition));
  generator.execution = execution;
  detail::look_for_walls(generator);
  generator.diagnostics.epsilon_reason = std::move(choice.reason);
  generator.scan = std::move(choice.scan);
  if (!choice.warning.empty()) {
    generator.diagnostics.warnings.push_back(std::move(choice.warning));
  }
  return detail::map_of(std::move(generator));
}

}  // namespace itomap
