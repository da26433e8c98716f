#include "itomap/generator/map_definition.hpp"

#include <gtest/gtest.h>

#include "support/samples.hpp"

namespace itomap {
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
    MapDefinition map{
        .method = std::get<0>(GetParam()), .points = samples::skewed_ball(900, 2, 1.0, 3), .epsilon = 0.05};
    map.log_target = -2.0 * map.points.rowwise().squaredNorm();
    map.drift = -map.points;
    map.diffusion = Diffusion::constant(0.5);
    map.kernel.engine = std::get<1>(GetParam());
    return map;
  }
};

TEST_P(BuildPart, IsTheMapOnThosePoints) {
  const MapDefinition whole = map();
  const auto rows = every_third(900);
  const Generator part = whole.build_part(whole.build(), rows);
  const Generator anew = whole.subset(rows).build();
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

}  // namespace
}  // namespace itomap
