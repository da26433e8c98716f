// itomap._core: the public C++ interface, as it is, for the estimators in itomap/. No computation happens here.
//
// Arrays of the caller are shared, not copied, where they are float64 in C order; arrays of results are views of the
// objects that hold them. The interpreter's lock is released while the library works, and taken back for progress, a
// few times a second: that is also when Ctrl-C is noticed.
#include <pybind11/complex.h>

#include "arguments.hpp"
#include "report.hpp"

namespace py = pybind11;
using namespace py::literals;

namespace itomap::python {
namespace {

/// A view of what `owner` holds, read only.
template <class Matrix>
py::array view(const Matrix& m, const py::object& owner) {
  using Scalar = typename Matrix::Scalar;
  std::vector<py::ssize_t> shape{m.rows()};
  std::vector<py::ssize_t> strides{py::ssize_t(sizeof(Scalar)) * m.innerStride()};
  if (Matrix::ColsAtCompileTime != 1) {
    const auto outer = py::ssize_t(sizeof(Scalar)) * m.outerStride();
    shape.push_back(m.cols());
    strides =
        Matrix::IsRowMajor ? std::vector<py::ssize_t>{outer, strides[0]} : std::vector<py::ssize_t>{strides[0], outer};
  }
  py::array array(py::dtype::of<Scalar>(), shape, strides, m.data(), owner);
  array.attr("setflags")("write"_a = false);
  return array;
}

using ComplexBlock = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ComplexBlock complex(const Eigenfunctions& f) {
  ComplexBlock all(f.rows(), f.cols());
  all.real() = f.re;
  all.imag() = f.im;
  return all;
}

/// Real functions as a view; complex ones are put together.
py::object functions(const Eigenfunctions& f, const py::object& owner) {
  return f.is_real() ? py::object(view(f.re, owner)) : py::cast(complex(f));
}

py::object dict_value(const Scale& scale) {
  return scale.is_value() ? py::object(py::float_(scale.value())) : py::object(py::str(scale.text()));
}

/// What determines the map beside the arrays, with the scales that were chosen.
py::dict parameters_of(const Map& map) {
  const MapDefinition& d = map.definition();
  return py::dict("method"_a = std::string(to_string(d.method)), "epsilon"_a = map.epsilon(),
                  "density_epsilon"_a = dict_value(d.density_epsilon), "alpha"_a = d.alpha, "eta"_a = d.eta,
                  "normalization"_a = std::string(to_string(d.normalization)),
                  "step"_a = std::string(to_string(d.step)), "bandwidth"_a = d.bandwidth.strength,
                  "bandwidth_neighbours"_a = d.bandwidth.neighbours, "bandwidth_dimension"_a = d.bandwidth.dimension,
                  "drop_isolated"_a = d.drop_isolated, "keep_traps"_a = d.keep_traps,
                  "engine"_a = std::string(to_string(d.kernel.engine)), "cutoff"_a = d.kernel.cutoff,
                  "period"_a = d.kernel.period, "single_precision"_a = d.kernel.single_precision,
                  "landmarks"_a = d.kernel.landmarks, "landmark_error"_a = d.kernel.landmark_error);
}

/// Everything that determines the map: it is built anew from this, to the same bits.
py::dict state_of(const Map& map) {
  const MapDefinition& d = map.definition();
  py::object drift = py::none();
  py::object kind = py::none();
  py::object values = py::none();
  if (d.diffusion) {
    drift = py::cast(d.drift);
    kind = py::int_(int(d.diffusion->kind()));
    values = py::cast(d.diffusion->values());
  }
  py::dict state = parameters_of(map);
  state.attr("update")(py::dict("points"_a = Points(d.points.view()), "distances"_a = stored_distances(d.distances),
                                "log_target"_a = d.log_target, "drift"_a = drift, "diffusion_kind"_a = kind,
                                "diffusion"_a = values, "threads"_a = map.execution().threads,
                                "memory"_a = map.execution().memory));
  return state;
}

py::tuple state_of(const Spectrum& s) {
  std::vector<int> status;
  for (const PairStatus pair : s.status) {
    status.push_back(int(pair));
  }
  return py::make_tuple(s.eigenvalues, s.rates_log, s.timescales, s.timescales_log, s.time_step, s.eigenfunctions.re,
                        s.eigenfunctions.im, s.left_eigenfunctions.re, s.left_eigenfunctions.im, s.stationary,
                        s.residuals, s.left_residuals, status, s.spurious, s.effective_points, s.products,
                        s.product_seconds, s.condensed_size, s.condensed_products, s.warnings);
}

Spectrum spectrum_from(const py::tuple& state) {
  Spectrum s;
  std::size_t next = 0;
  std::vector<int> status;
  const auto take = [&](auto& member) { member = state[next++].cast<std::decay_t<decltype(member)>>(); };
  take(s.eigenvalues), take(s.rates_log), take(s.timescales), take(s.timescales_log), take(s.time_step);
  take(s.eigenfunctions.re), take(s.eigenfunctions.im), take(s.left_eigenfunctions.re), take(s.left_eigenfunctions.im);
  take(s.stationary), take(s.residuals), take(s.left_residuals), take(status), take(s.spurious);
  take(s.effective_points), take(s.products), take(s.product_seconds), take(s.condensed_size);
  take(s.condensed_products), take(s.warnings);
  for (const int pair : status) {
    s.status.push_back(PairStatus(pair));
  }
  return s;
}

py::dict plan_of(const Map& map) {
  const KernelPlan& plan = map.plan();
  return py::dict("engine"_a = std::string(to_string(plan.engine)), "reason"_a = plan.reason, "bytes"_a = plan.bytes,
                  "predicted_bytes"_a = plan.predicted_bytes, "landmarks"_a = plan.landmarks,
                  "step_error"_a = plan.step_error, "sum_error"_a = plan.sum_error);
}

py::dict diagnostics_of(const Map& map) {
  const Diagnostics& d = map.diagnostics();
  return py::dict("components"_a = d.components, "isolated_points"_a = d.isolated_points,
                  "stranded_points"_a = d.stranded_points, "trap_points"_a = d.trap_points,
                  "wall_points"_a = d.wall_points, "underflow_points"_a = d.underflow_points,
                  "dropped_points"_a = d.dropped_points, "mean_neighbours"_a = d.mean_neighbours,
                  "intrinsic_dimension"_a = d.intrinsic_dimension, "epsilon_reason"_a = d.epsilon_reason,
                  "warnings"_a = d.warnings);
}

void bind_errors(py::module_& module) {
  static const py::object numerical = py::exception<NumericalError>(module, "NumericalError", PyExc_ArithmeticError);
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      std::rethrow_exception(pointer);
    } catch (const InvalidArgument& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const OutputExists& error) {
      PyErr_SetString(PyExc_FileExistsError, error.what());
    } catch (const IoError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const NumericalError& error) {
      PyErr_SetString(numerical.ptr(), error.what());
    } catch (const Cancelled& error) {
      PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
    }
  });
}

