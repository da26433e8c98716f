#include "itomap/io/result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "analysis/belongs.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "io/definition_json.hpp"
#include "io/json.hpp"
#include "io/npy_rows.hpp"
#include "io/scan_json.hpp"
#include "itomap/analysis/embedding.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/scales/scale_scan.hpp"

namespace itomap {
using namespace detail;
namespace {

Json numbers(const Vector& values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(number(value));
  }
  return list;
}

Json complex_numbers(const Eigen::VectorXcd& values) {
  Json list = Json::array();
  for (const std::complex<double>& value : values) {
    list.push_back({number(value.real()), number(value.imag())});
  }
  return list;
}

Json status_names(const std::vector<PairStatus>& status) {
  Json list = Json::array();
  for (const PairStatus pair : status) {
    list.push_back(pair == PairStatus::Converged ? "converged" : "not converged");
  }
  return list;
}

Json diagnostics_json(const Diagnostics& diagnostics, const std::vector<std::string>& spectrum_warnings) {
  std::vector<std::string> warnings = diagnostics.warnings;
  warnings.insert(warnings.end(), spectrum_warnings.begin(), spectrum_warnings.end());
  return {{"components", diagnostics.components},
          {"isolated_points", diagnostics.isolated_points},
          {"stranded_points", diagnostics.stranded_points},
          {"trap_points", diagnostics.trap_points},
          {"wall_points", diagnostics.wall_points},
          {"underflow_points", diagnostics.underflow_points},
          {"dropped_points", diagnostics.dropped_points},
          {"mean_neighbours", number(diagnostics.mean_neighbours)},
          {"intrinsic_dimension", number(diagnostics.intrinsic_dimension)},
          {"warnings", warnings}};
}

Json plan_json(const KernelPlan& plan, const Spectrum& spectrum) {
  const double products = double(std::max<Index>(spectrum.products, 1));
  Json json{{"reason", plan.reason},
            {"predicted_kernel_bytes", number(plan.predicted_bytes)},
            {"kernel_bytes", plan.bytes},
            {"predicted_seconds_per_product", number(plan.predicted_seconds)},
            {"seconds_per_product", number(spectrum.product_seconds / products)}};
  if (plan.engine == Engine::Landmarks) {
    json["landmarks"] = plan.landmarks;
    json["step_error"] = number(plan.step_error);
    json["sum_error"] = number(plan.sum_error);
  }
  return json;
}

void add_spectrum(Json& json, const Spectrum& spectrum) {
  json["eigenvalues"] = complex_numbers(spectrum.eigenvalues);
  json["rates_log"] = numbers(spectrum.rates_log);
  json["timescales"] = numbers(spectrum.timescales);
  json["timescales_log"] = numbers(spectrum.timescales_log);
  json["residuals"] = numbers(spectrum.residuals);
  json["left_residuals"] = numbers(spectrum.left_residuals);
  json["status"] = status_names(spectrum.status);
  json["spurious"] = spectrum.spurious;
  json["effective_points"] = numbers(spectrum.effective_points);
  if (!spectrum.is_real()) {
    json["condition_numbers"] = numbers(spectrum.condition_numbers());
  }
}

Json error_bars_json(const ErrorBars& u) {
  return {{"blocks", u.blocks},
          {"epsilons", {u.epsilon, 2.0 * u.epsilon, 4.0 * u.epsilon}},
          {"power", u.power},
          {"wall_weight", number(u.wall_weight)},
          {"correlated_rows", number(u.correlated_rows)},
          {"eigenvalue_errors", complex_numbers(u.noise)},
          {"extrapolated_first_order", complex_numbers(u.first)},
          {"extrapolated", complex_numbers(u.extrapolated)},
          {"extrapolated_errors", complex_numbers(u.extrapolated_error)},
          {"timescales", numbers(u.timescales)},
          {"timescale_errors", numbers(u.timescale_errors)},
          {"warnings", u.warnings}};
}

// Writes arrays with one row per point of the user's data, whichever points are in the map.
class RowWriter {
 public:
  RowWriter(const OutputDirectory& out, const Map& map, FloatWidth width) : out_(out), map_(map), width_(width) {}

  void write(const std::string& name, const Vector& values) const {
    Vector scattered;
    const Vector& rows = scatter(values, scattered);
    NpyRows file(out_.path(name), rows.size(), 0, false, width_, true);
    for_chunks(rows.size(), [&](Index begin, Index count) { file.write(begin, Block(rows.segment(begin, count))); });
    file.close();
  }

  void write(const std::string& name, const Block& values) const {
    Block scattered;
    const Block& rows = scatter(values, scattered);
    NpyRows file(out_.path(name), rows.rows(), rows.cols(), false, width_, true);
    for_chunks(rows.rows(), [&](Index begin, Index count) { file.write(begin, rows.middleRows(begin, count)); });
    file.close();
  }

