// Result directories with a few bytes changed, put in, taken out or cut off, and what the commands do with them: the
// input is the list of changes, so that most directories are nearly right.
#include <fuzzer/FuzzedDataProvider.h>

#include <map>
#include <nlohmann/json.hpp>

#include "fuzz_parser.hpp"
#include "itomap/analysis/average.hpp"
#include "itomap/analysis/cluster.hpp"
#include "itomap/analysis/committor.hpp"
#include "itomap/analysis/extension.hpp"
#include "itomap/io/result.hpp"
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

const Execution one_thread{.threads = 1};

void store(const std::string& directory, const MapDefinition& definition) {
  const Map map = make_map(definition, one_thread);
  save(directory, map, eigenpairs(map, {.count = 3}), {.run = {.command = "fuzz"}});
}

/// result.json as the first format had it: the options of the command line instead of the definition.
void make_first_format(const std::string& directory, const std::string& parameters) {
  const std::string file = (fs::path(directory) / "result.json").string();
  std::ifstream stream(file);
  auto json = nlohmann::ordered_json::parse(stream);
  json.erase("format");
  json.erase("definition");
  json["parameters"] = nlohmann::ordered_json::parse(parameters);
  const std::string text = json.dump(2);
  write_file(file, text);
}

MapDefinition definition(Method method) {
  return {.method = method, .points = curve(), .epsilon = 0.2, .drop_isolated = true};
}

/// A stored result, the content of its files, and how to put it back to what it was.
class Base {
 public:
  /// With parameters, it is a result of the first format.
  Base(std::string directory, const MapDefinition& definition, const std::string& parameters = {})
      : directory_(std::move(directory)) {
    store(directory_, definition);
    if (!parameters.empty()) {
      make_first_format(directory_, parameters);
    }
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
    for (const auto& [name, content] : changed_) {
      write_file((fs::path(directory_) / name).string(), content);
    }
  }

  void undo() {
    for (const auto& [name, content] : changed_) {
      write_file((fs::path(directory_) / name).string(), files_.at(name));
    }
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
  Points smooth = curve();
  smooth.row(5) = 0.5 * (smooth.row(4) + smooth.row(6));
  target.points = smooth;
  target.log_target = -smooth.rowwise().squaredNorm();
  target.kernel.period = {8.0, 0.0, 0.0, 0.0};
  target.kernel.engine = Engine::Dense;
  target.drop_isolated = false;
  MapDefinition local = definition(Method::LocalKernelMap);
  local.drift = -curve();
  local.diffusion = Diffusion::diagonals(Points::Constant(points, dimension, 0.5));
  std::vector<Base> bases;
  bases.emplace_back(scratch.path("dmap"), variable);
  bases.emplace_back(scratch.path("tmd"), target);
  bases.emplace_back(scratch.path("lkd"), local);
  bases.emplace_back(scratch.path("first-dmap"), variable,
                     R"({"alpha": 0.5, "cutoff": 1e-8, "drop_isolated": true, "bandwidth": 0.5,
                         "bandwidth_neighbours": 4, "manifold_dimension": 0, "single": false, "period": null})");
  bases.emplace_back(scratch.path("first-tmd"), target,
                     R"({"cutoff": 1e-8, "drop_isolated": false, "period": [8.0, 0.0, 0.0, 0.0]})");
  bases.emplace_back(scratch.path("first-lkd"), local,
                     R"({"cutoff": 1e-8, "drop_isolated": true, "eta": 0.0, "keep_traps": false})");
  return bases;
}

/// What the commands do with a result that was taken for a whole one.
void use(const Result& result) {
  const auto& [map, s] = result;
  require(s.eigenfunctions.re.allFinite() && s.eigenfunctions.im.allFinite() && s.stationary.allFinite());
  require(s.left_eigenfunctions.re.allFinite() && s.left_eigenfunctions.im.allFinite());
  require(s.eigenfunctions.rows() == map.size() && s.eigenfunctions.cols() == s.eigenvalues.size());
  const MapDefinition& d = map.definition();
  NewPoints where{.points = d.points.view().topRows(2)};
  if (d.local()) {
    where.drift = d.drift.topRows(2);
    where.diffusion = Diffusion::constant(0.5);
  }
  extend(map, s, where);
  committor(map, s, {0}, {map.size() - 1});
  cluster(map, s, {.sets = 2, .functions = {1}});
}

std::vector<Base> usable_bases(const ScratchDirectory& scratch) {
  std::vector<Base> bases = make_bases(scratch);
  for (const Base& base : bases) {
    use(load(base.directory(), one_thread));  // throws if there is nothing to test
  }
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
  allow_errors([&] { use(load(directory, {.threads = 1, .memory = std::size_t{1} << 28})); });
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
  while (input.remaining_bytes() > 0) {
    base.change(input);
  }
  base.write_changes();
  itomap::fuzz::load_and_use(base.directory());
  base.undo();
  return 0;
}
