#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "generator/generator.hpp"
#include "io_test.hpp"
#include "itomap/io/result.hpp"
#include "support/samples.hpp"

namespace itomap::test {
namespace {

using Json = nlohmann::ordered_json;

/// 300 points of the plane, the last far from all others.
Points cloud() {
  Points points = samples::normal(300, 2, 1);
  points.row(299) << 1e3, 1e3;
  return points;
}

MapDefinition definition_of(Method method) {
  const Points points = cloud();
  MapDefinition d{.method = method, .points = points, .epsilon = 0.3};
  if (method == Method::DiffusionMap) {
    d.alpha = 0.7;
  }
  if (method == Method::TargetMeasureMap) {
    d.log_target = -0.4 * points.rowwise().squaredNorm().cwiseMin(20.0);
  }
  if (d.local()) {
    Points a(300, 4);
    for (Index i = 0; i < 300; ++i) {
      a.row(i) << 1.0 + 0.1 * std::sin(points(i, 0)), 0.2, 0.2, 1.0;
    }
    d.drift = (points * (Matrix(2, 2) << -1, 2, -2, -1).finished()).cwiseMax(-5.0).cwiseMin(5.0);
    d.diffusion = Diffusion::matrices(a);
    d.density_epsilon = 0.2;
    d.eta = 0.05;
  }
  return d;
}

void expect_same(const Map& a, const Map& b) {
  const detail::Generator& g = detail::generator_of(a);
  const detail::Generator& h = detail::generator_of(b);
  EXPECT_EQ(g.row_sums, h.row_sums);
  EXPECT_EQ(g.right_weights, h.right_weights);
  EXPECT_EQ(a.density(), b.density());
  EXPECT_EQ(a.bandwidth(), b.bandwidth());
  EXPECT_EQ(a.kept(), b.kept());
  EXPECT_EQ(a.epsilon(), b.epsilon());
  EXPECT_EQ(a.density_epsilon(), b.density_epsilon());
  EXPECT_EQ(a.plan().engine, b.plan().engine);
}

void expect_same(const Spectrum& a, const Spectrum& b) {
  EXPECT_EQ(a.eigenvalues, b.eigenvalues);
  EXPECT_EQ(a.rates_log, b.rates_log);
  EXPECT_EQ(a.timescales, b.timescales);
  EXPECT_EQ(a.timescales_log, b.timescales_log);
  EXPECT_EQ(a.eigenfunctions.re, b.eigenfunctions.re);
  EXPECT_EQ(a.eigenfunctions.im, b.eigenfunctions.im);
  EXPECT_EQ(a.left_eigenfunctions.re, b.left_eigenfunctions.re);
  EXPECT_EQ(a.left_eigenfunctions.im, b.left_eigenfunctions.im);
  EXPECT_EQ(a.stationary, b.stationary);
  EXPECT_EQ(a.residuals, b.residuals);
  EXPECT_EQ(a.left_residuals, b.left_residuals);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.spurious, b.spurious);
  EXPECT_EQ(a.effective_points, b.effective_points);
}

class LoadResult : public IoTest {
 protected:
  Result saved(const MapDefinition& definition) const {
    const Map map = make_map(definition);
    const Spectrum spectrum = eigenpairs(map, {.count = 4});
    save(path("result"), map, spectrum);
    return {map, spectrum};
  }

  void comes_back(const MapDefinition& definition) const {
    const Result stored = saved(definition);
    const Result loaded = load(path("result"));
    expect_same(loaded.map, stored.map);
    expect_same(loaded.spectrum, stored.spectrum);
  }

  /// Changes result.json.
  void edit(const std::function<void(Json&)>& change) const {
    Json json = Json::parse(slurp(path("result/result.json")));
    change(json);
    write("result/result.json", json.dump());
  }

  /// What load says about a result.json that was changed; it is then as it was.
  std::string refusal(const std::function<void(Json&)>& change) const {
    const std::string before = slurp(path("result/result.json"));
    edit(change);
    const std::string message = error_of([&] { load(path("result")); });
    write("result/result.json", before);
    return message;
  }

