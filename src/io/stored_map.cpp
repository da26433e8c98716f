#include "itomap/io/stored_map.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/mapped_file.hpp"
#include "io/npy.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap {
namespace {

using Json = nlohmann::json;
using Shape = std::vector<std::size_t>;

[[noreturn]] void refuse(const std::string& directory, const std::string& why) {
  throw IoError(fmt::format("{}: {}; give a directory that itomap dmap, tmd or lkd wrote with --out", directory, why));
}

std::size_t size(Index index) { return static_cast<std::size_t>(index); }

void write(const OutputDirectory& out, const char* name, const Points& values, const Shape& shape) {
  write_npy(out.path(name), {values.data(), size(values.size())}, shape);
}

/// The first axis says whether there is one A for all points or one for each, the others which kind it is.
Shape diffusion_shape(const Diffusion& diffusion, Index points, Index dimension) {
  const auto m = size(points);
  const auto n = size(dimension);
  switch (diffusion.kind()) {
    case Diffusion::Kind::Constant:
      return {1};
    case Diffusion::Kind::ConstantMatrix:
      return {1, n, n};
    case Diffusion::Kind::Scalars:
      return {m};
    case Diffusion::Kind::Diagonals:
      return {m, n};
    case Diffusion::Kind::Matrices:
      break;
  }
  return {m, n, n};
}

Diffusion diffusion_from(const Array& array) {
  const Points values = array.as_points();
  if (array.shape[0] == 1) {
    return array.shape.size() == 1 ? Diffusion::constant(values(0, 0))
                                   : Diffusion::constant_matrix(Eigen::Map<const Points>(
                                         values.data(), Index(array.shape[1]), Index(array.shape[2])));
  }
  return array.shape.size() == 1   ? Diffusion::scalars(array.as_vector())
         : array.shape.size() == 2 ? Diffusion::diagonals(values)
                                   : Diffusion::matrices(values);
}

/// Reads what result.json says, and the arrays beside it.
class Loader {
 public:
  Loader(std::string directory, const LoadOptions& options) : directory_(std::move(directory)), options_(options) {
    const auto file = path("result.json");
    if (!std::filesystem::exists(file)) {
      refuse(directory_, "not a result directory, result.json is missing");
    }
    const auto text = io::load_file(file, file);
    json_ = Json::parse(reinterpret_cast<const char*>(text.bytes.data()),
                        reinterpret_cast<const char*>(text.bytes.data() + text.bytes.size()), nullptr, false);
    if (!json_.is_object()) {
      refuse(directory_, "result.json is damaged");
    }
  }

  StoredMap load() const {
    StoredMap map;
    try {
      map.directory = directory_;
      map.command = json_.at("command").get<std::string>();
      map.definition = definition();
      map.generator = map.definition.build();
      map.spectrum = spectrum(map.generator);
    } catch (const Json::exception&) {
      refuse(directory_, "result.json lacks an entry or is of another version");
    }
    return map;
  }

 private:
  std::string path(const std::string& name) const { return (std::filesystem::path(directory_) / name).string(); }

  Array array(const std::string& name) const {
    if (!std::filesystem::exists(path(name))) {
      refuse(directory_, name + " is missing");
    }
    return read_array(path(name));
  }

  Method method() const {
    const auto name = json_.at("method").get<std::string>();
    return name == "diffusion_map"        ? Method::DiffusionMap
           : name == "target_measure_map" ? Method::TargetMeasureMap
           : name == "local_kernel_map"   ? Method::LocalKernelMap
                                          : Method::BiasedLocalKernelMap;
  }

  MapDefinition definition() const {
    const Json& parameters = json_.at("parameters");
    MapDefinition d;
    d.method = method();
    d.points = array("points.npy").as_points();
    d.epsilon = json_.at("epsilon").get<double>();
    d.drop_isolated = parameters.value("drop_isolated", false);
    d.bandwidth = {.strength = parameters.value("bandwidth", 0.0),
                   .neighbours = parameters.value("bandwidth_neighbours", Index(0)),
                   .dimension = json_.value("/bandwidth/dimension"_json_pointer, Index(0))};
    d.kernel = kernel_options(parameters);
    if (d.method == Method::DiffusionMap) {
      d.alpha = parameters.at("alpha").get<double>();
    } else if (d.method == Method::TargetMeasureMap) {
      d.log_target = array("log_target.npy").as_vector();
    } else {
      d.density_epsilon = json_.at("density_epsilon").get<double>();
      d.eta = parameters.at("eta").get<double>();
      d.drift = array("drift.npy").as_points();
      d.diffusion = diffusion_from(array("diffusion.npy"));
    }
    check_rows(d);
    return d;
  }

