// What a map makes of a scale that is a rule.
#include "scales/choice.hpp"

#include <gtest/gtest.h>

#include "itomap/generator/map.hpp"
#include "itomap/scales/kernel_sum.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

MapDefinition local_map() {
  const Points points = samples::normal(300, 2, 5);
  return {.method = Method::LocalKernelMap, .points = points, .drift = -points, .diffusion = Diffusion::constant(0.25)};
}

TEST(ScaleChoice, ValuesAreKept) {
  MapDefinition d = local_map();
  d.epsilon = 0.3;
  d.density_epsilon = 0.2;
  const ScaleChoice choice = choose_scales(d);
  EXPECT_EQ(choice.epsilon, Scale(0.3));
  EXPECT_EQ(choice.density_epsilon, Scale(0.2));
  EXPECT_TRUE(choice.reason.empty());
}

TEST(ScaleChoice, SteepestIsALengthAndEpsilonOfALocalKernelATime) {
  MapDefinition d = local_map();
  d.epsilon = Scale::steepest();
  const double steepest = select_scale(d.points.view()).epsilon;
  EXPECT_DOUBLE_EQ(choose_scales(d).epsilon.value(), steepest / 0.25);
  EXPECT_DOUBLE_EQ(choose_scales(d).density_epsilon.value(), steepest) << "both kernels equally wide";
  d.method = Method::DiffusionMap;
  EXPECT_EQ(choose_scales(d).epsilon.value(), steepest);
  EXPECT_EQ(choose_scales(d).reason, "steepest growth of the kernel sum");
}

TEST(ScaleChoice, ADensityScaleFollowsEpsilonUnlessItHasARule) {
  MapDefinition d = local_map();
  d.epsilon = 0.4;
  EXPECT_DOUBLE_EQ(choose_scales(d).density_epsilon.value(), 0.1);
  d.density_epsilon = Scale::steepest();
  EXPECT_EQ(choose_scales(d).density_epsilon.value(), select_scale(d.points.view()).epsilon);
}

TEST(ScaleChoice, BalancedIsWhatTheScanRecommends) {
  MapDefinition d = local_map();
  const ScaleScan scan = scan_scales(d);
  const Map map = make_map(d);
  EXPECT_EQ(map.epsilon(), scan.epsilon);
  ASSERT_TRUE(scan.density_epsilon);
  EXPECT_EQ(map.density_epsilon(), *scan.density_epsilon);
  EXPECT_EQ(map.diagnostics().epsilon_reason, scan.reason);
  EXPECT_EQ(map.definition().epsilon, Scale(scan.epsilon)) << "a map knows its scales";
}

}  // namespace
}  // namespace itomap
