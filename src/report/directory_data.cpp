#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "io/npy_header.hpp"
#include "io/read_array.hpp"
#include "io/result_arrays.hpp"
#include "io/result_entry.hpp"
#include "itomap/core/error.hpp"
#include "itomap/generator/map_definition.hpp"
#include "report/report_data.hpp"

namespace itomap::detail {
namespace {

namespace fs = std::filesystem;

// As the page shows it; what is needed of it here has been checked by ResultEntry.
Json json_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    throw IoError(fmt::format("{}: is not a JSON object; run the command that wrote it again", file.string()));
  }
  return json;
}

class DirectoryReader {
 public:
  explicit DirectoryReader(const std::string& directory)
      : directory_(directory), result_(ResultEntry::whole(directory)), list_(data_) {
    data_.result = json_file(fs::path(directory) / "result.json");
    data_.points = result_.at("points").count(2, std::numeric_limits<std::int32_t>::max());
    data_.dimension = result_.at("dimension").count(0, std::numeric_limits<std::int32_t>::max());
    data_.name = fs::path(directory).lexically_normal().filename().string();
    data_.directory = data_.name;
    check_spectrum();
  }

  ReportData read() && {
    coordinates();
    eigenfunctions();
    weights();
    function_error_bars();
    sets();
    committor();
    if (fs::exists(path("scale.json"))) {
      data_.scale = json_file(path("scale.json"));
    }
    return std::move(data_);
  }

 private:
  fs::path path(const char* name) const { return fs::path(directory_) / name; }
  Shape rows() const { return {std::size_t(data_.points)}; }

  // What becomes columns must be there as a whole result has it.
  void check_spectrum() {
    pairs_ = Index(result_.at("eigenvalues").list().size());
    if (pairs_ == 0) {
      result_.at("eigenvalues").refuse("is empty");
    }
    for (const ResultEntry& pair : result_.at("eigenvalues").list()) {
      for (const ResultEntry& part : pair.list(2)) {
        part.number();
      }
    }
    for (const ResultEntry& mode : result_.at("spurious").list()) {
      mode.count(0, pairs_ - 1);
    }
    reversible_ = result_.at("reversible").flag();
    try {
      method_ = method_from_string(result_.at("method").text());
    } catch (const InvalidArgument& error) {
      result_.at("method").refuse(fmt::format("is unknown ({})", error.what()));
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    if (const auto columns = result_.find("columns")) {
      for (const ResultEntry& name : columns->list(data_.dimension)) {
        names.push_back(name.text());
      }
    }
    return names;
  }

  void coordinates() {
    if (data_.dimension > 0) {
      const Array array = read_result(directory_, "points.npy", {{rows()[0], std::size_t(data_.dimension)}});
      list_.coordinates(array.data.get(), data_.dimension, array.data, names());
    }
  }

  // take(re, im, step, stride, owner), as ColumnList has it.
  template <class Take>
  void functions(const char* file, const Take& take) const {
    const Shape shape{rows()[0], std::size_t(pairs_)};
    if (reversible_) {
      const Array array = read_result(directory_, file, {shape});
      take(array.data.get(), nullptr, 1, pairs_, array.data);
    } else {
      const Array array = read_complex_result(directory_, file, shape);
      take(array.data.get(), array.data.get() + 1, 2, 2 * pairs_, array.data);
    }
  }

  void eigenfunctions() {
    functions("eigenfunctions.npy", [this](auto... layout) { list_.eigenfunctions(layout...); });
  }

  // Written where they were asked for.
  void function_error_bars() {
    for (const auto& [file, suffix] : {std::pair("extrapolated_eigenfunctions.npy", limit_suffix),
                                       std::pair("eigenfunction_errors.npy", error_suffix)}) {
      if (fs::exists(path(file))) {
        functions(file, [this, end = suffix](auto... layout) { list_.function_error_bars(end, layout...); });
      }
    }
  }

  void add(const char* key, ColumnGroup group, const std::string& file, bool leading, bool positive = false) {
    const Array array = read_result(directory_, file, {rows()});
    list_.add(key, group, array.data.get(), array.data, leading, positive);
  }

  void weights() {
    add("stationary", ColumnGroup::Weight, "stationary.npy", true, true);
    add("density", ColumnGroup::Weight, "density.npy", true, true);
    if (method_ == Method::TargetMeasureMap) {
      add("log_target", ColumnGroup::Weight, "log_target.npy", true);
    }
    if (result_.find("bandwidth")) {
      add("bandwidth", ColumnGroup::Weight, "bandwidth.npy", false, true);
    }
    if (method_ == Method::LocalKernelMap || method_ == Method::BiasedLocalKernelMap) {
      const Array array = read_result(directory_, "drift.npy", {{rows()[0], std::size_t(data_.dimension)}});
      list_.drift(array.data.get(), data_.dimension, array.data);
    }
  }

  void sets() {
    if (!fs::exists(path("cluster.json"))) {
      return;
    }
    data_.cluster = json_file(path("cluster.json"));
    const Array labels = read_array_of(path("sets.npy").string(), NpyKind::Whole);
    if (labels.shape != rows()) {
      throw IoError(fmt::format("{}: is {}, but the result has {} points; run itomap cluster again", labels.source,
                                labels.shape_text(), data_.points));
    }
    list_.add("set", ColumnGroup::Analysis, labels.data.get(), labels.data, true);
    data_.columns.back().whole = true;
  }

  // To the sink and to the source. What is extrapolated may fall below 0.
  void passage_times(const char* file, ColumnGroup group, std::string_view suffix = {}) {
    const Array times = read_result(directory_, file, {{rows()[0], 2}});
    for (const Index k : {0, 1}) {
      list_.add((k == 0 ? "time_to_sink" : "time_to_source") + std::string(suffix), group, times.data.get() + k,
                times.data, false, suffix != limit_suffix);
      data_.columns.back().stride = 2;
    }
  }

  void committor() {
    if (!fs::exists(path("committor.json"))) {
      return;
    }
    data_.committor = json_file(path("committor.json"));
    add("committor", ColumnGroup::Analysis, "committor.npy", true);
    if (fs::exists(path("backward_committor.npy"))) {
      add("backward_committor", ColumnGroup::Analysis, "backward_committor.npy", false);
    }
    add("flux", ColumnGroup::Analysis, "flux.npy", false);
    passage_times("passage_times.npy", ColumnGroup::Analysis);
    if (data_.committor.contains("error_bars")) {
      add("committor_limit", ColumnGroup::ErrorBar, "extrapolated_committor.npy", false);
      add("committor_error", ColumnGroup::ErrorBar, "committor_errors.npy", false);
      passage_times("extrapolated_passage_times.npy", ColumnGroup::ErrorBar, limit_suffix);
      passage_times("passage_time_errors.npy", ColumnGroup::ErrorBar, error_suffix);
    }
  }

  std::string directory_;
  ResultEntry result_;
  Index pairs_ = 0;
  bool reversible_ = true;
  Method method_ = Method::DiffusionMap;
  ReportData data_;
  ColumnList list_;
};

}  // namespace

ReportData data_of_directory(const std::string& directory) { return DirectoryReader(directory).read(); }

}  // namespace itomap::detail
