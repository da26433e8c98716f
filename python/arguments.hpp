// What Python hands over: arrays, which are shared where they can be, and keywords; and how long work runs without the
// interpreter's lock.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "itomap/itomap.hpp"
#include "ranks.hpp"

namespace itomap::python {

namespace py = pybind11;

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Calls back into Python: a function of (stage, fraction, detail), or none. Anything that it raises, and Ctrl-C, stops
/// the computation and goes on to the caller.
inline Execution execution(int threads, std::optional<std::size_t> memory, const py::object& callback) {
  // Copied and destroyed by threads that do not hold the lock.
  const std::shared_ptr<py::object> held(new py::object(callback), [](py::object* object) {
    const py::gil_scoped_acquire lock;
    delete object;
  });
  const auto progress = [held](const ProgressUpdate& update) {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) {
      return false;
    }
    if (held->is_none()) {
      return true;
    }
    try {
      const py::object answer = (*held)(std::string(update.stage), update.fraction, std::string(update.detail));
      return answer.is_none() || answer.cast<bool>();
    } catch (py::error_already_set& error) {
      error.restore();
      return false;
    }
  };
  return {.threads = threads, .memory = memory, .progress = progress};
}

/// body() without the lock.
template <class Body>
auto unlocked(const Body& body) {
  try {
    const py::gil_scoped_release release;
    return body();
  } catch (const Cancelled&) {
    if (PyErr_Occurred() != nullptr) {
      throw py::error_already_set();
    }
    throw;
  }
}

inline void check_rows(const Array& array, const char* name) {
  if (array.ndim() != 2) {
    throw InvalidArgument(std::string(name) +
                          ": an array of two dimensions is needed, one row for each point; this one has " +
                          std::to_string(array.ndim()));
  }
}

/// The caller's own memory, kept alive as long as somebody looks at it.
inline std::shared_ptr<const double> shared_data(const Array& array) {
  auto* owner = new Array(array);
  return {array.data(), [owner](const double*) {
            const py::gil_scoped_acquire lock;
            delete owner;
          }};
}

inline PointCloud shared_points(const Array& array) {
  check_rows(array, "points");
  return {shared_data(array), array.shape(0), array.shape(1)};
}

inline Trajectory shared_trajectory(const Array& array) {
  check_rows(array, "trajectory");
  return {shared_data(array), array.shape(0), array.shape(1), "trajectory"};
}

inline Points copied_points(const Array& array, const char* name) {
  check_rows(array, name);
  return Eigen::Map<const Points>(array.data(), array.shape(0), array.shape(1));
}

/// A number, one for each point, one row for each point, one matrix for all or one for each.
inline Diffusion diffusion_of(const Array& a, Index points, Index dimension, bool single_matrix) {
  switch (a.ndim()) {
    case 0:
      return Diffusion::constant(*a.data());
    case 1:
      return Diffusion::scalars(Eigen::Map<const Vector>(a.data(), a.shape(0)));
    case 2: {
      const Eigen::Map<const Points> rows(a.data(), a.shape(0), a.shape(1));
      const bool square = a.shape(0) == dimension && a.shape(1) == dimension;
      return square && (single_matrix || points != dimension) ? Diffusion::constant_matrix(rows)
                                                              : Diffusion::diagonals(rows);
    }
    case 3:
      return Diffusion::matrices(Eigen::Map<const Points>(a.data(), a.shape(0), a.shape(1) * a.shape(2)));
    default:
      throw InvalidArgument("diffusion: a number, or an array of one to three dimensions, is needed");
  }
}

inline Diffusion stored_diffusion(Diffusion::Kind kind, const Points& values, Index dimension) {
  switch (kind) {
    case Diffusion::Kind::Constant:
      return Diffusion::constant(values(0, 0));
    case Diffusion::Kind::ConstantMatrix:
      return Diffusion::constant_matrix(Eigen::Map<const Points>(values.data(), dimension, dimension));
    case Diffusion::Kind::Scalars:
      return Diffusion::scalars(values.col(0));
    case Diffusion::Kind::Diagonals:
      return Diffusion::diagonals(values);
    default:
      return Diffusion::matrices(values);
  }
}

