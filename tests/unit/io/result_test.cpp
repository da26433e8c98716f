#include "itomap/io/result.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "io_test.hpp"
#include "itomap/core/version.hpp"

namespace itomap::test {
namespace {

using Json = nlohmann::json;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// The result asks the kernel for nothing but its engine.
class NamedKernel : public KernelOperator {
 public:
  Index size() const override { return 2; }
  void apply(PointsView, Eigen::Ref<Block>) const override {}
  void apply_transpose(PointsView, Eigen::Ref<Block>) const override {}
  void apply_rows(std::span<const Index>, PointsView, Eigen::Ref<Block>) const override {}
  bool symmetric() const override { return true; }
  std::size_t memory() const override { return 0; }
  Engine engine() const override { return Engine::Sparse; }
  KernelGraph graph() const override { return {}; }
};

// Five points of which the rows 1 and 3 are in the map.
Generator example_generator(bool reversible) {
  Generator generator;
  generator.method = reversible ? Method::TargetMeasureMap : Method::LocalKernelMap;
  generator.epsilon = 0.01;
  generator.density_epsilon = 0.02;
  generator.reversible = reversible;
  generator.kernel = std::make_shared<NamedKernel>();
  generator.density = Vector{{10, 30}};
  generator.kept = {1, 3};
  generator.input_points = 5;
  generator.diagnostics.isolated_points = 3;
  generator.diagnostics.dropped_points = 3;
  generator.diagnostics.mean_neighbours = 1.5;
  generator.diagnostics.intrinsic_dimension = nan;
  generator.diagnostics.warnings = {"3 points left out"};
  return generator;
}

Spectrum example_spectrum(bool real) {
  Spectrum spectrum;
  spectrum.eigenvalues = Eigen::VectorXcd{{{0, 0}, {-2, real ? 0.0 : 1.5}}};
  spectrum.rates_log = Vector{{0, -2.02}};
  spectrum.timescales = Vector{{infinity, 0.5}};
  spectrum.timescales_log = Vector{{infinity, 0.495}};
  spectrum.eigenfunctions = Block{{1, 11}, {1, 31}};
  spectrum.left_eigenfunctions = Block{{0.25, 12}, {0.75, 32}};
  if (!real) spectrum.eigenfunctions.im = Block{{0, 13}, {0, 33}};
  if (!real) spectrum.left_eigenfunctions.im = Block{{0, 14}, {0, 34}};
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

RunRecord example_run() { return {"tmd", R"({"epsilon": 0.01, "points": "a.npy"})", {{"kernel", 0.5}}, 2}; }

Json example_json(bool reversible) {
  return Json::parse(result_json(example_generator(reversible), example_spectrum(reversible), example_run()));
}

TEST(ResultJson, HasEveryKeyOfTheInterface) {
  const Json json = example_json(true);
  EXPECT_EQ(json["version"], version());
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
  const std::string text = result_json(example_generator(true), example_spectrum(true), run);
  EXPECT_EQ(Json::parse(text)["command"], "caf\xEF\xBF\xBD");
}

TEST(ResultJson, RefusesParametersThatAreNoObject) {
  for (const char* text : {"", "{", "[1]", "3"}) {
    RunRecord run = example_run();
    run.parameters_json = text;
    EXPECT_EQ(error_of<InvalidArgument>([&] { result_json(example_generator(true), example_spectrum(true), run); }),
              "RunRecord::parameters_json is not a JSON object");
  }
}

class ResultTest : public IoTest {
 protected:
  void write_example(bool reversible) const {
    OutputDirectory out(path("out"), false);
    write_result(out, example_generator(reversible), example_spectrum(reversible), example_run());
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

TEST_F(ResultTest, HasEveryFile) {
  write_example(true);
  for (const char* name : {"result.json", "eigenvalues.npy", "eigenfunctions.npy", "left_eigenfunctions.npy",
                           "stationary.npy", "density.npy", "embedding.npy"}) {
    EXPECT_TRUE(std::filesystem::exists(path("out") + "/" + name)) << name;
  }
  EXPECT_EQ(Json::parse(slurp(path("out/result.json")))["points"], 5);
}

TEST_F(ResultTest, ReversibleArraysAreRealWithTheUsersRows) {
  write_example(true);
  EXPECT_EQ(rows("eigenvalues.npy"), "0; -2");
  EXPECT_EQ(rows("eigenfunctions.npy"), "nan nan; 1 11; nan nan; 1 31; nan nan");
  EXPECT_EQ(rows("left_eigenfunctions.npy"), "nan nan; 0.25 12; nan nan; 0.75 32; nan nan");
  EXPECT_EQ(rows("stationary.npy"), "nan; 0.25; nan; 0.75; nan");
  EXPECT_EQ(rows("density.npy"), "nan; 10; nan; 30; nan");
  EXPECT_EQ(read_array(path("out/density.npy")).shape, Shape{5});
  EXPECT_EQ(read_array(path("out/embedding.npy")).shape, (Shape{5, 1}));
}

TEST_F(ResultTest, OtherArraysAreComplex) {
  write_example(false);
  const auto [header, eigenvalues] = complex_file("eigenvalues.npy");
  EXPECT_EQ(header, "{'descr': '<c16', 'fortran_order': False, 'shape': (2,), }");
  EXPECT_EQ(eigenvalues, (Values{0, 0, -2, 1.5}));
  const auto [shape, functions] = complex_file("left_eigenfunctions.npy");
  EXPECT_EQ(shape, "{'descr': '<c16', 'fortran_order': False, 'shape': (5, 2), }");
  EXPECT_EQ(Values(functions.begin() + 4, functions.begin() + 8), (Values{0.25, 0, 12, 14}));
  EXPECT_TRUE(std::isnan(functions[0]) && std::isnan(functions[1]));
}

TEST_F(ResultTest, ComplexEvenIfAllImaginaryPartsAreMissing) {
  OutputDirectory out(path("out"), false);
  write_result(out, example_generator(false), example_spectrum(true), example_run());
  out.commit();
  const auto [shape, functions] = complex_file("eigenfunctions.npy");
  EXPECT_EQ(shape, "{'descr': '<c16', 'fortran_order': False, 'shape': (5, 2), }");
  EXPECT_EQ(Values(functions.begin() + 4, functions.begin() + 8), (Values{1, 0, 11, 0}));
}

TEST_F(ResultTest, AllPointsInTheMap) {
  Generator generator = example_generator(true);
  generator.kept = {0, 1};
  generator.input_points = 2;
  OutputDirectory out(path("out"), false);
  write_result(out, generator, example_spectrum(true), example_run());
  out.commit();
  EXPECT_EQ(rows("eigenfunctions.npy"), "1 11; 1 31");
}

}  // namespace
}  // namespace itomap::test
