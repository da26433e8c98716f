#include "itomap/generator/map.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

Map rotation(const Execution& execution = {}) {
  const Points x = samples::skewed_ball(400, 2, 1.0, 5);
  Points drift(400, 2);
  drift << -x.col(0) + 2.0 * x.col(1), -2.0 * x.col(0) - x.col(1);
  LocalKernelMapOptions options{.epsilon = 0.05};
  options.execution = execution;
  return local_kernel_map(x, drift, Diffusion::constant(0.5), options);
}

TEST(Map, CopiesShareEverythingAndOutliveTheOriginal) {
  std::optional<Map> map = rotation();
  const Map copy = *map;
  EXPECT_EQ(&copy.density(), &map->density());
  EXPECT_EQ(copy.definition().points.view().data(), map->definition().points.view().data());
  const Vector before = map->backward(map->density());
  map.reset();
  EXPECT_EQ(copy.backward(copy.density()), before);
}

TEST(Map, StationaryWeightsAreInvariantForEveryMap) {
  const Points x = samples::skewed_ball(400, 2, 1.0, 5);
  const Map reversible = target_measure_map(x, -x.rowwise().squaredNorm(), {.epsilon = 0.05});
  for (const Map& map : {reversible, rotation()}) {
    const Vector& phi = map.stationary();
    EXPECT_NEAR(phi.sum(), 1.0, 1e-12);
    EXPECT_LT((map.markov_transpose(phi) - phi).lpNorm<1>(), 1e-7) << to_string(map.method());
    EXPECT_EQ(&map.stationary(), &phi) << "found once";
  }
}

TEST(Map, ADefinitionMakesTheSameMapAgain) {
  const Map chosen = diffusion_map(samples::skewed_ball(400, 2, 1.0, 5),
                                   {.epsilon = Scale::steepest(), .bandwidth = {.strength = 0.5}});
  for (const Map& map : {chosen, rotation()}) {
    EXPECT_TRUE(map.definition().epsilon.is_value());
    const Map again = make_map(map.definition());
    EXPECT_EQ(again.epsilon(), map.epsilon());
    EXPECT_EQ(again.density(), map.density());
    EXPECT_EQ(again.bandwidth(), map.bandwidth());
    EXPECT_EQ(again.backward(map.density()), map.backward(map.density()));
  }
}

TEST(Map, KeepsTheExecutionThatItWasMadeWith) {
  int calls = 0;
  const Map map = rotation({.threads = 2, .progress = [&](const ProgressUpdate&) { return ++calls > 0; }});
  EXPECT_EQ(map.execution().threads, 2);
  calls = 0;
  map.stationary();
  EXPECT_GT(calls, 0) << "what is computed from a map reports to its callback";
}

}  // namespace
}  // namespace itomap