  void refuses(const std::string& what, const std::function<void(Json&)>& change) const {
    EXPECT_NE(refusal(change).find("result.json: " + what), std::string::npos) << what << "\n" << refusal(change);
  }
};

class LoadResultOfMethod : public LoadResult, public testing::WithParamInterface<std::tuple<Method, bool, double>> {
 protected:
  MapDefinition definition() const {
    const auto [method, drop_isolated, strength] = GetParam();
    MapDefinition d = definition_of(method);
    d.drop_isolated = drop_isolated;
    d.bandwidth.strength = strength;
    if (strength > 0.0) {
      d.bandwidth.neighbours = 20;
    }
    return d;
  }
};

TEST_P(LoadResultOfMethod, ComesBackToTheSameBits) { comes_back(definition()); }

TEST_P(LoadResultOfMethod, RefusesADefinitionThatLacksAField) {
  saved(definition());
  const Json whole = Json::parse(slurp(path("result/result.json")))["definition"];
  for (const auto& [key, value] : whole.items()) {
    refuses("'definition." + key + "' is missing", [&](Json& json) { json["definition"].erase(key); });
    if (!value.is_object()) {
      continue;
    }
    for (const auto& [inner, ignored] : value.items()) {
      refuses("'definition." + key + "." + inner + "' is missing",
              [&](Json& json) { json["definition"][key].erase(inner); });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, LoadResultOfMethod,
                         testing::Combine(testing::Values(Method::DiffusionMap, Method::TargetMeasureMap,
                                                          Method::LocalKernelMap, Method::BiasedLocalKernelMap),
                                          testing::Bool(), testing::Values(0.0, 0.5)),
                         [](const auto& tested) {
                           return std::string(to_string(std::get<0>(tested.param))) +
                                  (std::get<1>(tested.param) ? "_dropped" : "") +
                                  (std::get<2>(tested.param) > 0.0 ? "_bandwidth" : "");
                         });

TEST_F(LoadResult, DroppedPointsComeBackAsSuch) {
  MapDefinition d = definition_of(Method::DiffusionMap);
  d.drop_isolated = true;
  saved(d);
  const Result loaded = load(path("result"));
  EXPECT_EQ(loaded.map.size(), 299);
  EXPECT_EQ(loaded.map.input_points(), 300);
  EXPECT_EQ(loaded.spectrum.eigenfunctions.rows(), 299);
}

TEST_F(LoadResult, EveryKernelOptionComesBack) {
  MapDefinition d = definition_of(Method::TargetMeasureMap);
  d.points = Points(cloud().topRows(299));
  d.log_target = d.log_target.head(299).eval();
  d.kernel = {.engine = Engine::Sparse, .cutoff = 1e-5, .period = {7.0, 0.0}, .single_precision = true};
  comes_back(d);
  const KernelOptions loaded = load(path("result")).map.definition().kernel;
  EXPECT_EQ(loaded.cutoff, 1e-5);
  EXPECT_EQ(loaded.period, d.kernel.period);
  EXPECT_TRUE(loaded.single_precision);
}

TEST_F(LoadResult, EveryKindOfDiffusionComesBack) {
  MapDefinition d = definition_of(Method::LocalKernelMap);
  const Points diagonals = Points::Constant(300, 2, 0.7) + 0.1 * cloud().cwiseAbs().cwiseMin(3.0);
  const Matrix matrix = (Matrix(2, 2) << 1.0, 0.3, 0.3, 0.5).finished();
  int number = 0;
  for (const Diffusion& diffusion : {Diffusion::constant(0.8), Diffusion::constant_matrix(matrix),
                                     Diffusion::scalars(diagonals.col(0)), Diffusion::diagonals(diagonals)}) {
    d.diffusion = diffusion;
    const Map map = make_map(d);
    const std::string directory = path("result" + std::to_string(number++));
    save(directory, map, eigenpairs(map, {.count = 2}));
    const Map loaded = load(directory).map;
    expect_same(loaded, map);
    EXPECT_EQ(loaded.definition().diffusion->kind(), diffusion.kind());
  }
}

TEST_F(LoadResult, AScaleThatWasChosenComesBackAsAValue) {
  MapDefinition d = definition_of(Method::TargetMeasureMap);
  d.epsilon = Scale::steepest();
  comes_back(d);
  EXPECT_TRUE(load(path("result")).map.definition().epsilon.is_value());
}

TEST_F(LoadResult, MayBeSavedToWhereItCameFrom) {
  const Result stored = saved(definition_of(Method::LocalKernelMap));
  const Result loaded = load(path("result"));
  save(path("result"), loaded.map, loaded.spectrum, {.force = true});
  const Result again = load(path("result"));
  expect_same(again.map, stored.map);
  expect_same(again.spectrum, stored.spectrum);
  expect_same(loaded.map, stored.map);
  EXPECT_EQ(Points(loaded.map.definition().points.view()), cloud()) << "as it was, though its file is gone";
}

TEST_F(LoadResult, WeightsComeWithoutTheMap) {
  MapDefinition d = definition_of(Method::TargetMeasureMap);
  d.drop_isolated = true;
  const Result stored = saved(d);
  const StoredWeights weights = load_weights(path("result"));
  EXPECT_EQ(weights.stationary.head(299), stored.spectrum.stationary);
  EXPECT_TRUE(std::isnan(weights.stationary[299]));
  EXPECT_TRUE(weights.reversible);
  EXPECT_EQ(weights.components, stored.map.diagnostics().components);
}

TEST_F(LoadResult, RefusesWhatIsNoResult) {
  EXPECT_NE(error_of([&] { load(path("result")); }).find("result.json is missing"), std::string::npos);
}

TEST_F(LoadResult, RefusesAResultThatLacksAFile) {
  saved(definition_of(Method::DiffusionMap));
  std::filesystem::remove(path("result/points.npy"));
  EXPECT_NE(error_of([&] { load(path("result")); }).find("points.npy"), std::string::npos);
}

TEST_F(LoadResult, RefusesFieldsThatItDoesNotKnow) {
  saved(definition_of(Method::TargetMeasureMap));
  const std::string unknown = " is not a field of such a result";
  refuses("'surprise'" + unknown, [](Json& json) { json["surprise"] = 1; });
  for (const char* key : {"alpha", "eta", "keep_traps", "density_epsilon", "surprise"}) {
    refuses("'definition." + std::string(key) + "'" + unknown, [&](Json& json) { json["definition"][key] = 0.5; });
  }
  refuses("'definition.kernel.threads'" + unknown, [](Json& json) { json["definition"]["kernel"]["threads"] = 2; });
  refuses("'definition.bandwidth.width'" + unknown, [](Json& json) { json["definition"]["bandwidth"]["width"] = 2; });
}

TEST_F(LoadResult, RefusesNamesAndValuesThatMeanNothing) {
  saved(definition_of(Method::DiffusionMap));
  refuses("'definition.method' is none of the methods", [](Json& json) { json["definition"]["method"] = "magic"; });
  refuses("'definition.kernel.engine' is none of the engines",
          [](Json& json) { json["definition"]["kernel"]["engine"] = "steam"; });
  refuses("'definition.epsilon' is not a number", [](Json& json) { json["definition"]["epsilon"] = "auto"; });
  refuses("'definition.epsilon' is not a number > 0", [](Json& json) { json["definition"]["epsilon"] = -1.0; });
  refuses("'definition.drop_isolated' is neither", [](Json& json) { json["definition"]["drop_isolated"] = 0; });
  refuses("'definition' does not fit (cutoff: 2", [](Json& json) { json["definition"]["kernel"]["cutoff"] = 2.0; });
  refuses("'definition' is not an object", [](Json& json) { json["definition"] = 3; });
  refuses("'definition' is missing", [](Json& json) { json.erase("definition"); });
}

TEST_F(LoadResult, RefusesWhatContradictsTheDefinition) {
  saved(definition_of(Method::LocalKernelMap));
  const std::string wrong = " contradicts the definition of the map";
  refuses("'epsilon'" + wrong, [](Json& json) { json["epsilon"] = 0.31; });
  refuses("'density_epsilon'" + wrong, [](Json& json) { json["density_epsilon"] = 0.31; });
  refuses("'method'" + wrong, [](Json& json) { json["method"] = "biased_local_kernel_map"; });
  refuses("'reversible'" + wrong, [](Json& json) { json["reversible"] = true; });
  refuses("'engine'" + wrong, [](Json& json) { json["engine"] = "steam"; });
}

TEST_F(LoadResult, RefusesADefinitionThatIsNotThatOfTheArrays) {
  saved(definition_of(Method::DiffusionMap));
  const std::string message =
      refusal([](Json& json) { json["definition"]["epsilon"] = json["epsilon"] = json["density_epsilon"] = 0.6; });
  EXPECT_NE(message.find("density.npy"), std::string::npos) << message;
}

TEST_F(LoadResult, RefusesALaterFormat) {
  saved(definition_of(Method::DiffusionMap));
  refuses("'format' is of a later version", [](Json& json) { json["format"] = 4; });
  refuses("'format' is not a whole number", [](Json& json) { json["format"] = 1; });
}

TEST_F(LoadResult, NormalizationAndStepComeBack) {
  MapDefinition d = definition_of(Method::LocalKernelMap);
  d.normalization = Normalization::Bistochastic;
  d.step = Step::Heun;
  comes_back(d);
  refuses("'definition.normalization' is none of the normalizations",
          [](Json& json) { json["definition"]["normalization"] = "softmax"; });
  refuses("'definition.step' is none of the steps", [](Json& json) { json["definition"]["step"] = "leap"; });
}

TEST_F(LoadResult, SecondFormatHasThePapersChoices) {
  const Result stored = saved(definition_of(Method::LocalKernelMap));
  edit([](Json& json) {
    json["format"] = 2;
    json["definition"].erase("normalization");
    json["definition"].erase("step");
    json["definition"]["kernel"].erase("landmarks");
    json["definition"]["kernel"].erase("landmark_error");
  });
  const Result loaded = load(path("result"));
  expect_same(loaded.map, stored.map);
  expect_same(loaded.spectrum, stored.spectrum);
  refuses("'definition.step' is not a field of such a result", [](Json& json) { json["definition"]["step"] = "heun"; });
}

/// A result as the first format had it: no format and no definition, but all options of the command line.
void to_first_format(Json& json, const Json& parameters) {
  json.erase("format");
  json.erase("definition");
  json["parameters"] = parameters;
}

TEST_F(LoadResult, FirstFormatOfADiffusionMap) {
  MapDefinition d = definition_of(Method::DiffusionMap);
  d.drop_isolated = true;
  d.bandwidth = {.strength = 0.5, .neighbours = 20};
  d.kernel.cutoff = 1e-7;
  const Result stored = saved(d);
  const Json parameters{
      {"points", "x.npy"},          {"epsilon", "auto"}, {"alpha", 0.7},    {"cutoff", 1e-7},        {"bandwidth", 0.5},
      {"bandwidth_neighbours", 20}, {"engine", "auto"},  {"single", false}, {"drop_isolated", true}, {"threads", 2}};
  edit([&](Json& json) { to_first_format(json, parameters); });
  const Result loaded = load(path("result"));
  expect_same(loaded.map, stored.map);
  expect_same(loaded.spectrum, stored.spectrum);
}

TEST_F(LoadResult, FirstFormatOfALocalKernelMap) {
  MapDefinition d = definition_of(Method::LocalKernelMap);
  d.keep_traps = true;  // what results that do not say had
  const Result stored = saved(d);
  edit([](Json& json) { to_first_format(json, {{"eta", 0.05}, {"cutoff", 1e-8}, {"period", nullptr}}); });
  const Result loaded = load(path("result"));
  expect_same(loaded.map, stored.map);
  expect_same(loaded.spectrum, stored.spectrum);
  EXPECT_TRUE(loaded.map.definition().keep_traps);
}

TEST_F(LoadResult, FirstFormatNeedsItsParameters) {
  saved(definition_of(Method::DiffusionMap));
  edit([](Json& json) { to_first_format(json, {{"cutoff", 1e-8}}); });
  EXPECT_NE(error_of([&] { load(path("result")); }).find("'parameters.alpha' is missing"), std::string::npos);
}

}  // namespace
}  // namespace itomap::test