void bind_ranks(py::module_& module) {
  py::class_<CommunicatorRanks>(module, "Ranks")
      .def(py::init<py::object>(), "communicator"_a)
      .def_property_readonly("rank", &CommunicatorRanks::rank)
      .def_property_readonly("size", &CommunicatorRanks::size);
}

void bind_map(py::module_& module) {
  const auto array = [](auto getter) {
    return [getter](const py::object& self) { return view((self.cast<const Map&>().*getter)(), self); };
  };
  py::class_<Map>(module, "Map")
      .def_property_readonly("size", &Map::size)
      .def_property_readonly("input_points", &Map::input_points)
      .def_property_readonly("dimension", &Map::dimension)
      .def_property_readonly("kept", &Map::kept)
      .def_property_readonly("method", [](const Map& m) { return std::string(to_string(m.method())); })
      .def_property_readonly("reversible", &Map::reversible)
      .def_property_readonly("epsilon", &Map::epsilon)
      .def_property_readonly("density_epsilon", &Map::density_epsilon)
      .def_property_readonly("time_step", &Map::time_step)
      .def_property_readonly("density", array(&Map::density))
      .def_property_readonly("bandwidth", array(&Map::bandwidth))
      .def_property_readonly("component", &Map::component)
      .def_property_readonly("parameters", &parameters_of)
      .def_property_readonly("diagnostics", &diagnostics_of)
      .def_property_readonly("plan", &plan_of)
      .def_property_readonly(
          "points",
          [](const py::object& self) { return view(self.cast<const Map&>().definition().points.view(), self); })
      .def("backward", [](const Map& m, const Vector& f) { return unlocked([&] { return m.backward(f); }); })
      .def("forward", [](const Map& m, const Vector& rho) { return unlocked([&] { return m.forward(rho); }); })
      .def("markov", [](const Map& m, const Block& f) { return unlocked([&] { return m.markov(f); }); })
      .def("markov_transpose",
           [](const Map& m, const Block& w) { return unlocked([&] { return m.markov_transpose(w); }); })
      .def("report", &Map::report)
      .def(py::pickle([](const Map& map) { return state_of(map); }, &make_map_of));
  module.def("make_map", [](const py::kwargs& given) { return make_map_of(given); });
}

