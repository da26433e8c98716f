#include "itomap/generator/map.hpp"

#include <mutex>
#include <utility>

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

Map make_map(MapDefinition definition, const Execution& execution) {
  const detail::ExecutionScope scope(execution);
  definition.validate();
  detail::ScaleChoice choice = detail::choose_scales(definition);
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
