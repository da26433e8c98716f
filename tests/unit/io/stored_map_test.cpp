#include "itomap/io/stored_map.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "itomap/analysis/extension.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/result.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

namespace fs = std::filesystem;

class StoredMapTest : public testing::Test {
 protected:
  StoredMapTest() {
    fs::remove_all(directory_);
    definition_.points = samples::normal(300, 2, 1);
    definition_.epsilon = 0.3;
  }
  ~StoredMapTest() override { fs::remove_all(directory_); }

  StoredMap store_and_load(const std::string& parameters) {
    generator_ = definition_.build();
    spectrum_ = eigenpairs(generator_, {.count = 4});
    OutputDirectory out(directory_, false);
    RunRecord run{.command = "map", .parameters_json = parameters};
    run.dimension = 2;
    write_result(out, generator_, spectrum_, run);
    write_inputs(out, definition_);
    out.commit();
    return load_map(directory_);
  }

  std::string directory_ =
      (fs::temp_directory_path() / testing::UnitTest::GetInstance()->current_test_info()->name()).string();
  MapDefinition definition_;
  Generator generator_;
  Spectrum spectrum_;
};

TEST_F(StoredMapTest, ComesBackToTheSameBits) {
  definition_.alpha = 0.7;
  const StoredMap map = store_and_load(R"({"alpha": 0.7, "cutoff": 1e-8})");
  EXPECT_EQ(map.generator.row_sums, generator_.row_sums);
  EXPECT_EQ(map.generator.right_weights, generator_.right_weights);
  EXPECT_EQ(map.spectrum.eigenfunctions, spectrum_.eigenfunctions);
  EXPECT_EQ(map.spectrum.eigenvalues, spectrum_.eigenvalues);
}

TEST_F(StoredMapTest, LocalKernelsComeBackWithDriftAndDiffusion) {
  definition_.method = Method::LocalKernelMap;
  definition_.drift = Points(definition_.points * (Matrix(2, 2) << -1, 2, -2, -1).finished());
  Points a(300, 4);
  for (Index i = 0; i < 300; ++i) {
    a.row(i) << 1.0 + 0.1 * std::sin(definition_.points(i, 0)), 0.2, 0.2, 1.0;
  }
  definition_.diffusion = Diffusion::matrices(a);
  const StoredMap map = store_and_load(R"({"eta": 0.0, "cutoff": 1e-8})");
  EXPECT_EQ(map.generator.row_sums, generator_.row_sums);
  EXPECT_EQ(map.spectrum.eigenfunctions.im, spectrum_.eigenfunctions.im);
  EXPECT_EQ(map.spectrum.left_eigenfunctions, spectrum_.left_eigenfunctions);
}

TEST_F(StoredMapTest, VariableBandwidthComesBack) {
  definition_.bandwidth = {.strength = 0.5, .neighbours = 20};
  const StoredMap map =
      store_and_load(R"({"alpha": 0.5, "cutoff": 1e-8, "bandwidth": 0.5, "bandwidth_neighbours": 20})");
  EXPECT_GT(map.generator.bandwidth.maxCoeff(), 1.0);
  EXPECT_EQ(map.generator.bandwidth, generator_.bandwidth);
  EXPECT_EQ(map.generator.row_sums, generator_.row_sums);
}

TEST_F(StoredMapTest, RefusesWhatIsNoResult) { EXPECT_THROW(load_map(directory_), IoError); }

TEST_F(StoredMapTest, RefusesAResultThatLacksAFile) {
  store_and_load(R"({"alpha": 0.5, "cutoff": 1e-8})");
  fs::remove(fs::path(directory_) / "points.npy");
  EXPECT_THROW(load_map(directory_), IoError);
}

TEST_F(StoredMapTest, ExtensionReturnsTheEigenfunctionsAtItsOwnPoints) {
  const StoredMap map = store_and_load(R"({"alpha": 0.5, "cutoff": 1e-8})");
  const Extension e = extend(map.definition, map.generator, map.spectrum, {.points = map.definition.points});
  EXPECT_LT((e.eigenfunctions - map.spectrum.eigenfunctions).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_TRUE(e.outside.empty());
  EXPECT_EQ(e.interpolation_error[0], 0.0);
}

TEST_F(StoredMapTest, NothingIsExtrapolated) {
  const StoredMap map = store_and_load(R"({"alpha": 0.5, "cutoff": 1e-8})");
  Points far(2, 2);
  far << 0.1, 0.2, 1e3, 0.0;
  const Extension e = extend(map.definition, map.generator, map.spectrum, {.points = far});
  EXPECT_EQ(e.outside, std::vector<Index>{1});
  EXPECT_TRUE(e.eigenfunctions.row(0).allFinite());
  EXPECT_TRUE(e.eigenfunctions.row(1).array().isNaN().all());
  EXPECT_FALSE(e.warnings.empty());
}

TEST_F(StoredMapTest, ExtensionRefusesAnotherDimension) {
  const StoredMap map = store_and_load(R"({"alpha": 0.5, "cutoff": 1e-8})");
  EXPECT_THROW(extend(map.definition, map.generator, map.spectrum, {.points = Points::Zero(3, 3)}), InvalidArgument);
}

TEST(LeaveOneOut, ErrorsAreThoseOfMapsWithoutThePoint) {
  // psi at point i from all others, directly.
  MapDefinition map;
  map.points = samples::normal(200, 2, 9);
  map.epsilon = 0.2;
  const Generator g = map.build();
  const Spectrum s = eigenpairs(g, {.count = 2});
  const Block p = g.markov(Block::Identity(200, 200));
  double square = 0.0;
  const double mu = 1.0 + g.epsilon * s.eigenvalues[1].real();
  for (Index i = 0; i < 200; ++i) {
    const double others = (p.row(i).dot(s.eigenfunctions.col(1)) - p(i, i) * s.eigenfunctions(i, 1)) / (1.0 - p(i, i));
    const double miss = std::min(std::abs(others / mu - s.eigenfunctions(i, 1)), std::abs(s.eigenfunctions(i, 1)));
    square += s.stationary[i] * miss * miss;
  }
  const Extension e = extend(map, g, s, {.points = map.points});
  EXPECT_NEAR(e.interpolation_error[1], std::sqrt(square), 1e-9);
}

}  // namespace
}  // namespace itomap