  void check_rows(const MapDefinition& d) const {
    const Index m = json_.at("points").get<Index>();
    const bool good = d.points.rows() == m && (d.log_target.size() == 0 || d.log_target.size() == m) &&
                      (d.drift.size() == 0 || d.drift.rows() == m);
    if (!good) {
      refuse(directory_, "its files do not belong together");
    }
  }

  KernelOptions kernel_options(const Json& parameters) const {
    KernelOptions k;
    k.engine = engine_from_string(json_.at("engine").get<std::string>());
    k.cutoff = parameters.at("cutoff").get<double>();
    k.single_precision = parameters.value("single", false);
    if (parameters.contains("period") && parameters.at("period").is_array()) {
      k.period = parameters.at("period").get<std::vector<double>>();
    }
    k.threads = options_.threads;
    k.memory = options_.memory;
    k.progress = options_.progress;
    return k;
  }

  Vector numbers(const char* key) const {
    const Json& list = json_.at(key);
    Vector values(Index(list.size()));
    for (std::size_t n = 0; n < list.size(); ++n) {
      values[Index(n)] = list[n].is_null() ? std::numeric_limits<double>::infinity() : list[n].get<double>();
    }
    return values;
  }

  /// The rows of the points that are in the map; re and im from pairs of numbers where the array is complex.
  void functions(const std::string& name, const Generator& g, Block& re, Block& im) const {
    if (g.reversible) {
      re = array(name).as_points()(g.kept, Eigen::all);
      return;
    }
    const auto file = path(name);
    const Array pairs = io::parse_npy_complex(io::load_file(file, file), file);
    const Index columns = Index(pairs.shape[1]);
    const Block both = pairs.as_points()(g.kept, Eigen::all);
    re = both(Eigen::all, Eigen::seqN(0, columns, 2));
    im = both(Eigen::all, Eigen::seqN(1, columns, 2));
  }

  Spectrum spectrum(const Generator& g) const {
    Spectrum s;
    const Json& pairs = json_.at("eigenvalues");
    s.eigenvalues.resize(Index(pairs.size()));
    for (std::size_t n = 0; n < pairs.size(); ++n) {
      s.eigenvalues[Index(n)] = {pairs[n].at(0).get<double>(), pairs[n].at(1).get<double>()};
    }
    s.rates_log = numbers("rates_log");
    s.timescales = numbers("timescales");
    s.timescales_log = numbers("timescales_log");
    s.residuals = numbers("residuals");
    s.left_residuals = numbers("left_residuals");
    s.effective_points = numbers("effective_points");
    s.spurious = json_.at("spurious").get<std::vector<Index>>();
    for (const auto& status : json_.at("status")) {
      s.status.push_back(status == "converged" ? PairStatus::Converged : PairStatus::NotConverged);
    }
    s.stationary = array("stationary.npy").as_vector()(g.kept);
    functions("eigenfunctions.npy", g, s.eigenfunctions, s.eigenfunctions_imag);
    functions("left_eigenfunctions.npy", g, s.left_eigenfunctions, s.left_eigenfunctions_imag);
    if (s.eigenfunctions.cols() != s.eigenvalues.size() || !s.stationary.allFinite()) {
      refuse(directory_, "its files do not belong together");
    }
    return s;
  }

  std::string directory_;
  LoadOptions options_;
  Json json_;
};

}  // namespace

StoredMap load_map(const std::string& directory, const LoadOptions& options) {
  return Loader(directory, options).load();
}

void write_inputs(OutputDirectory& out, const MapDefinition& definition) {
  const auto m = size(definition.points.rows());
  const auto n = size(definition.points.cols());
  write(out, "points.npy", definition.points, {m, n});
  if (definition.method == Method::TargetMeasureMap) {
    write_npy(out.path("log_target.npy"), {definition.log_target.data(), m}, {m});
  }
  if (definition.local()) {
    write(out, "drift.npy", definition.drift, {m, n});
    write(out, "diffusion.npy", definition.diffusion->values(),
          diffusion_shape(*definition.diffusion, definition.points.rows(), definition.points.cols()));
  }
}

}  // namespace itomap
