// Result directories with a few bytes changed, put in, taken out or cut off, and what the commands do with them: the
// input is the list of changes, so that most directories are nearly right.
#include <fuzzer/FuzzedDataProvider.h>

#include <map>

#include "fuzz_parser.hpp"
#include "itomap/analysis/average.hpp"
#include "itomap/analysis/cluster.hpp"
#include "itomap/analysis/committor.hpp"
#include "itomap/analysis/extension.hpp"
#include "itomap/io/result.hpp"
#include "itomap/io/stored_map.hpp"
#include "scratch_directory.hpp"

namespace itomap::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr Index points = 16;
constexpr Index dimension = 4;  // beyond the grid engine, whose planning would take most of the time

/// On a curve, and one point far away, which is left out.
Points curve() {
  Points x(points, dimension);
  for (Index i = 0; i < points; ++i) {
    const double t = 0.4 * double(i);
    x.row(i) << t, std::cos(t), std::sin(t), 0.1 * t * t;
  }
  x.row(5).setConstant(40.0);
  return x;
}

void store(const std::string& directory, const MapDefinition& definition, const std::string& parameters) {
  const Generator generator = definition.build();
  const Spectrum spectrum = eigenpairs(generator, {.count = 3});
  OutputDirectory out(directory, false);
  write_result(out, generator, spectrum,
               {.command = "fuzz", .parameters_json = parameters, .dimension = definition.points.cols()});
  write_inputs(out, definition);
  out.commit();
}

MapDefinition definition(Method method) {
  MapDefinition d;
  d.method = method;
  d.points = curve();
  d.epsilon = 0.2;
  d.drop_isolated = true;
  d.kernel.threads = 1;
  return d;
}

/// A stored result, the content of its files, and how to put it back to what it was.
class Base {
 public:
  Base(std::string directory, const MapDefinition& definition, const std::string& parameters)
      : directory_(std::move(directory)) {
    store(directory_, definition, parameters);
    for (const auto& entry : fs::directory_iterator(directory_)) {
      std::ifstream stream(entry.path(), std::ios::binary);
      files_[entry.path().filename()] = {std::istreambuf_iterator<char>(stream), {}};
    }
  }

  const std::string& directory() const { return directory_; }

  /// Half of all changes go to result.json, which has most to say.
  void change(FuzzedDataProvider& input) {
    const auto picked = input.ConsumeIntegralInRange<std::size_t>(0, 2 * files_.size() - 1);
    const std::string name =
        picked < files_.size() ? std::next(files_.begin(), std::ptrdiff_t(picked))->first : "result.json";
    const auto place = changed_.try_emplace(name, files_.at(name)).first;
    change_content(input, place->second);
  }

  void write_changes() const {
    for (const auto& [name, content] : changed_) write_file((fs::path(directory_) / name).string(), content);
  }

  void undo() {
    for (const auto& [name, content] : changed_) write_file((fs::path(directory_) / name).string(), files_.at(name));
    changed_.clear();
  }

 private:
  static void change_content(FuzzedDataProvider& input, std::vector<char>& content) {
    const auto begin = input.ConsumeIntegralInRange<std::size_t>(0, content.size());
    const auto length = std::min<std::size_t>(input.ConsumeIntegral<std::uint8_t>(), content.size() - begin);
    const bool cut = input.ConsumeProbability<float>() < 0.05F;
    const auto from = content.begin() + std::ptrdiff_t(begin);
    const auto place = content.erase(from, cut ? content.end() : from + std::ptrdiff_t(length));
    const std::string text = input.ConsumeRandomLengthString(64);
    content.insert(place, text.begin(), text.end());
  }

  std::string directory_;
  std::map<std::string, std::vector<char>> files_;
  std::map<std::string, std::vector<char>> changed_;
};

std::vector<Base> make_bases(const ScratchDirectory& scratch) {
  MapDefinition variable = definition(Method::DiffusionMap);
  variable.bandwidth = {.strength = 0.5, .neighbours = 4};
  MapDefinition target = definition(Method::TargetMeasureMap);
  target.points.row(5) = 0.5 * (target.points.row(4) + target.points.row(6));
  target.log_target = -target.points.rowwise().squaredNorm();
  target.kernel.period = {8.0, 0.0, 0.0, 0.0};
  target.kernel.engine = Engine::Dense;
  target.drop_isolated = false;
  MapDefinition local = definition(Method::LocalKernelMap);
  local.drift = -local.points;
  local.diffusion = Diffusion::diagonals(Points::Constant(points, dimension, 0.5));
  std::vector<Base> bases;
  bases.emplace_back(scratch.path("dmap"), variable,
                     R"({"alpha": 0.5, "cutoff": 1e-8, "drop_isolated": true, "bandwidth": 0.5,
                         "bandwidth_neighbours": 4, "manifold_dimension": 0, "single": false, "period": null})");
  bases.emplace_back(scratch.path("tmd"), target,
                     R"({"cutoff": 1e-8, "drop_isolated": false, "period": [8.0, 0.0, 0.0, 0.0]})");
  bases.emplace_back(scratch.path("lkd"), local, R"({"cutoff": 1e-8, "drop_isolated": true, "eta": 0.0})");
  return bases;
}

/// What the commands do with a result that was taken for a whole one.
void use(const StoredMap& map) {
  const Generator& g = map.generator;
  const Spectrum& s = map.spectrum;
  require(s.eigenfunctions.allFinite() && s.eigenfunctions.im.allFinite() && s.stationary.allFinite());
  require(s.left_eigenfunctions.allFinite() && s.left_eigenfunctions.im.allFinite());
  require(s.eigenfunctions.rows() == g.size() && s.eigenfunctions.cols() == s.eigenvalues.size());
  NewPoints where{.points = map.definition.points.topRows(2)};
  if (map.definition.local()) {
    where.drift = map.definition.drift.topRows(2);
    where.diffusion = Diffusion::constant(0.5);
  }
  extend(map.definition, g, s, where);
  committor(g, s, {0}, {g.size() - 1});
  cluster(g, s, {.sets = 2, .functions = {1}});
}

std::vector<Base> usable_bases(const ScratchDirectory& scratch) {
  std::vector<Base> bases = make_bases(scratch);
  for (const Base& base : bases) use(load_map(base.directory(), {.threads = 1}));  // throws if there is nothing to test
  return bases;
}

/// An Error is fine, any other exception is a finding.
template <class Function>
void allow_errors(const Function& function) {
  try {
    function();
  } catch (const Error&) {
  }
}

void load_and_use(const std::string& directory) {
  allow_errors([&] { use(load_map(directory, {.threads = 1, .memory = std::size_t{1} << 28})); });
  allow_errors([&] {
    const Vector weights = load_weights(directory).stationary;
    require(std::isfinite(expectation(weights, Points::Ones(weights.size(), 1)).mean[0]));
  });
}

}  // namespace
}  // namespace itomap::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const itomap::fuzz::ScratchDirectory scratch;
  static std::vector<itomap::fuzz::Base> bases = itomap::fuzz::usable_bases(scratch);
  FuzzedDataProvider input(data, size);
  auto& base = bases[input.ConsumeIntegralInRange<std::size_t>(0, bases.size() - 1)];
  while (input.remaining_bytes() > 0) base.change(input);
  base.write_changes();
  itomap::fuzz::load_and_use(base.directory());
  base.undo();
  return 0;
}
