// Reports: what the methods of a fitted model answered, back as the structures that they came from.
#include "report.hpp"

#include <pybind11/complex.h>

#include "arguments.hpp"

namespace itomap::python {
namespace {

/// Entries of an answer, by the names that core.cpp gave them.
template <class Value>
void copy(const py::dict& answer, const char* name, Value& value) {
  if (answer.contains(name)) {
    value = cast_argument<Value>(answer[name], name);
  }
}

Clustering clustering_from(const py::dict& answer) {
  Clustering sets;
  std::string method = "pcca";
  copy(answer, "method", method);
  sets.method = method == "pcca" ? ClusterMethod::Pcca : ClusterMethod::Kmeans;
  copy(answer, "labels", sets.labels);
  copy(answer, "modes", sets.functions);
  copy(answer, "weights", sets.rates.weights);
  copy(answer, "escape_rates", sets.rates.escape_rates);
  copy(answer, "exit_times", sets.rates.exit_times);
  copy(answer, "rate_matrix", sets.rates.rate_matrix);
  copy(answer, "timescales", sets.rates.timescales);
  copy(answer, "crispness", sets.crispness);
  sets.points.resize(std::size_t(sets.rates.weights.size()));
  for (const Index label : sets.labels) {
    ++sets.points.at(std::size_t(label));
  }
  return sets;
}

CommittorResult committor_from(const py::dict& answer) {
  CommittorResult path;
  copy(answer, "forward", path.forward);
  copy(answer, "backward", path.backward);
  copy(answer, "flux", path.flux);
  copy(answer, "time_to_sink", path.time_to_sink);
  copy(answer, "time_to_source", path.time_to_source);
  copy(answer, "total_flux", path.total_flux);
  copy(answer, "rate", path.rate);
  copy(answer, "reverse_rate", path.reverse_rate);
  copy(answer, "source_to_sink", path.source_to_sink);
  copy(answer, "sink_to_source", path.sink_to_source);
  copy(answer, "source_points", path.source_points);
  copy(answer, "sink_points", path.sink_points);
  return path;
}

/// Real or complex numbers, one row for each point of the map.
void copy_functions(const py::dict& answer, const char* name, Eigenfunctions& functions) {
  if (!answer.contains(name)) {
    return;
  }
  const py::array values = cast_argument<py::array>(answer[name], name);
  functions.re = cast_argument<Block>(values.attr("real"), name);
  if (values.dtype().kind() == 'c') {
    functions.im = cast_argument<Block>(values.attr("imag"), name);
  }
}

ErrorBars error_bars_from(const py::dict& answer) {
  ErrorBars bars;
  copy(answer, "blocks", bars.blocks);
  copy(answer, "epsilon", bars.epsilon);
  copy(answer, "power", bars.power);
  copy(answer, "wall_weight", bars.wall_weight);
  copy(answer, "correlated_rows", bars.correlated_rows);
  copy(answer, "eigenvalues", bars.eigenvalues);
  copy(answer, "noise", bars.noise);
  copy(answer, "first", bars.first);
  copy(answer, "extrapolated", bars.extrapolated);
  copy(answer, "extrapolated_error", bars.extrapolated_error);
  copy(answer, "timescales", bars.timescales);
  copy(answer, "timescale_errors", bars.timescale_errors);
  copy_functions(answer, "extrapolated_functions", bars.extrapolated_functions);
  copy_functions(answer, "function_errors", bars.function_errors);
  return bars;
}

void copy_estimate(const py::dict& answer, const char* name, PassageEstimate& estimate) {
  if (answer.contains(name)) {
    const auto parts = cast_argument<py::dict>(answer[name], name);
    copy(parts, "noise", estimate.noise);
    copy(parts, "extrapolated", estimate.extrapolated);
    copy(parts, "error", estimate.error);
  }
}

void copy_passage(const py::dict& answer, const char* name, PassageFunction& function) {
  if (answer.contains(name)) {
    const auto parts = cast_argument<py::dict>(answer[name], name);
    copy(parts, "extrapolated", function.extrapolated);
    copy(parts, "error", function.error);
  }
}

CommittorErrorBars committor_error_bars_from(const py::dict& answer) {
  CommittorErrorBars bars;
  copy(answer, "blocks", bars.blocks);
  copy_estimate(answer, "total_flux", bars.total_flux);
  copy_estimate(answer, "rate", bars.rate);
  copy_estimate(answer, "reverse_rate", bars.reverse_rate);
  copy_estimate(answer, "source_to_sink", bars.source_to_sink);
  copy_estimate(answer, "sink_to_source", bars.sink_to_source);
  copy_passage(answer, "forward", bars.forward);
  copy_passage(answer, "time_to_sink", bars.time_to_sink);
  copy_passage(answer, "time_to_source", bars.time_to_source);
  return bars;
}

/// The structures that stand behind the pointers of ReportAnalyses.
struct Answers {
  std::optional<Clustering> sets;
  std::optional<CommittorResult> committor;
  std::optional<CommittorErrorBars> committor_error_bars;
  std::optional<ErrorBars> error_bars;

  explicit Answers(Keywords& given) {
    const auto take = [&](const char* name, auto& member, const auto& convert) {
      if (const py::object answer = given.pop(name); !answer.is_none()) {
        member = convert(cast_argument<py::dict>(answer, name));
      }
    };
    take("sets", sets, clustering_from);
    take("committor", committor, committor_from);
    take("committor_error_bars", committor_error_bars, committor_error_bars_from);
    take("error_bars", error_bars, error_bars_from);
  }

  ReportAnalyses analyses() const {
    return {.error_bars = error_bars ? &*error_bars : nullptr,
            .sets = sets ? &*sets : nullptr,
            .committor = committor ? &*committor : nullptr,
            .committor_error_bars = committor_error_bars ? &*committor_error_bars : nullptr};
  }
};

ReportOptions take_options(Keywords& given) {
  ReportOptions options;
  std::vector<std::pair<std::string, Vector>> values;
  std::vector<std::pair<std::string, std::string>> structures;
  given.take("title", options.title);
  given.take("time_unit", options.time_unit);
  given.take("reference_timescales", options.reference_timescales);
  given.take("values", values);
  given.take("structures", structures);
  given.take("size", options.size);
  given.take("most_points", options.most_points);
  given.take("force", options.force);
  for (auto& [name, numbers] : values) {
    options.values.push_back({name, std::move(numbers)});
  }
  for (auto& [name, pdb] : structures) {
    options.structures.push_back({name, std::move(pdb)});
  }
  return options;
}

}  // namespace

void bind_report(py::module_& module) {
  module.def("has_report", &has_report);
  module.def("write_report",
             [](const std::string& file, const Map& map, const Spectrum& spectrum, const py::kwargs& keywords) {
               Keywords given(keywords);
               const Answers answers(given);
               ReportAnalyses analyses = answers.analyses();
               analyses.run.command = "python";
               given.take("columns", analyses.run.columns);
               given.take("parameters", analyses.run.parameters_json);
               const ReportOptions options = take_options(given);
               given.finish();
               unlocked([&] {
                 write_report(file, map, spectrum, options, analyses);
                 return 0;
               });
             });
}

}  // namespace itomap::python
