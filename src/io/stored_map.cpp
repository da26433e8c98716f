#include "itomap/io/stored_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/array_checks.hpp"
#include "io/json.hpp"
#include "io/result_arrays.hpp"
#include "io/result_entry.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap {
namespace {

using io::ResultEntry;
using io::Shape;

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
  const auto values = array.as_points();
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
  Loader(std::string directory, const LoadOptions& options)
      : directory_(std::move(directory)), options_(options), result_(ResultEntry::whole(directory_)) {}

  StoredMap load() const {
    StoredMap map;
    map.directory = directory_;
    map.command = result_.at("command").text();
    map.definition = definition();
    map.generator = build(map.definition);
    check_generator(map.generator, map.definition.kernel.cutoff);
    map.spectrum = spectrum(map.generator);
    return map;
  }

  StoredWeights weights() const {
    const Index m = points();
    const Array stored = io::read_result(directory_, "stationary.npy", {Shape{size(m)}});
    const ResultEntry diagnostics = result_.at("diagnostics");
    const Index dropped = diagnostics.at("dropped_points").count(0, m - 1);
    const auto values = stored.as_vector();
    std::vector<Index> kept;
    for (Index i = 0; i < m; ++i) {
      if (!std::isnan(values[i])) kept.push_back(i);
    }
    if (m - Index(kept.size()) != dropped) {
      throw IoError(fmt::format("{}: {} rows hold NaN, but {} points were left out of the map; {}", stored.source,
                                m - Index(kept.size()), dropped, io::whole_result_remedy));
    }
    stationary(stored, kept);  // refuses what are no weights
    return {values, result_.at("reversible").flag(), diagnostics.at("components").count(1, m)};
  }

 private:
  Index points() const { return result_.at("points").count(2, std::numeric_limits<Index>::max()); }

  Array input(const std::string& name, const std::vector<Shape>& shapes) const {
    Array array = io::read_result(directory_, name, shapes);
    io::check_finite(array);
    return array;
  }

  Method method() const {
    const ResultEntry entry = result_.at("method");
    const auto name = entry.text();
    for (const Method method :
         {Method::DiffusionMap, Method::TargetMeasureMap, Method::LocalKernelMap, Method::BiasedLocalKernelMap}) {
      if (name == io::method_name(method)) return method;
    }
    entry.refuse("is none of the methods");
  }

  MapDefinition definition() const {
    const ResultEntry parameters = result_.at("parameters");
    const auto m = size(points());
    const auto n = size(result_.at("dimension").count(1, std::numeric_limits<Index>::max()));
    MapDefinition d;
    d.method = method();
    d.points = input("points.npy", {Shape{m, n}}).as_points();
    d.epsilon = result_.at("epsilon").positive();
    d.drop_isolated = flag(parameters, "drop_isolated");
    d.bandwidth = bandwidth(parameters, Index(n));
    d.kernel = kernel_options(parameters);
    if (d.method == Method::DiffusionMap) {
      d.alpha = parameters.at("alpha").number();
    } else if (d.method == Method::TargetMeasureMap) {
      d.log_target = input("log_target.npy", {Shape{m}}).as_vector();
    } else {
      d.density_epsilon = result_.at("density_epsilon").positive();
      d.eta = parameters.at("eta").number();
      d.keep_traps = flag(parameters, "keep_traps", true);  // results that do not say were made so
      d.drift = input("drift.npy", {Shape{m, n}}).as_points();
      d.diffusion =
          diffusion_from(input("diffusion.npy", {Shape{1}, Shape{1, n, n}, Shape{m}, Shape{m, n}, Shape{m, n, n}}));
    }
    validate(d, parameters);
    return d;
  }

