#include "itomap/io/result.hpp"

#include <algorithm>
#include <limits>

#include "core/memory.hpp"
#include "io/json.hpp"
#include "io/output_file.hpp"
#include "itomap/analysis/embedding.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap {
namespace {

using io::Json;
using io::number;

Json numbers(const Vector& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json complex_numbers(const Eigen::VectorXcd& values) {
  Json list = Json::array();
  for (const std::complex<double>& value : values) list.push_back({number(value.real()), number(value.imag())});
  return list;
}

Json status_names(const std::vector<PairStatus>& status) {
  Json list = Json::array();
  for (const PairStatus pair : status) list.push_back(pair == PairStatus::Converged ? "converged" : "not converged");
  return list;
}

Json diagnostics_json(const Diagnostics& diagnostics, const std::vector<std::string>& spectrum_warnings) {
  std::vector<std::string> warnings = diagnostics.warnings;
  warnings.insert(warnings.end(), spectrum_warnings.begin(), spectrum_warnings.end());
  return {{"components", diagnostics.components},
          {"isolated_points", diagnostics.isolated_points},
          {"stranded_points", diagnostics.stranded_points},
          {"trap_points", diagnostics.trap_points},
          {"underflow_points", diagnostics.underflow_points},
          {"dropped_points", diagnostics.dropped_points},
          {"mean_neighbours", number(diagnostics.mean_neighbours)},
          {"intrinsic_dimension", number(diagnostics.intrinsic_dimension)},
          {"warnings", warnings}};
}

Json plan_json(const Generator& generator, const Spectrum& spectrum) {
  const double products = double(std::max<Index>(spectrum.products, 1));
  return {{"reason", generator.plan.reason},
          {"predicted_kernel_bytes", number(generator.plan.predicted_bytes)},
          {"kernel_bytes", generator.kernel->memory()},
          {"predicted_seconds_per_product", number(generator.plan.predicted_seconds)},
          {"seconds_per_product", number(spectrum.product_seconds / products)}};
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
}

Json uncertainty_json(const Uncertainty& u) {
  return {{"blocks", u.blocks},
          {"epsilons", {u.epsilon, 2.0 * u.epsilon, 4.0 * u.epsilon}},
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
  RowWriter(const OutputDirectory& out, const Generator& generator) : out_(out), generator_(generator) {}

  void write(const std::string& name, const Vector& values) const {
    Vector scattered;
    const Vector& rows = scatter(values, scattered);
    write_npy(out_.path(name), span(rows), {size(rows.rows())});
  }

  void write(const std::string& name, const Block& values) const {
    Block scattered;
    const Block& rows = scatter(values, scattered);
    write_npy(out_.path(name), span(rows), shape(rows));
  }

  // Reversible maps have real eigenfunctions, the others complex ones even if all imaginary parts happen to be 0.
  void write(const std::string& name, const Block& re, const Block& im) const {
    if (generator_.reversible) return write(name, re);
    Block scattered_re, scattered_im;
    const Block& re_rows = scatter(re, scattered_re);
    const Block zero = im.cols() == 0 ? Block::Zero(re.rows(), re.cols()) : Block();
    const Block& im_rows = scatter(im.cols() == 0 ? zero : im, scattered_im);
    write_npy_complex(out_.path(name), span(re_rows), span(im_rows), shape(re_rows));
  }

 private:
  // Points that were left out get NaN. The values themselves if there are none: they may fill half the memory.
  template <class Values>
  const Values& scatter(const Values& values, Values& storage) const {
    if (values.rows() == generator_.input_points) return values;
    storage = Values::Constant(generator_.input_points, values.cols(), std::numeric_limits<double>::quiet_NaN());
    for (Index i = 0; i < values.rows(); ++i) storage.row(generator_.kept[size(i)]) = values.row(i);
    return storage;
  }

  static std::size_t size(Index index) { return static_cast<std::size_t>(index); }
  static std::vector<std::size_t> shape(const Block& rows) { return {size(rows.rows()), size(rows.cols())}; }

  template <class Values>
  static std::span<const double> span(const Values& values) {
    return {values.data(), size(values.size())};
  }

  const OutputDirectory& out_;
  const Generator& generator_;
};

void write_eigenvalues(const std::string& file, const Spectrum& spectrum, bool reversible) {
  const Vector re = spectrum.eigenvalues.real();
  const Vector im = spectrum.eigenvalues.imag();
  const auto count = static_cast<std::size_t>(re.size());
  if (reversible) return write_npy(file, {re.data(), count}, {count});
  write_npy_complex(file, {re.data(), count}, {im.data(), count}, {count});
}

}  // namespace

std::string result_json(const Generator& generator, const Spectrum& spectrum, const RunRecord& run,
                        const Uncertainty* uncertainty) {
  Json json;
  json["version"] = version();
  json["command"] = run.command;
  json["parameters"] = io::parameters_json(run.parameters_json);
  json["method"] = io::method_name(generator.method);
  json["reversible"] = generator.reversible;
  json["points"] = generator.input_points;
  json["dimension"] = run.dimension;
  json["epsilon"] = number(generator.epsilon);
  if (!run.epsilon_reason.empty()) json["epsilon_reason"] = run.epsilon_reason;
  json["density_epsilon"] = number(generator.density_epsilon);
  if (generator.bandwidth.size() > 0) {
    json["bandwidth"] = {{"least", number(generator.bandwidth.minCoeff())},
                         {"largest", number(generator.bandwidth.maxCoeff())},
                         {"dimension", generator.bandwidth_dimension},
                         {"time_step", number(generator.time_step())}};
  }
  json["engine"] = to_string(generator.kernel->engine());
  json["plan"] = plan_json(generator, spectrum);
  add_spectrum(json, spectrum);
  if (uncertainty != nullptr) json["error_bars"] = uncertainty_json(*uncertainty);
  json["diagnostics"] = diagnostics_json(generator.diagnostics, spectrum.warnings);
  json["matvecs"] = spectrum.products;
  if (spectrum.condensed_size > 0) {
    json["condensed"] = {{"unknowns", spectrum.condensed_size}, {"matvecs", spectrum.condensed_products}};
  }
  json["seconds"] = io::seconds_json(run.seconds);
  json["peak_memory_bytes"] = peak_memory_bytes();
  return io::json_text(json);
}

void write_result(OutputDirectory& out, const Generator& generator, const Spectrum& spectrum, const RunRecord& run,
                  const Uncertainty* uncertainty) {
  const RowWriter rows(out, generator);
  write_eigenvalues(out.path("eigenvalues.npy"), spectrum, generator.reversible);
  rows.write("eigenfunctions.npy", spectrum.eigenfunctions, spectrum.eigenfunctions_imag);
  rows.write("left_eigenfunctions.npy", spectrum.left_eigenfunctions, spectrum.left_eigenfunctions_imag);
  rows.write("stationary.npy", spectrum.stationary);
  rows.write("density.npy", generator.density);
  if (generator.bandwidth.size() > 0) rows.write("bandwidth.npy", generator.bandwidth);
  rows.write("embedding.npy", embedding(spectrum));
  io::write_text(out.path("result.json"), result_json(generator, spectrum, run, uncertainty));
}

}  // namespace itomap