void bind_spectrum(py::module_& module) {
  const auto array = [](auto member) {
    return [member](const py::object& self) { return view(self.cast<const Spectrum&>().*member, self); };
  };
  py::class_<Spectrum>(module, "Spectrum")
      .def_property_readonly("eigenvalues", array(&Spectrum::eigenvalues))
      .def_property_readonly("rates_log", array(&Spectrum::rates_log))
      .def_property_readonly("timescales", array(&Spectrum::timescales))
      .def_property_readonly("timescales_log", array(&Spectrum::timescales_log))
      .def_property_readonly("stationary", array(&Spectrum::stationary))
      .def_property_readonly("residuals", array(&Spectrum::residuals))
      .def_property_readonly("left_residuals", array(&Spectrum::left_residuals))
      .def_property_readonly("effective_points", array(&Spectrum::effective_points))
      .def_property_readonly(
          "eigenfunctions",
          [](const py::object& self) { return functions(self.cast<const Spectrum&>().eigenfunctions, self); })
      .def_property_readonly(
          "left_eigenfunctions",
          [](const py::object& self) { return functions(self.cast<const Spectrum&>().left_eigenfunctions, self); })
      .def_property_readonly("converged",
                             [](const Spectrum& s) {
                               std::vector<bool> converged;
                               for (const PairStatus status : s.status) {
                                 converged.push_back(status == PairStatus::Converged);
                               }
                               return converged;
                             })
      .def_property_readonly("is_real", &Spectrum::is_real)
      .def_readonly("spurious", &Spectrum::spurious)
      .def_readonly("products", &Spectrum::products)
      .def_readonly("warnings", &Spectrum::warnings)
      .def("report", &Spectrum::report)
      .def(
          "embedding", [](const Spectrum& s, double time) { return embedding(s, time); }, "time"_a = 1.0)
      .def(py::pickle([](const Spectrum& s) { return state_of(s); }, &spectrum_from));
  module.def(
      "eigenpairs",
      [](const Map& map, Index count, double tolerance, Index max_products, std::uint64_t seed, double spurious_error) {
        const EigenpairsOptions options{count, tolerance, max_products, seed, spurious_error};
        return unlocked([&] { return eigenpairs(map, options); });
      },
      "map"_a, "count"_a = 10, "tolerance"_a = 1e-9, "max_products"_a = 20000, "seed"_a = 0, "spurious_error"_a = 0.3);
}

py::object array_of(const Eigenfunctions& f) { return f.is_real() ? py::cast(f.re) : py::cast(complex(f)); }

/// How error bars were found.
py::dict dict_of(const Replication& r) {
  return py::dict("blocks"_a = r.blocks, "epsilon"_a = r.epsilon, "power"_a = r.power, "wall_weight"_a = r.wall_weight,
                  "correlated_rows"_a = r.correlated_rows);
}