  // Reversible maps have real eigenfunctions, the others complex ones even if all imaginary parts happen to be 0.
  void write(const std::string& name, const Eigenfunctions& functions) const {
    if (map_.reversible()) {
      return write(name, functions.re);
    }
    Block scattered_re, scattered_im;
    const Block& re = scatter(functions.re, scattered_re);
    const Block zero = functions.is_real() ? Block::Zero(functions.rows(), functions.cols()) : Block();
    const Block& im = scatter(functions.is_real() ? zero : functions.im, scattered_im);
    NpyRows file(out_.path(name), re.rows(), re.cols(), true, width_, true);
    for_chunks(re.rows(), [&](Index begin, Index count) {
      file.write(begin, re.middleRows(begin, count), im.middleRows(begin, count));
    });
    file.close();
  }

 private:
  /// So few rows at a time that what is converted for them takes no memory to speak of.
  template <class Body>
  static void for_chunks(Index rows, const Body& body) {
    constexpr Index chunk = 1 << 14;
    for (Index begin = 0; begin < rows; begin += chunk) {
      body(begin, std::min(chunk, rows - begin));
    }
  }

  // Points that were left out get NaN. The values themselves if there are none: they may fill half the memory.
  template <class Values>
  const Values& scatter(const Values& values, Values& storage) const {
    if (values.rows() == map_.input_points()) {
      return values;
    }
    storage = Values::Constant(map_.input_points(), values.cols(), std::numeric_limits<double>::quiet_NaN());
    for (Index i = 0; i < values.rows(); ++i) {
      storage.row(map_.kept()[size(i)]) = values.row(i);
    }
    return storage;
  }

  static std::size_t size(Index index) { return static_cast<std::size_t>(index); }

