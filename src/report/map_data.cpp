#include <algorithm>
#include <limits>

#include "io/scan_json.hpp"
#include "report/report_data.hpp"

namespace itomap::detail {
namespace {

template <class Values>
Json numbers(const Values& values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(number(value));
  }
  return list;
}

// The keys are those of cluster.json and committor.json.
Json cluster_json(const Clustering& sets) {
  Json json{{"method", to_string(sets.method)},
            {"functions", sets.functions},
            {"points", sets.points},
            {"stationary", numbers(sets.rates.weights)},
            {"escape_rates", numbers(sets.rates.escape_rates)},
            {"exit_times", numbers(sets.rates.exit_times)},
            {"rate_matrix", Json::array()},
            {"timescales", numbers(sets.rates.timescales)},
            {"warnings", sets.warnings}};
  for (Index k = 0; k < sets.rates.rate_matrix.rows(); ++k) {
    json["rate_matrix"].push_back(numbers(Vector(sets.rates.rate_matrix.row(k))));
  }
  if (sets.method == ClusterMethod::Pcca) {
    json["crispness"] = number(sets.crispness);
  }
  return json;
}

Json committor_json(const CommittorResult& path) {
  return {{"source_points", path.source_points},
          {"sink_points", path.sink_points},
          {"flux", number(path.total_flux)},
          {"rate", number(path.rate)},
          {"reverse_rate", number(path.reverse_rate)},
          {"inverse_rates",
           {{"source_to_sink", number(1.0 / path.rate)}, {"sink_to_source", number(1.0 / path.reverse_rate)}}},
          {"passage_times",
           {{"source_to_sink", number(path.source_to_sink)}, {"sink_to_source", number(path.sink_to_source)}}},
          {"converged", path.converged()},
          {"warnings", path.warnings}};
}

Json estimate_json(const PassageEstimate& e) {
  return {{"noise", number(e.noise)}, {"extrapolated", number(e.extrapolated)}, {"error", number(e.error)}};
}

Json committor_bars_json(const CommittorErrorBars& bars) {
  return {{"blocks", bars.blocks},
          {"flux", estimate_json(bars.total_flux)},
          {"rate", estimate_json(bars.rate)},
          {"reverse_rate", estimate_json(bars.reverse_rate)},
          {"passage_times",
           {{"source_to_sink", estimate_json(bars.source_to_sink)},
            {"sink_to_source", estimate_json(bars.sink_to_source)}}},
          {"warnings", bars.warnings}};
}

/// Values at the points of a map as columns of the user's points.
class MapReader {
 public:
  MapReader(const Map& map, const Spectrum& spectrum) : map_(map), spectrum_(spectrum), list_(data_) {}

  ReportData read(const ReportAnalyses& analyses) && {
    data_.points = map_.input_points();
    data_.dimension = map_.dimension();
    data_.result = Json::parse(result_json(map_, spectrum_, {.run = analyses.run, .error_bars = analyses.error_bars}));
    inputs(analyses.run);
    functions();
    column("stationary", ColumnGroup::Weight, spectrum_.stationary, true, true);
    column("density", ColumnGroup::Weight, map_.density(), true, true);
    const MapDefinition& d = map_.definition();
    if (d.method == Method::TargetMeasureMap) {
      list_.add("log_target", ColumnGroup::Weight, d.log_target.data(), nullptr, true);
    }
    if (map_.bandwidth().size() > 0) {
      column("bandwidth", ColumnGroup::Weight, map_.bandwidth(), false, true);
    }
    if (analyses.error_bars != nullptr) {
      function_error_bars(*analyses.error_bars);
    }
    sets(analyses.sets);
    committor(analyses.committor);
    if (analyses.committor != nullptr && analyses.committor_error_bars != nullptr) {
      committor_error_bars(*analyses.committor_error_bars);
    }
    const ScaleScan* scan = analyses.scan != nullptr ? analyses.scan : scan_of(map_);
    if (scan != nullptr) {
      data_.scale = scan_json(*scan);
    }
    return std::move(data_);
  }

