#include "itomap/io/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/definition_json.hpp"
#include "io/json.hpp"
#include "io/result_arrays.hpp"
#include "io/result_entry.hpp"
#include "io/whole_numbers.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap {
using namespace detail;
namespace {

std::size_t size(Index index) { return static_cast<std::size_t>(index); }

/// The first axis says whether there is one A for all points or one for each, the others which kind it is.
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

/// The keys of result.json; the last ones are not in every result.
const std::vector<std::string_view> result_keys{
    "version",        "format",           "command",           "parameters",
    "definition",     "method",           "reversible",        "points",
    "dimension",      "epsilon",          "density_epsilon",   "engine",
    "plan",           "eigenvalues",      "rates_log",         "timescales",
    "timescales_log", "residuals",        "left_residuals",    "status",
    "spurious",       "effective_points", "condition_numbers", "diagnostics",
    "matvecs",        "seconds",          "peak_memory_bytes", "epsilon_reason",
    "bandwidth",      "error_bars",       "condensed",         "command_line",
    "columns"};

/// Reads what result.json says, and the arrays beside it.
class Loader {
 public:
  explicit Loader(std::string directory)
      : directory_(std::move(directory)), result_(ResultEntry::whole(directory_)), format_(format()) {
    if (format_ > 1) {
      check_entries();
    }
  }

  Result load(const Execution& execution) const {
    Map map = rebuilt(definition(), execution);
    check_map(map);
    Spectrum s = spectrum(map);
    return {std::move(map), std::move(s)};
  }

  StoredWeights weights() const {
    const Index m = points();
    const Array stored = read_result(directory_, "stationary.npy", {Shape{size(m)}});
    const ResultEntry diagnostics = result_.at("diagnostics");
    const Index dropped = diagnostics.at("dropped_points").count(0, m - 1);
    const auto values = stored.as_vector();
    std::vector<Index> kept;
    for (Index i = 0; i < m; ++i) {
      if (!std::isnan(values[i])) {
        kept.push_back(i);
      }
    }
    if (m - Index(kept.size()) != dropped) {
      throw IoError(fmt::format("{}: {} rows hold NaN, but {} points were left out of the map; {}", stored.source,
                                m - Index(kept.size()), dropped, whole_result_remedy));
    }
    stationary(stored, kept);  // refuses what are no weights
    return {values, result_.at("reversible").flag(), diagnostics.at("components").count(1, m)};
  }

 private:
  Index points() const { return result_.at("points").count(2, std::numeric_limits<Index>::max()); }

  Array input(const std::string& name, const std::vector<Shape>& shapes) const {
    Array array = read_result(directory_, name, shapes);
    check_finite(array);
    return array;
  }

  /// All that is never missing, also what the map does not need.
  void check_entries() const {
    result_.check_keys(result_keys);
    for (const char* text : {"version", "command", "engine"}) {
      static_cast<void>(result_.at(text).text());
    }
    for (const char* any : {"parameters", "plan", "seconds", "matvecs", "peak_memory_bytes"}) {
      static_cast<void>(result_.at(any));
    }
  }

  /// Results of the first format do not say.
  Index format() const {
    const auto entry = result_.find("format");
    if (!entry) {
      return 1;
    }
    const Index format = entry->count(2, std::numeric_limits<Index>::max());
    if (format > result_format) {
      entry->refuse("is of a later version; load it with that");
    }
    return format;
  }

  MapDefinition definition() const {
    MapDefinition d = format_ == 1 ? from_first_format(result_) : from_json(result_.at("definition"), format_);
    const auto m = size(points());
    const StoredCloud cloud = format_ == 1 ? StoredCloud::Points : stored_cloud(result_.at("definition"));
    const Index least = cloud == StoredCloud::Points ? 1 : 0;
    const auto n = size(result_.at("dimension").count(least, std::numeric_limits<Index>::max()));
    const auto one_column = [](const Array& array) -> Vector { return array.as_vector(); };
    if (cloud == StoredCloud::Points) {
      d.points = input("points.npy", {Shape{m, n}}).cloud();
    } else {
      d.distances = distances(m, cloud);
    }
    if (d.method == Method::TargetMeasureMap) {
      d.log_target = one_column(input("log_target.npy", {Shape{m}}));
    }
    if (d.local()) {
      d.drift = input("drift.npy", {Shape{m, n}}).as_points();
      d.diffusion =
          diffusion_from(input("diffusion.npy", {Shape{1}, Shape{1, n, n}, Shape{m}, Shape{m, n}, Shape{m, n, n}}));
    }
    validate(d);
    return d;
  }