py::dict dict_of(const Averages& a) {
  return py::dict("mean"_a = a.mean, "standard_deviation"_a = a.standard_deviation,
                  "effective_points"_a = a.effective_points, "warnings"_a = a.warnings);
}

void bind_analysis(py::module_& module) {
  module.def(
      "extend",
      [](const Map& map, const Spectrum& spectrum, const py::object& points, const std::optional<Array>& drift,
         const std::optional<Array>& diffusion) {
        const bool distances = !map.definition().distances.empty();
        NewPoints where = distances
                              ? NewPoints{.distances = distances_of(points)}
                              : NewPoints{.points = copied_points(cast_argument<Array>(points, "points"), "points")};
        if (drift) {
          where.drift = copied_points(*drift, "drift");
        }
        if (diffusion) {
          const bool constant = map.definition().diffusion->kind() == Diffusion::Kind::ConstantMatrix;
          where.diffusion = diffusion_of(*diffusion, where.points.rows(), where.points.cols(), constant);
        }
        const Extension e = unlocked([&] { return extend(map, spectrum, where); });
        return py::dict("eigenfunctions"_a = array_of(e.eigenfunctions),
                        "interpolation_error"_a = e.interpolation_error, "outside"_a = e.outside, "beyond"_a = e.beyond,
                        "warnings"_a = e.warnings);
      },
      "map"_a, "spectrum"_a, "points"_a, "drift"_a = py::none(), "diffusion"_a = py::none());
  module.def(
      "committor",
      [](const Map& map, const Spectrum& spectrum, const std::vector<Index>& source, const std::vector<Index>& sink,
         double tolerance, bool passage_times) {
        const CommittorOptions options{.tolerance = tolerance, .passage_times = passage_times};
        const CommittorResult r = unlocked([&] { return committor(map, spectrum, source, sink, options); });
        return py::dict("forward"_a = r.forward, "backward"_a = r.backward, "flux"_a = r.flux,
                        "time_to_sink"_a = r.time_to_sink, "time_to_source"_a = r.time_to_source,
                        "total_flux"_a = r.total_flux, "rate"_a = r.rate, "reverse_rate"_a = r.reverse_rate,
                        "source_to_sink"_a = r.source_to_sink, "sink_to_source"_a = r.sink_to_source,
                        "source_points"_a = r.source_points, "sink_points"_a = r.sink_points,
                        "converged"_a = r.converged(), "warnings"_a = r.warnings, "report"_a = r.report());
      },
      "map"_a, "spectrum"_a, "source"_a, "sink"_a, "tolerance"_a = 1e-8, "passage_times"_a = true);
  module.def(
      "committor_error_bars",
      [](const Map& map, const Spectrum& spectrum, const std::vector<Index>& source, const std::vector<Index>& sink,
         Index blocks, const std::vector<Index>& runs, bool passage_times) {
        const ErrorBarOptions options{.blocks = blocks, .runs = runs};
        const CommittorErrorBars c = unlocked([&] {
          return committor_error_bars(map, spectrum, source, sink, options, {.passage_times = passage_times});
        });
        py::dict bars = dict_of(c);
        for (const auto& [name, e] : {std::pair("total_flux", c.total_flux),
                                      {"rate", c.rate},
                                      {"reverse_rate", c.reverse_rate},
                                      {"source_to_sink", c.source_to_sink},
                                      {"sink_to_source", c.sink_to_source}}) {
          bars[name] = py::dict("noise"_a = e.noise, "extrapolated"_a = e.extrapolated, "error"_a = e.error);
        }
        for (const auto& [name, f] : {std::pair("forward", c.forward),
                                      {"time_to_sink", c.time_to_sink},
                                      {"time_to_source", c.time_to_source}}) {
          bars[name] = py::dict("extrapolated"_a = f.extrapolated, "error"_a = f.error);
        }
        bars["warnings"] = c.warnings;
        return bars;
      },
      "map"_a, "spectrum"_a, "source"_a, "sink"_a, "blocks"_a = 10, "runs"_a = std::vector<Index>(),
      "passage_times"_a = true);
  module.def(
      "cluster",
      [](const Map& map, const Spectrum& spectrum, Index sets, const std::optional<std::string>& method,
         std::vector<Index> modes, bool weighted, std::uint64_t seed) {
        ClusterOptions options{.sets = sets, .functions = std::move(modes), .weighted = weighted, .seed = seed};
        if (method) {
          if (*method != "pcca" && *method != "kmeans") {
            throw InvalidArgument("method: '" + *method + "' is neither pcca nor kmeans");
          }
          options.method = *method == "pcca" ? ClusterMethod::Pcca : ClusterMethod::Kmeans;
        }
        const Clustering c = unlocked([&] { return cluster(map, spectrum, options); });
        return py::dict("method"_a = to_string(c.method), "labels"_a = c.labels, "memberships"_a = c.memberships,
                        "weights"_a = c.rates.weights, "escape_rates"_a = c.rates.escape_rates,
                        "exit_times"_a = c.rates.exit_times, "rate_matrix"_a = c.rates.rate_matrix,
                        "timescales"_a = c.rates.timescales, "crispness"_a = c.crispness, "modes"_a = c.functions,
                        "warnings"_a = c.warnings, "report"_a = c.report());
      },
      "map"_a, "spectrum"_a, "sets"_a, "method"_a = py::none(), "modes"_a = std::vector<Index>(), "weighted"_a = true,
      "seed"_a = 0);
  module.def(
      "error_bars",
      [](const Map& map, const Spectrum& spectrum, Index blocks, const std::vector<Index>& runs, bool functions) {
        const ErrorBarOptions options{.blocks = blocks, .runs = runs, .functions = functions};
        const ErrorBars e = unlocked([&] { return error_bars(map, spectrum, options); });
        py::dict bars = dict_of(e);
        bars.attr("update")(py::dict("eigenvalues"_a = e.eigenvalues, "noise"_a = e.noise, "first"_a = e.first,
                                     "extrapolated"_a = e.extrapolated, "extrapolated_error"_a = e.extrapolated_error,
                                     "timescales"_a = e.timescales, "timescale_errors"_a = e.timescale_errors,
                                     "warnings"_a = e.warnings, "report"_a = e.report()));
        if (functions) {
          bars["extrapolated_functions"] = array_of(e.extrapolated_functions);
          bars["function_errors"] = array_of(e.function_errors);
        }
        return bars;
      },
      "map"_a, "spectrum"_a, "blocks"_a = 10, "runs"_a = std::vector<Index>(), "functions"_a = false);
  module.def(
      "expectation",
      [](const Map& map, const Spectrum& spectrum, const Block& observables, Index blocks,
         const std::vector<Index>& runs) {
        const ErrorBarOptions options{.blocks = blocks, .runs = runs};
        const Averages a = unlocked([&] { return expectation(map, spectrum, observables, options); });
        py::dict averages = dict_of(a);
        averages.attr("update")(dict_of(*a.replication));
        averages.attr("update")(py::dict("noise"_a = a.noise, "extrapolated"_a = a.extrapolated,
                                         "extrapolated_error"_a = a.extrapolated_error));
        return averages;
      },
      "map"_a, "spectrum"_a, "observables"_a, "blocks"_a = 10, "runs"_a = std::vector<Index>());
  module.def(
      "expectation",
      [](const Vector& stationary, const Block& observables) { return dict_of(expectation(stationary, observables)); },
      "stationary"_a, "observables"_a);
}