/// What the caller gave for `name` as a Value; TypeError with one line if it is none.
template <class Value>
Value cast_argument(const py::object& given, const char* name) {
  try {
    return given.cast<Value>();
  } catch (const std::runtime_error&) {  // of pybind11: a cast, or an exception of Python on the way
    std::string text = py::repr(given).cast<std::string>();
    if (text.size() > 60) {
      text = text.substr(0, 60) + "...";
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw py::type_error(std::string(name) + ": " + text + " is of a type or size that does not fit");
  }
}

inline Scale scale_of(const py::object& value, const char* name) {
  return py::isinstance<py::str>(value) ? Scale::from_text(value.cast<std::string>())
                                        : Scale(cast_argument<double>(value, name));
}

/// Keywords of Python, each taken once.
class Keywords {
 public:
  explicit Keywords(const py::dict& given) : left_(given.attr("copy")()) {}

  py::object pop(const char* name) { return left_.attr("pop")(name, py::none()); }

  /// Sets `value` if the keyword is there and is not None.
  template <class Value>
  void take(const char* name, Value& value) {
    if (const py::object given = pop(name); !given.is_none()) {
      value = cast_argument<Value>(given, name);
    }
  }
  void take(const char* name, Scale& scale) {
    if (const py::object given = pop(name); !given.is_none()) {
      scale = scale_of(given, name);
    }
  }
  /// A choice by its name.
  template <class Choice>
  void take(const char* name, Choice& choice, Choice (*from_string)(std::string_view)) {
    if (const py::object given = pop(name); !given.is_none()) {
      choice = from_string(cast_argument<std::string>(given, name));
    }
  }

  /// Throws TypeError if one is left.
  void finish() const {
    if (!left_.empty()) {
      throw py::type_error("unknown: " + py::str(py::list(left_)).cast<std::string>());
    }
  }

 private:
  py::dict left_;
};

/// As a user gives it, or, with its kind, as a map was stored with it.
inline std::optional<Diffusion> take_diffusion(Keywords& given, Index points, Index dimension) {
  std::optional<int> kind;
  std::optional<Array> values;
  given.take("diffusion_kind", kind);
  given.take("diffusion", values);
  if (!values) {
    return {};
  }
  return kind ? stored_diffusion(Diffusion::Kind(*kind), copied_points(*values, "diffusion"), dimension)
              : diffusion_of(*values, points, dimension, false);
}

using Integers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

/// An array, or a matrix in SciPy's CSR format, whose stored entries are what is known.
inline Distances distances_of(const py::object& given) {
  if (!py::hasattr(given, "indptr")) {
    const auto array = cast_argument<Array>(given, "distances");
    check_rows(array, "distances");
    return Distances(PointCloud(shared_data(array), array.shape(0), array.shape(1)));
  }
  const auto shape = given.attr("shape").cast<std::pair<Index, Index>>();
  const auto begin = given.attr("indptr").cast<Integers>();
  const auto columns = given.attr("indices").cast<Integers>();
  const auto values = given.attr("data").cast<Array>();
  return Distances::listed(shape.first, shape.second, {begin.data(), begin.data() + begin.size()},
                           {columns.data(), columns.data() + columns.size()},
                           {values.data(), values.data() + values.size()});
}

/// The inverse, for a pickle: the array, or the three of a list.
inline py::object stored_distances(const Distances& d) {
  if (d.empty()) {
    return py::none();
  }
  if (!d.is_listed()) {
    return py::cast(Points(d.all()));
  }
  const py::object matrix = py::module_::import("scipy.sparse").attr("csr_matrix");
  return matrix(py::make_tuple(py::cast(d.list_values()), py::cast(d.list_columns()), py::cast(d.list_begin())),
                py::arg("shape") = py::make_tuple(d.rows(), d.cols()));
}

inline MapDefinition take_definition(Keywords& given) {
  MapDefinition d{.method = method_from_string(cast_argument<std::string>(given.pop("method"), "method"))};
  if (const py::object distances = given.pop("distances"); !distances.is_none()) {
    d.distances = distances_of(distances).symmetrised();
    given.pop("points");
  } else {
    d.points = shared_points(cast_argument<Array>(given.pop("points"), "points"));
  }
  std::optional<Array> drift;
  given.take("log_target", d.log_target);
  given.take("drift", drift);
  d.drift = drift ? copied_points(*drift, "drift") : Points();
  d.diffusion = take_diffusion(given, d.points.rows(), d.points.cols());
  given.take("epsilon", d.epsilon);
  given.take("density_epsilon", d.density_epsilon);
  given.take("alpha", d.alpha);
  given.take("eta", d.eta);
  given.take("normalization", d.normalization, &normalization_from_string);
  given.take("step", d.step, &step_from_string);
  given.take("bandwidth", d.bandwidth.strength);
  given.take("bandwidth_neighbours", d.bandwidth.neighbours);
  given.take("bandwidth_dimension", d.bandwidth.dimension);
  given.take("drop_isolated", d.drop_isolated);
  given.take("keep_traps", d.keep_traps);
  given.take("engine", d.kernel.engine, &engine_from_string);
  given.take("cutoff", d.kernel.cutoff);
  given.take("period", d.kernel.period);
  given.take("single_precision", d.kernel.single_precision);
  given.take("landmarks", d.kernel.landmarks);
  given.take("landmark_error", d.kernel.landmark_error);
  return d;
}

inline Execution take_execution(Keywords& given) {
  int threads = 0;
  std::optional<std::size_t> memory;
  given.take("threads", threads);
  given.take("memory", memory);
  Execution how = execution(threads, memory, given.pop("progress"));
  if (const py::object ranks = given.pop("ranks"); !ranks.is_none()) {
    how.ranks = ranks.cast<const CommunicatorRanks*>();
  }
  return how;
}

inline Map make_map_of(const py::dict& keywords) {
  Keywords given(keywords);
  MapDefinition d = take_definition(given);
  const Execution how = take_execution(given);
  given.finish();
  return unlocked([&] { return make_map(std::move(d), how); });
}

}  // namespace itomap::python