  Distances distances(std::size_t m, StoredCloud cloud) const {
    if (cloud == StoredCloud::AllDistances) {
      return Distances(read_result(directory_, "distances.npy", {Shape{m, m}}).cloud());
    }
    auto begin = whole_numbers<Index>(directory_ + "/distance_rows.npy");
    auto columns = whole_numbers<std::int32_t>(directory_ + "/distance_columns.npy");
    const Array values = read_result(directory_, "distances.npy", {Shape{columns.size()}});
    const auto numbers = values.as_vector();
    try {
      return Distances::listed(Index(m), Index(m), std::move(begin), std::move(columns),
                               {numbers.begin(), numbers.end()});
    } catch (const InvalidArgument& error) {
      throw IoError(fmt::format("{}: {}", directory_, error.what()));
    }
  }

  /// By the engine that was chosen then, even if the memory at hand now suggests another.
  Map rebuilt(MapDefinition definition, const Execution& execution) const {
    Map map = build(definition, execution);
    const std::string engine = result_.at("engine").text();
    if (definition.kernel.engine != Engine::Auto || engine == to_string(map.plan().engine)) {
      return map;
    }
    try {
      definition.kernel.engine = engine_from_string(engine);
    } catch (const InvalidArgument&) {
      refuse_contradiction("engine");
    }
    return build(std::move(definition), execution);
  }

  Map build(MapDefinition definition, const Execution& execution) const {
    try {
      return make_map(std::move(definition), execution);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("{}: {}", directory_, error.what()));
    }
  }

  /// The library knows the ranges of parameters; which file they came from is known here.
  void validate(const MapDefinition& d) const {
    try {
      d.validate();
    } catch (const Error& error) {
      result_.at(format_ == 1 ? "parameters" : "definition").refuse(fmt::format("does not fit ({})", error.what()));
    }
  }

  /// What is computed again must agree with what was stored, or the files do not belong together.
  void check_map(const Map& map) const {
    if (result_.at("reversible").flag() != map.reversible()) {
      refuse_contradiction("reversible");
    }
    if (result_.at("method").text() != to_string(map.method())) {
      refuse_contradiction("method");
    }
    if (result_.at("engine").text() != to_string(map.plan().engine)) {
      refuse_contradiction("engine");
    }
    if (result_.at("epsilon").number() != map.epsilon()) {
      refuse_contradiction("epsilon");
    }
    if (result_.at("density_epsilon").number() != map.density_epsilon()) {
      refuse_contradiction("density_epsilon");
    }
    // Points in blocks have other landmarks than those in memory: their densities agree as far as both are right.
    const double tolerance = std::max({1e-5, 10.0 * map.definition().kernel.cutoff, 10.0 * map.plan().sum_error});
    const Shape rows{size(map.input_points())};
    for (const auto& [name, computed] :
         {std::pair("density.npy", &map.density()), {"bandwidth.npy", &map.bandwidth()}}) {
      if (computed->size() == 0) {
        continue;
      }
      const Array stored = read_result(directory_, name, {rows});
      check_rows(stored, map.kept());
      check_same(stored.as_vector()(map.kept()), *computed, tolerance, stored.source);
    }
  }

  [[noreturn]] void refuse_contradiction(const char* key) const {
    result_.at(key).refuse("contradicts the definition of the map");
  }

  Vector numbers(const char* key, Index count, double null = std::numeric_limits<double>::infinity()) const {
    Vector values(count);
    Index n = 0;
    for (const ResultEntry& entry : result_.at(key).list(count)) {
      values[n++] = entry.number_or(null);
    }
    return values;
  }

