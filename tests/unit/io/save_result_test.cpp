#include "itomap/io/result.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "generator/generator.hpp"
#include "io_test.hpp"
#include "itomap/core/version.hpp"

namespace itomap::test {
namespace {

using Json = nlohmann::json;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Five points of which the rows 1 and 3 are in the map.
detail::Generator example_generator(bool reversible) {
  detail::Generator generator;
  generator.definition = {.method = reversible ? Method::TargetMeasureMap : Method::LocalKernelMap,
                          .points = Points::Zero(5, 2),
                          .log_target = Vector::Zero(5),
                          .drift = Points::Zero(5, 2),
                          .diffusion = Diffusion::constant(1.0),
                          .epsilon = 0.01,
                          .density_epsilon = 0.02};
  generator.epsilon = 0.01;
  generator.density_epsilon = 0.02;
  generator.reversible = reversible;
  generator.plan.engine = Engine::Sparse;
  generator.density = Vector{{10, 30}};
  generator.kept = {1, 3};
  generator.diagnostics.isolated_points = 3;
  generator.diagnostics.dropped_points = 3;
  generator.diagnostics.mean_neighbours = 1.5;
  generator.diagnostics.intrinsic_dimension = nan;
  generator.diagnostics.warnings = {"3 points left out"};
  return generator;
}

Map example_map(bool reversible) { return detail::map_of(example_generator(reversible)); }

Spectrum example_spectrum(bool real) {
  Spectrum spectrum;
  spectrum.eigenvalues = Eigen::VectorXcd{{{0, 0}, {-2, real ? 0.0 : 1.5}}};
  spectrum.rates_log = Vector{{0, -2.02}};
  spectrum.timescales = Vector{{infinity, 0.5}};
  spectrum.timescales_log = Vector{{infinity, 0.495}};
  spectrum.eigenfunctions.re = Block{{1, 11}, {1, 31}};
  spectrum.left_eigenfunctions.re = Block{{0.25, 12}, {0.75, 32}};
  if (!real) {
    spectrum.eigenfunctions.im = Block{{0, 13}, {0, 33}};
  }
  if (!real) {
    spectrum.left_eigenfunctions.im = Block{{0, 14}, {0, 34}};
  }
  spectrum.stationary = Vector{{0.25, 0.75}};
  spectrum.residuals = Vector{{1e-16, 1e-10}};
  spectrum.left_residuals = Vector{{1e-16, nan}};
  spectrum.status = {PairStatus::Converged, PairStatus::NotConverged};
  spectrum.spurious = {1};
  spectrum.effective_points = Vector{{2, 1.5}};
  spectrum.products = 42;
  spectrum.warnings = {"mode 1 is spurious"};
  return spectrum;
}

RunRecord example_run() { return {"tmd", R"({"epsilon": 0.01, "points": "a.npy"})", {{"kernel", 0.5}}}; }

Json example_json(bool reversible) {
  return Json::parse(result_json(example_map(reversible), example_spectrum(reversible), {.run = example_run()}));
}

TEST(ResultJson, HasEveryKeyOfTheInterface) {
  const Json json = example_json(true);
  EXPECT_EQ(json["version"], version());
  EXPECT_EQ(json["format"], 3);
  EXPECT_EQ(json["command"], "tmd");
  EXPECT_EQ(json["parameters"], (Json{{"epsilon", 0.01}, {"points", "a.npy"}}));
  EXPECT_EQ(json["method"], "target_measure_map");
  EXPECT_EQ(json["reversible"], true);
  EXPECT_EQ(json["points"], 5);
  EXPECT_EQ(json["dimension"], 2);
  EXPECT_EQ(json["epsilon"], 0.01);
  EXPECT_EQ(json["density_epsilon"], 0.02);
  EXPECT_EQ(json["engine"], "sparse");
  EXPECT_EQ(json["matvecs"], 42);
  EXPECT_EQ(json["seconds"], (Json{{"kernel", 0.5}}));
  EXPECT_GT(json["peak_memory_bytes"].get<std::size_t>(), std::size_t{1} << 20);
}

TEST(ResultJson, HasTheDefinitionWithTheFieldsOfItsMethod) {
  const Json kernel{{"engine", "auto"},          {"cutoff", 1e-8}, {"period", Json::array()},
                    {"single_precision", false}, {"landmarks", 0}, {"landmark_error", 0.02}};
  const Json bandwidth{{"strength", 0.0}, {"neighbours", 0}, {"dimension", 0}};
  EXPECT_EQ(example_json(true)["definition"], (Json{{"method", "target_measure_map"},
                                                    {"epsilon", 0.01},
                                                    {"normalization", "paper"},
                                                    {"bandwidth", bandwidth},
                                                    {"drop_isolated", false},
                                                    {"kernel", kernel}}));
  EXPECT_EQ(example_json(false)["definition"], (Json{{"method", "local_kernel_map"},
                                                     {"epsilon", 0.01},
                                                     {"density_epsilon", 0.02},
                                                     {"eta", 0.0},
                                                     {"step", "euler"},
                                                     {"keep_traps", false},
                                                     {"normalization", "paper"},
                                                     {"bandwidth", bandwidth},
                                                     {"drop_isolated", false},
                                                     {"kernel", kernel}}));
}

TEST(ResultJson, HasEveryPair) {
  const Json json = example_json(false);
  EXPECT_EQ(json["eigenvalues"], (Json{{0.0, 0.0}, {-2.0, 1.5}}));
  EXPECT_EQ(json["rates_log"], (Json{0.0, -2.02}));
  EXPECT_EQ(json["residuals"], (Json{1e-16, 1e-10}));
  EXPECT_EQ(json["status"], (Json{"converged", "not converged"}));
  EXPECT_EQ(json["spurious"], Json::array({1}));
  EXPECT_EQ(json["effective_points"], (Json{2.0, 1.5}));
  EXPECT_EQ(json["method"], "local_kernel_map");
}

TEST(ResultJson, WritesNullForInfinityAndNan) {
  const Json json = example_json(true);
  EXPECT_EQ(json["timescales"], (Json{nullptr, 0.5}));
  EXPECT_EQ(json["timescales_log"], (Json{nullptr, 0.495}));
  EXPECT_EQ(json["left_residuals"], (Json{1e-16, nullptr}));
  EXPECT_TRUE(json["diagnostics"]["intrinsic_dimension"].is_null());
}

TEST(ResultJson, CollectsDiagnosticsAndWarnings) {
  const Json diagnostics = example_json(true)["diagnostics"];
  EXPECT_EQ(diagnostics["components"], 1);
  EXPECT_EQ(diagnostics["isolated_points"], 3);
  EXPECT_EQ(diagnostics["stranded_points"], 0);
  EXPECT_EQ(diagnostics["underflow_points"], 0);
  EXPECT_EQ(diagnostics["dropped_points"], 3);
  EXPECT_EQ(diagnostics["mean_neighbours"], 1.5);
  EXPECT_EQ(diagnostics["warnings"], (Json{"3 points left out", "mode 1 is spurious"}));
}

TEST(ResultJson, SurvivesTextThatIsNotUtf8) {
  RunRecord run = example_run();
  run.command = "caf\xE9";
  const std::string text = result_json(example_map(true), example_spectrum(true), {.run = run});
  EXPECT_EQ(Json::parse(text)["command"], "caf\xEF\xBF\xBD");
}

TEST(ResultJson, RefusesParametersThatAreNoObject) {
  for (const char* text : {"", "{", "[1]", "3"}) {
    RunRecord run = example_run();
    run.parameters_json = text;
    EXPECT_EQ(error_of<InvalidArgument>([&] { result_json(example_map(true), example_spectrum(true), {.run = run}); }),
              "RunRecord::parameters_json is not a JSON object");
  }
}

class SaveResult : public IoTest {
 protected:
  void write_example(bool reversible) const {
    OutputDirectory out(path("out"), false);
    write_result(out, example_map(reversible), example_spectrum(reversible), {.run = example_run()});
    out.commit();
  }