void bind_scales(py::module_& module) {
  module.def("scan_scales", [](const py::kwargs& keywords) {
    Keywords given(keywords);
    ScaleScanOptions options;
    given.take("modes", options.modes);
    given.take("blocks", options.blocks);
    const MapDefinition d = take_definition(given);
    options.execution = take_execution(given);
    given.finish();
    const ScaleScan scan = unlocked([&] { return scan_scales(d, options); });
    py::list rows;
    for (const ScaleScanRow& row : scan.rows) {
      rows.append(py::dict("epsilon"_a = row.epsilon, "density_epsilon"_a = row.density_epsilon,
                           "points"_a = row.points, "neighbours"_a = row.neighbours, "timescales"_a = row.timescales,
                           "bias"_a = row.bias, "few_points"_a = row.few_points, "noise"_a = row.noise,
                           "error"_a = row.error(), "usable"_a = row.usable));
    }
    return py::dict("epsilon"_a = scan.epsilon, "density_epsilon"_a = scan.density_epsilon, "error"_a = scan.error,
                    "reason"_a = scan.reason, "rows"_a = rows, "report"_a = scan.report());
  });
}

void bind_dynamics(py::module_& module) {
  module.def(
      "estimate_dynamics",
      [](const std::vector<Array>& runs, const Array& queries, double dt, double lag, std::optional<double> radius,
         std::optional<Index> neighbours, std::vector<double> period, bool leave_out_poor, int threads) {
        std::vector<Trajectory> trajectories;
        for (const Array& run : runs) {
          trajectories.push_back(shared_trajectory(run));
        }
        const Points where = copied_points(queries, "queries");
        const EstimateOptions options{.dt = dt,
                                      .lag = lag,
                                      .radius = radius,
                                      .neighbours = neighbours,
                                      .period = std::move(period),
                                      .leave_out_poor = leave_out_poor,
                                      .execution = execution(threads, {}, py::none())};
        const DynamicsEstimate e = unlocked([&] { return estimate_dynamics(trajectories, where, options); });
        return py::dict("points"_a = e.points, "drift"_a = e.drift, "diffusion"_a = e.diffusion,
                        "drift_error"_a = e.drift_error, "diffusion_error"_a = e.diffusion_error,
                        "centres"_a = e.centres, "counts"_a = e.counts, "independent_counts"_a = e.independent_counts,
                        "repaired"_a = e.repaired, "left_out"_a = e.left_out, "suggested_eta"_a = e.suggested_eta,
                        "warnings"_a = e.warnings, "report"_a = e.report());
      },
      "trajectories"_a, "queries"_a, "dt"_a, "lag"_a, "radius"_a = py::none(), "neighbours"_a = py::none(),
      "period"_a = std::vector<double>(), "leave_out_poor"_a = false, "threads"_a = 0);
}