  static Vector stationary(const Array& stored, const std::vector<Index>& kept) {
    check_rows(stored, kept);
    const Vector weights = stored.as_vector()(kept);
    check_weights(weights, stored.source);
    return weights;
  }

  /// The rows of the points that are in the map; re and im from pairs of numbers where the array is complex.
  Eigenfunctions functions(const std::string& name, const Map& map, Index columns) const {
    const Shape shape{size(map.input_points()), size(columns)};
    const Array stored =
        map.reversible() ? read_result(directory_, name, {shape}) : read_complex_result(directory_, name, shape);
    check_rows(stored, map.kept());
    if (map.reversible()) {
      return {.re = stored.as_points()(map.kept(), Eigen::all)};
    }
    return {.re = stored.as_points()(map.kept(), Eigen::seqN(0, columns, 2)),
            .im = stored.as_points()(map.kept(), Eigen::seqN(1, columns, 2))};
  }

  /// From result.json; eigenvalues.npy says the same, or one of them was changed.
  Eigen::VectorXcd eigenvalues(const Map& g) const {
    const auto pairs = result_.at("eigenvalues").list();
    if (pairs.empty() || Index(pairs.size()) > g.size()) {
      result_.at("eigenvalues").refuse("has no or too many entries");
    }
    Points values(Index(pairs.size()), 2);
    for (std::size_t n = 0; n < pairs.size(); ++n) {
      const auto parts = pairs[n].list(2);
      values.row(Index(n)) << parts[0].number(), parts[1].number();
    }
    const Shape shape{pairs.size()};
    const Array stored = g.reversible() ? read_result(directory_, "eigenvalues.npy", {shape})
                                        : read_complex_result(directory_, "eigenvalues.npy", shape);
    if (stored.as_points() != values.leftCols(g.reversible() ? 1 : 2) ||
        (g.reversible() && !values.col(1).isZero(0.0))) {
      throw IoError(
          fmt::format("{}: contradicts the eigenvalues of result.json; {}", stored.source, whole_result_remedy));
    }
    Eigen::VectorXcd lambda(values.rows());
    lambda.real() = values.col(0);
    lambda.imag() = values.col(1);
    return lambda;
  }

  PairStatus status(const ResultEntry& entry) const {
    const std::string text = entry.text();
    if (text != "converged" && text != "not converged") {
      entry.refuse("is neither 'converged' nor 'not converged'");
    }
    return text == "converged" ? PairStatus::Converged : PairStatus::NotConverged;
  }

  Spectrum spectrum(const Map& g) const {
    Spectrum s;
    s.eigenvalues = eigenvalues(g);
    s.time_step = g.time_step();
    const Index count = s.eigenvalues.size();
    s.rates_log = numbers("rates_log", count, -std::numeric_limits<double>::infinity());
    s.timescales = numbers("timescales", count);
    s.timescales_log = numbers("timescales_log", count);
    s.residuals = numbers("residuals", count);
    s.left_residuals = numbers("left_residuals", count);
    s.effective_points = numbers("effective_points", count);
    for (const ResultEntry& entry : result_.at("spurious").list()) {
      s.spurious.push_back(entry.count(0, count - 1));
    }
    for (const ResultEntry& entry : result_.at("status").list(count)) {
      s.status.push_back(status(entry));
    }
    s.stationary = stationary(read_result(directory_, "stationary.npy", {Shape{size(g.input_points())}}), g.kept());
    s.eigenfunctions = functions("eigenfunctions.npy", g, count);
    s.left_eigenfunctions = functions("left_eigenfunctions.npy", g, count);
    check_rows(read_result(directory_, "embedding.npy", {Shape{size(g.input_points()), size(count - 1)}}), g.kept());
    return s;
  }

  std::string directory_;
  ResultEntry result_;
  Index format_;
};

}  // namespace

Result load(const std::string& directory, const Execution& execution) { return Loader(directory).load(execution); }

StoredWeights load_weights(const std::string& directory) { return Loader(directory).weights(); }

}  // namespace itomap