  // Text and not numbers, so that NaN equals NaN.
  std::string rows(const std::string& name) const {
    const Array array = read_array(path("out/" + name));
    std::ostringstream text;
    text << array.as_points().format(Eigen::IOFormat(6, Eigen::DontAlignCols, " ", "; "));
    return text.str();
  }

  // Header and values of an array of complex numbers, which read_array refuses.
  std::pair<std::string, Values> complex_file(const std::string& name) const {
    const std::string content = slurp(path("out/" + name));
    Values values((content.size() - 128) / sizeof(double));
    std::memcpy(values.data(), content.data() + 128, values.size() * sizeof(double));
    return {content.substr(10, content.find('}') - 9), values};
  }
};

TEST_F(SaveResult, HasEveryFile) {
  write_example(true);
  for (const char* name : {"result.json", "eigenvalues.npy", "eigenfunctions.npy", "left_eigenfunctions.npy",
                           "stationary.npy", "density.npy", "embedding.npy", "points.npy", "log_target.npy"}) {
    EXPECT_TRUE(std::filesystem::exists(path("out") + "/" + name)) << name;
  }
  EXPECT_EQ(Json::parse(slurp(path("out/result.json")))["points"], 5);
}

TEST_F(SaveResult, ReversibleArraysAreRealWithTheUsersRows) {
  write_example(true);
  EXPECT_EQ(rows("eigenvalues.npy"), "0; -2");
  EXPECT_EQ(rows("eigenfunctions.npy"), "nan nan; 1 11; nan nan; 1 31; nan nan");
  EXPECT_EQ(rows("left_eigenfunctions.npy"), "nan nan; 0.25 12; nan nan; 0.75 32; nan nan");
  EXPECT_EQ(rows("stationary.npy"), "nan; 0.25; nan; 0.75; nan");
  EXPECT_EQ(rows("density.npy"), "nan; 10; nan; 30; nan");
  EXPECT_EQ(read_array(path("out/density.npy")).shape, Shape{5});
  EXPECT_EQ(read_array(path("out/embedding.npy")).shape, (Shape{5, 1}));
}

TEST_F(SaveResult, OtherArraysAreComplex) {
  write_example(false);
  const auto [header, eigenvalues] = complex_file("eigenvalues.npy");
  EXPECT_EQ(header, "{'descr': '<c16', 'fortran_order': False, 'shape': (2,), }");
  EXPECT_EQ(eigenvalues, (Values{0, 0, -2, 1.5}));
  const auto [shape, functions] = complex_file("left_eigenfunctions.npy");
  EXPECT_EQ(shape, "{'descr': '<c16', 'fortran_order': False, 'shape': (5, 2), }");
  EXPECT_EQ(Values(functions.begin() + 4, functions.begin() + 8), (Values{0.25, 0, 12, 14}));
  EXPECT_TRUE(std::isnan(functions[0]) && std::isnan(functions[1]));
}

TEST_F(SaveResult, ComplexEvenIfAllImaginaryPartsAreMissing) {
  OutputDirectory out(path("out"), false);
  write_result(out, example_map(false), example_spectrum(true), {.run = example_run()});
  out.commit();
  const auto [shape, functions] = complex_file("eigenfunctions.npy");
  EXPECT_EQ(shape, "{'descr': '<c16', 'fortran_order': False, 'shape': (5, 2), }");
  EXPECT_EQ(Values(functions.begin() + 4, functions.begin() + 8), (Values{1, 0, 11, 0}));
}

TEST_F(SaveResult, InputsAreCopiedWhole) {
  write_example(false);
  EXPECT_EQ(read_array(path("out/points.npy")).shape, (Shape{5, 2}));
  EXPECT_EQ(read_array(path("out/drift.npy")).shape, (Shape{5, 2}));
  EXPECT_EQ(read_array(path("out/diffusion.npy")).shape, Shape{1});
  EXPECT_FALSE(std::filesystem::exists(path("out/log_target.npy")));
}

TEST_F(SaveResult, RefusesASpectrumOfAnotherMap) {
  Spectrum other = example_spectrum(true);
  other.stationary = Vector::Ones(3);
  EXPECT_NE(
      error_of<InvalidArgument>([&] { save(path("out"), example_map(true), other); }).find("eigenpairs of this map"),
      std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST_F(SaveResult, ReplacesAnEarlierResultOnlyIfForced) {
  save(path("out"), example_map(true), example_spectrum(true));
  EXPECT_NE(error_of([&] { save(path("out"), example_map(false), example_spectrum(false)); }), "");
  save(path("out"), example_map(false), example_spectrum(false), {.force = true});
  EXPECT_EQ(Json::parse(slurp(path("out/result.json")))["method"], "local_kernel_map");
}

TEST_F(SaveResult, AllPointsInTheMap) {
  detail::Generator generator = example_generator(true);
  generator.kept = {0, 1};
  generator.definition.points = Points::Zero(2, 2);
  generator.definition.log_target = Vector::Zero(2);
  OutputDirectory out(path("out"), false);
  write_result(out, detail::map_of(generator), example_spectrum(true), {.run = example_run()});
  out.commit();
  EXPECT_EQ(rows("eigenfunctions.npy"), "1 11; 1 31");
}

}  // namespace
}  // namespace itomap::test
