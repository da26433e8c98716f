#include "itomap/generator/map_definition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/maps.hpp"
#include "itomap/core/error.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

std::vector<Index> every_third(Index points) {
  std::vector<Index> rows;
  for (Index i = 0; i < points; i += 3) {
    rows.push_back(i);
  }
  return rows;
}

class BuildPart : public testing::TestWithParam<std::tuple<Method, Engine>> {
 protected:
  MapDefinition map() const {
    const Points points = samples::skewed_ball(900, 2, 1.0, 3);
    MapDefinition map{.method = std::get<0>(GetParam()), .points = points, .epsilon = 0.05};
    map.log_target = -2.0 * points.rowwise().squaredNorm();
    map.drift = -points;
    map.diffusion = Diffusion::constant(0.5);
    map.kernel.engine = std::get<1>(GetParam());
    return map;
  }
};

TEST_P(BuildPart, IsTheMapOnThosePoints) {
  const MapDefinition whole = map();
  const auto rows = every_third(900);
  const Generator part = build_part(whole, build(whole), rows);
  const Generator anew = build(whole.subset(rows));
  const Block f = samples::normal(Index(rows.size()), 3, 4);
  EXPECT_EQ(part.size(), anew.size());
  EXPECT_EQ(part.kept, anew.kept);
  EXPECT_EQ(part.time_step(), anew.time_step());
  EXPECT_LT((part.markov(f) - anew.markov(f)).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((part.markov_transpose(f) - anew.markov_transpose(f)).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((part.density - anew.density).cwiseQuotient(anew.density).cwiseAbs().maxCoeff(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Maps, BuildPart,
                         testing::Combine(testing::Values(Method::DiffusionMap, Method::TargetMeasureMap,
                                                          Method::LocalKernelMap),
                                          testing::Values(Engine::Sparse, Engine::Dense, Engine::Grid)));

TEST(MapDefinition, TakesPeriodsThatCoordinatesCanTell) {
  const Points points = (Points(2, 2) << 1000.0, 0.0, -2000.0, 0.0).finished();
  const auto check = [&](const std::vector<double>& period) {
    MapDefinition{.points = points, .kernel = {.period = period}}.validate();
  };
  const auto refuses = [](const char* what) {
    return testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr(what));
  };
  for (const double length : {0.0, 1e-9, 360.0}) {
    EXPECT_NO_THROW(check({length, 1e-150})) << length;
  }
  EXPECT_NO_THROW(check({}));
  EXPECT_THAT(
      [&] {
        check({1e-12, 0.0});
      },
      refuses("period: 1e-12 for coordinate 0 is too short for the points, where that coordinate reaches 2000; "
              "take 4.44089e-10 or more, or other units"));
  EXPECT_THAT([&] { check({0.0, 1e-160}); }, refuses("coordinate 1"));
}

}  // namespace
}  // namespace itomap