 private:
  void inputs(const RunRecord& run) {
    const MapDefinition& d = map_.definition();
    if (d.distances.empty()) {
      list_.coordinates(d.points.view().data(), d.dimension(), std::make_shared<PointCloud>(d.points), run.columns);
    }
    if (d.local()) {
      list_.drift(d.drift.data(), d.dimension(), nullptr);
    }
  }

  // take(re, im, step, stride, owner), as ColumnList has it.
  template <class Take>
  void spread(const Eigenfunctions& psi, const Take& take) const {
    const auto re = on_user_rows(psi.re);
    const auto im = psi.is_real() ? re : on_user_rows(psi.im);
    const auto both = std::make_shared<std::pair<std::shared_ptr<const Block>, std::shared_ptr<const Block>>>(re, im);
    take(re->data(), psi.is_real() ? nullptr : im->data(), 1, psi.cols(), both);
  }

  void functions() {
    spread(spectrum_.eigenfunctions, [this](auto... layout) { list_.eigenfunctions(layout...); });
  }

  void function_error_bars(const ErrorBars& bars) {
    if (bars.function_errors.rows() == 0) {
      return;
    }
    spread(bars.extrapolated_functions, [this](auto... layout) { list_.function_error_bars(limit_suffix, layout...); });
    spread(bars.function_errors, [this](auto... layout) { list_.function_error_bars(error_suffix, layout...); });
  }

  void sets(const Clustering* clustering) {
    if (clustering == nullptr) {
      return;
    }
    data_.cluster = cluster_json(*clustering);
    const Vector labels =
        Eigen::Map<const Eigen::Matrix<Index, Eigen::Dynamic, 1>>(clustering->labels.data(), map_.size())
            .cast<double>();
    column("set", ColumnGroup::Analysis, labels, true);
    data_.columns.back().whole = true;
  }

  void committor(const CommittorResult* path) {
    if (path == nullptr) {
      return;
    }
    data_.committor = committor_json(*path);
    column("committor", ColumnGroup::Analysis, path->forward, true);
    if (!map_.reversible()) {
      column("backward_committor", ColumnGroup::Analysis, path->backward, false);
    }
    column("flux", ColumnGroup::Analysis, path->flux, false);
    if (path->time_to_sink.size() > 0) {
      column("time_to_sink", ColumnGroup::Analysis, path->time_to_sink, false, true);
      column("time_to_source", ColumnGroup::Analysis, path->time_to_source, false, true);
    }
  }

  // What is extrapolated may fall below 0.
  void committor_error_bars(const CommittorErrorBars& bars) {
    data_.committor["error_bars"] = committor_bars_json(bars);
    for (const auto& [key, function] :
         {std::pair("committor", &bars.forward), std::pair("time_to_sink", &bars.time_to_sink),
          std::pair("time_to_source", &bars.time_to_source)}) {
      if (function->error.size() > 0) {
        column(key + std::string(limit_suffix), ColumnGroup::ErrorBar, function->extrapolated, false);
        column(key + std::string(error_suffix), ColumnGroup::ErrorBar, function->error, false, true);
      }
    }
  }

  void column(const std::string& key, ColumnGroup group, const Vector& values, bool leading, bool positive = false) {
    const auto rows = on_user_rows(values);
    list_.add(key, group, rows->data(), rows, leading, positive);
  }

  template <class Values>
  std::shared_ptr<const Block> on_user_rows(const Values& values) const {
    auto rows = std::make_shared<Block>(
        Block::Constant(map_.input_points(), values.cols(), std::numeric_limits<double>::quiet_NaN()));
    (*rows)(map_.kept(), Eigen::all) = values;
    return rows;
  }

  const Map& map_;
  const Spectrum& spectrum_;
  ReportData data_;
  ColumnList list_;
};

}  // namespace

ReportData data_of_map(const Map& map, const Spectrum& spectrum, const ReportAnalyses& analyses) {
  return MapReader(map, spectrum).read(analyses);
}

}  // namespace itomap::detail