void bind_files(py::module_& module) {
  module.def(
      "save",
      [](const std::string& directory, const Map& map, const Spectrum& spectrum, bool force, const std::string& command,
         const std::string& parameters, const std::vector<std::string>& columns) {
        const SaveOptions options{.force = force,
                                  .run = {.command = command, .parameters_json = parameters, .columns = columns}};
        unlocked([&] {
          save(directory, map, spectrum, options);
          return 0;
        });
      },
      "directory"_a, "map"_a, "spectrum"_a, "force"_a = false, "command"_a = "python", "parameters"_a = "{}",
      "columns"_a = std::vector<std::string>());
  module.def(
      "load",
      [](const std::string& directory, int threads, std::optional<std::size_t> memory) {
        const Execution how = execution(threads, memory, py::none());
        Result result = unlocked([&] { return load(directory, how); });
        return py::make_tuple(std::move(result.map), std::move(result.spectrum));
      },
      "directory"_a, "threads"_a = 0, "memory"_a = py::none());
}

}  // namespace
}  // namespace itomap::python

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ interface of itomap; the package itomap is the one to import.";
  module.attr("__version__") = itomap::version();
  itomap::python::bind_errors(module);
  itomap::python::bind_ranks(module);
  itomap::python::bind_map(module);
  itomap::python::bind_spectrum(module);
  itomap::python::bind_analysis(module);
  itomap::python::bind_scales(module);
  itomap::python::bind_dynamics(module);
  itomap::python::bind_files(module);
  itomap::python::bind_report(module);
}