  const OutputDirectory& out_;
  const Map& map_;
  FloatWidth width_;
};

void write_eigenvalues(const std::string& file, const Spectrum& spectrum, bool reversible) {
  const Vector re = spectrum.eigenvalues.real();
  const Vector im = spectrum.eigenvalues.imag();
  const auto count = static_cast<std::size_t>(re.size());
  if (reversible) {
    return write_npy(file, {re.data(), count}, {count});
  }
  write_npy_complex(file, {re.data(), count}, {im.data(), count}, {count});
}

/// The first axis says whether there is one A for all points or one for each, the others which kind it is.
std::vector<std::size_t> diffusion_shape(const Diffusion& diffusion, std::size_t m, std::size_t n) {
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

void write_distances(const OutputDirectory& out, const Distances& d) {
  const auto m = static_cast<std::size_t>(d.rows());
  if (!d.is_listed()) {
    return write_npy(out.path("distances.npy"), {d.all().data(), m * m}, {m, m});
  }
  const std::vector<std::int64_t> begin(d.list_begin().begin(), d.list_begin().end());
  const std::vector<std::int64_t> columns(d.list_columns().begin(), d.list_columns().end());
  write_npy_integers(out.path("distance_rows.npy"), begin, {begin.size()});
  write_npy_integers(out.path("distance_columns.npy"), columns, {columns.size()});
  write_npy(out.path("distances.npy"), d.list_values(), {columns.size()});
}

void write_inputs(const OutputDirectory& out, const MapDefinition& d) {
  const auto m = static_cast<std::size_t>(d.size());
  const auto n = static_cast<std::size_t>(d.dimension());
  if (d.distances.empty()) {
    write_npy(out.path("points.npy"), {d.points.view().data(), m * n}, {m, n});
  } else {
    write_distances(out, d.distances);
  }
  if (d.method == Method::TargetMeasureMap) {
    write_npy(out.path("log_target.npy"), {d.log_target.data(), m}, {m});
  }
  if (d.local()) {
    const Points& a = d.diffusion->values();
    write_npy(out.path("drift.npy"), {d.drift.data(), m * n}, {m, n});
    write_npy(out.path("diffusion.npy"), {a.data(), static_cast<std::size_t>(a.size())},
              diffusion_shape(*d.diffusion, m, n));
  }
}

void write_arrays(const OutputDirectory& out, const Map& map, const Spectrum& spectrum, const SaveOptions& options) {
  const RowWriter rows(out, map, options.single ? FloatWidth::Single : FloatWidth::Double);
  const ErrorBars* bars = options.error_bars;
  write_eigenvalues(out.path("eigenvalues.npy"), spectrum, map.reversible());
  if (options.writes("eigenfunctions")) {
    rows.write("eigenfunctions.npy", spectrum.eigenfunctions);
  }
  if (options.writes("left_eigenfunctions")) {
    rows.write("left_eigenfunctions.npy", spectrum.left_eigenfunctions);
  }
  if (options.writes("stationary")) {
    rows.write("stationary.npy", spectrum.stationary);
  }
  if (options.writes("density")) {
    rows.write("density.npy", map.density());
  }
  if (map.bandwidth().size() > 0 && options.writes("density")) {
    rows.write("bandwidth.npy", map.bandwidth());
  }
  if (options.writes("embedding")) {
    rows.write("embedding.npy", embedding(spectrum));
  }
  if (bars != nullptr && bars->function_errors.rows() > 0) {
    rows.write("extrapolated_eigenfunctions.npy", bars->extrapolated_functions);
    rows.write("eigenfunction_errors.npy", bars->function_errors);
  }
  if (options.writes("inputs")) {
    write_inputs(out, map.definition());
  }
}

/// As it was built, with the dimension that was found.
MapDefinition built_definition(const Map& map) {
  MapDefinition d = map.definition();
  if (!d.bandwidth.fixed()) {
    d.bandwidth.dimension = map.bandwidth_dimension();
  }
  return d;
}

}  // namespace

const std::vector<std::string>& array_names() {
  static const std::vector<std::string> names{"eigenfunctions", "left_eigenfunctions", "stationary",
                                              "density",        "embedding",           "inputs"};
  return names;
}

bool SaveOptions::writes(std::string_view array) const {
  return arrays.empty() || std::find(arrays.begin(), arrays.end(), array) != arrays.end();
}

void SaveOptions::validate() const {
  for (const std::string& array : arrays) {
    if (std::find(array_names().begin(), array_names().end(), array) == array_names().end()) {
      throw InvalidArgument(
          fmt::format("there is no array {} to write; there are {}", array, fmt::join(array_names(), ", ")));
    }
  }
}

std::string result_json(const Map& map, const Spectrum& spectrum, const SaveOptions& options) {
  Json json;
  json["version"] = version();
  json["format"] = result_format;
  json["command"] = options.run.command;
  if (!options.run.command_line.empty()) {
    json["command_line"] = options.run.command_line;
  }
  json["parameters"] = parameters_json(options.run.parameters_json);
  json["definition"] = to_json(built_definition(map));
  json["method"] = to_string(map.method());
  json["reversible"] = map.reversible();
  json["points"] = map.input_points();
  json["dimension"] = map.dimension();
  if (Index(options.run.columns.size()) == map.dimension() && map.dimension() > 0) {
    json["columns"] = options.run.columns;
  }
  json["epsilon"] = number(map.epsilon());
  if (const auto& reason = map.diagnostics().epsilon_reason; !reason.empty()) {
    json["epsilon_reason"] = reason;
  }
  json["density_epsilon"] = number(map.density_epsilon());
  if (map.bandwidth().size() > 0) {
    json["bandwidth"] = {{"least", number(map.bandwidth().minCoeff())},
                         {"largest", number(map.bandwidth().maxCoeff())},
                         {"dimension", map.bandwidth_dimension()},
                         {"time_step", number(map.time_step())}};
  }
  json["engine"] = to_string(map.plan().engine);
  json["plan"] = plan_json(map.plan(), spectrum);
  add_spectrum(json, spectrum);
  if (options.error_bars != nullptr) {
    json["error_bars"] = error_bars_json(*options.error_bars);
  }
  json["diagnostics"] = diagnostics_json(map.diagnostics(), spectrum.warnings);
  json["matvecs"] = spectrum.products;
  if (spectrum.condensed_size > 0) {
    json["condensed"] = {{"unknowns", spectrum.condensed_size}, {"matvecs", spectrum.condensed_products}};
  }
  json["seconds"] = seconds_json(options.run.seconds);
  json["peak_memory_bytes"] = peak_memory_bytes();
  return json_text(json);
}

std::string write_result(OutputDirectory& out, const Map& map, const Spectrum& spectrum, const SaveOptions& options) {
  SaveOptions timed = options;
  {
    const Stopwatch timer(timed.run.seconds["write"]);
    write_arrays(out, map, spectrum, options);
    if (const ScaleScan* scan = scan_of(map)) {
      write_text(out.path("scale.json"), json_text(scan_json(*scan)));
    }
  }
  std::string json = result_json(map, spectrum, timed);
  write_text(out.path("result.json"), json);
  return json;
}

void write_small_arrays(const std::string& folder, const MapDefinition& definition, const Spectrum& spectrum,
                        const SaveOptions& options) {
  const std::filesystem::path in(folder);
  write_eigenvalues((in / "eigenvalues.npy").string(), spectrum, !definition.local());
  if (definition.local() && options.writes("inputs")) {
    const Points& a = definition.diffusion->values();
    write_npy((in / "diffusion.npy").string(), {a.data(), static_cast<std::size_t>(a.size())},
              diffusion_shape(*definition.diffusion, 1, static_cast<std::size_t>(a.cols())));
  }
}

void save(const std::string& directory, const Map& map, const Spectrum& spectrum, const SaveOptions& options) {
  check_belongs(map, spectrum);
  OutputDirectory out(directory, options.force);
  write_result(out, map, spectrum, options);
  out.commit();
}

}  // namespace itomap