  Generator build(const MapDefinition& definition) const {
    try {
      return definition.build();
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("{}: {}", directory_, error.what()));
    }
  }

  static bool flag(const ResultEntry& parameters, const char* key, bool otherwise = false) {
    const auto entry = parameters.find(key);
    return entry ? entry->flag() : otherwise;
  }

  VariableBandwidth bandwidth(const ResultEntry& parameters, Index space) const {
    constexpr Index most = std::numeric_limits<Index>::max();
    const auto strength = parameters.find("bandwidth");
    const auto neighbours = parameters.find("bandwidth_neighbours");
    const auto asked = parameters.find("manifold_dimension");
    const Index dimension = asked ? asked->count(0, space) : 0;
    const auto used = result_.find("bandwidth");  // with the dimension that was asked for or estimated
    return {.strength = strength ? strength->number() : 0.0,
            .neighbours = neighbours ? neighbours->count(0, most) : 0,
            .dimension = used ? used->at("dimension").count(1, space) : dimension};
  }

  KernelOptions kernel_options(const ResultEntry& parameters) const {
    KernelOptions k;
    k.engine = engine();
    k.cutoff = parameters.at("cutoff").number();
    k.single_precision = flag(parameters, "single");
    if (const auto period = parameters.find("period")) {
      for (const ResultEntry& length : period->list()) k.period.push_back(length.number());
    }
    k.threads = options_.threads;
    k.memory = options_.memory;
    k.progress = options_.progress;
    return k;
  }

  Engine engine() const {
    const ResultEntry entry = result_.at("engine");
    try {
      return engine_from_string(entry.text());
    } catch (const InvalidArgument&) {
      entry.refuse("is none of the engines");
    }
  }

  /// The library knows the ranges of parameters; which file they came from is known here.
  void validate(const MapDefinition& d, const ResultEntry& parameters) const {
    try {
      d.kernel.validate(size(d.points.cols()));
      d.bandwidth.validate(d.points.rows(), d.points.cols());
      if (d.diffusion) d.diffusion->validate(d.points.rows(), d.points.cols(), d.eta);
      io::check_period(d.kernel.period, d.points, "points.npy");
    } catch (const Error& error) {
      parameters.refuse(fmt::format("does not fit ({})", error.what()));
    }
  }

  /// What is computed again must agree with what was stored, or the files do not belong together.
  void check_generator(const Generator& g, double cutoff) const {
    if (result_.at("reversible").flag() != g.reversible) result_.at("reversible").refuse("contradicts the method");
    const double tolerance = std::max(1e-5, 10.0 * cutoff);
    const Shape rows{size(g.input_points)};
    for (const auto& [name, computed] : {std::pair("density.npy", &g.density), {"bandwidth.npy", &g.bandwidth}}) {
      if (computed->size() == 0) continue;
      const Array stored = io::read_result(directory_, name, {rows});
      io::check_rows(stored, g.kept);
      io::check_same(stored.as_vector()(g.kept), *computed, tolerance, stored.source);
    }
  }

  Vector numbers(const char* key, Index count) const {
    Vector values(count);
    Index n = 0;
    for (const ResultEntry& entry : result_.at(key).list(count)) values[n++] = entry.number_or_infinity();
    return values;
  }

  static Vector stationary(const Array& stored, const std::vector<Index>& kept) {
    io::check_rows(stored, kept);
    const Vector weights = stored.as_vector()(kept);
    io::check_weights(weights, stored.source);
    return weights;
  }

  /// The rows of the points that are in the map; re and im from pairs of numbers where the array is complex.
  void functions(const std::string& name, const Generator& g, Index columns, Block& re, Block& im) const {
    const Shape shape{size(g.input_points), size(columns)};
    const Array stored =
        g.reversible ? io::read_result(directory_, name, {shape}) : io::read_complex_result(directory_, name, shape);
    io::check_rows(stored, g.kept);
    if (g.reversible) {
      re = stored.as_points()(g.kept, Eigen::all);
      return;
    }
    re = stored.as_points()(g.kept, Eigen::seqN(0, columns, 2));
    im = stored.as_points()(g.kept, Eigen::seqN(1, columns, 2));
  }

  /// From result.json; eigenvalues.npy says the same, or one of them was changed.
  Eigen::VectorXcd eigenvalues(const Generator& g) const {
    const auto pairs = result_.at("eigenvalues").list();
    if (pairs.empty() || Index(pairs.size()) > g.size()) result_.at("eigenvalues").refuse("has no or too many entries");
    Points values(Index(pairs.size()), 2);
    for (std::size_t n = 0; n < pairs.size(); ++n) {
      const auto parts = pairs[n].list(2);
      values.row(Index(n)) << parts[0].number(), parts[1].number();
    }
    const Shape shape{pairs.size()};
    const Array stored = g.reversible ? io::read_result(directory_, "eigenvalues.npy", {shape})
                                      : io::read_complex_result(directory_, "eigenvalues.npy", shape);
    if (stored.as_points() != values.leftCols(g.reversible ? 1 : 2) || (g.reversible && !values.col(1).isZero(0.0))) {
      throw IoError(
          fmt::format("{}: contradicts the eigenvalues of result.json; {}", stored.source, io::whole_result_remedy));
    }
    Eigen::VectorXcd lambda(values.rows());
    lambda.real() = values.col(0);
    lambda.imag() = values.col(1);
    return lambda;
  }

  PairStatus status(const ResultEntry& entry) const {
    const std::string text = entry.text();
    if (text != "converged" && text != "not converged") entry.refuse("is neither 'converged' nor 'not converged'");
    return text == "converged" ? PairStatus::Converged : PairStatus::NotConverged;
  }

  Spectrum spectrum(const Generator& g) const {
    Spectrum s;
    s.eigenvalues = eigenvalues(g);
    const Index count = s.eigenvalues.size();
    s.rates_log = numbers("rates_log", count);
    s.timescales = numbers("timescales", count);
    s.timescales_log = numbers("timescales_log", count);
    s.residuals = numbers("residuals", count);
    s.left_residuals = numbers("left_residuals", count);
    s.effective_points = numbers("effective_points", count);
    for (const ResultEntry& entry : result_.at("spurious").list()) s.spurious.push_back(entry.count(0, count - 1));
    for (const ResultEntry& entry : result_.at("status").list(count)) s.status.push_back(status(entry));
    s.stationary = stationary(io::read_result(directory_, "stationary.npy", {Shape{size(g.input_points)}}), g.kept);
    functions("eigenfunctions.npy", g, count, s.eigenfunctions, s.eigenfunctions_imag);
    functions("left_eigenfunctions.npy", g, count, s.left_eigenfunctions, s.left_eigenfunctions_imag);
    io::check_rows(io::read_result(directory_, "embedding.npy", {Shape{size(g.input_points), size(count - 1)}}),
                   g.kept);
    return s;
  }

  std::string directory_;
  LoadOptions options_;
  ResultEntry result_;
};

}  // namespace

StoredMap load_map(const std::string& directory, const LoadOptions& options) {
  return Loader(directory, options).load();
}

StoredWeights load_weights(const std::string& directory) { return Loader(directory, {}).weights(); }

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
