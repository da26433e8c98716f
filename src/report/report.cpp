#include "itomap/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/belongs.hpp"
#include "core/context.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "report/column_choice.hpp"
#include "report/figures.hpp"
#include "report/packed_column.hpp"
#include "report/page.hpp"
#include "report/point_order.hpp"
#include "report/report_data.hpp"

namespace itomap {
using namespace detail;
namespace {

void check(const ReportOptions& options) {
  constexpr Index least = 2;
  constexpr Index most = 100000000;
  if (options.most_points < least || options.most_points > most) {
    throw InvalidArgument(fmt::format("most_points: {} is not from {} to {}", options.most_points, least, most));
  }
  for (const double time : options.reference_timescales) {
    if (!(time > 0.0) || !std::isfinite(time)) {
      throw InvalidArgument(fmt::format("reference time scale {} is not a time > 0", time));
    }
  }
}

// Behind the result's own columns; the memory is the options'.
void add_values(ReportData& data, const std::vector<ReportValues>& values) {
  for (const ReportValues& one : values) {
    if (one.values.size() != data.points) {
      throw InvalidArgument(
          fmt::format("values {} has {} rows, but the result has {} points", one.name, one.values.size(), data.points));
    }
    data.columns.push_back({.key = fmt::format("values{}", data.columns.size()),
                            .name = one.name,
                            .group = ColumnGroup::Values,
                            .leading = true,
                            .first = one.values.data()});
  }
}

Json column_json(const StoredColumn& stored, const std::string& block, Index points) {
  const auto& [column, packed] = stored;
  Json json{{"key", column->key},
            {"name", column->name},
            {"group", to_string(column->group)},
            {"block", block},
            {"precision", to_string(packed.precision)}};
  if (packed.steps > 0) {
    json["steps"] = packed.steps;
    json["low"] = number(packed.low);
    json["high"] = number(packed.high);
    json["logarithmic"] = packed.logarithmic;
  }
  if (column->mode > 0) {
    json["mode"] = column->mode;
  }
  json["positive"] = column->positive;
  json["whole"] = column->whole;
  json.update(summary_of(*column, points));
  return json;
}

Json structures_json(const std::vector<ReportStructure>& structures) {
  Json list = Json::array();
  for (const ReportStructure& structure : structures) {
    list.push_back({{"name", structure.name}, {"pdb", structure.pdb}});
  }
  return list;
}

Page page_of(const ReportData& data, const ReportOptions& options) {
  const auto points = shown_points(data, options.most_points);
  const auto size = options.size.value_or(default_size(Index(points.size())));
  const std::string numbers = base64(pack_numbers(points));
  const ColumnChoice choice = choose_columns(data, points, size - std::min(size, numbers.size()));
  if (choice.stored.size() < 2) {
    throw InvalidArgument(fmt::format("size: in {} bytes not even two columns of {} points have room; allow {} or more",
                                      size, points.size(), numbers.size() + 6 * points.size()));
  }

  Page page{.script = &page_assets().report, .molecules = !options.structures.empty()};
  Json& json = page.data;
  json["version"] = version();
  json["title"] = options.title;
  json["time_unit"] = options.time_unit;
  json["name"] = data.name;
  json["directory"] = data.directory;
  json["result"] = data.result;
  json["cluster"] = data.cluster;
  json["committor"] = data.committor;
  json["committor_histogram"] = committor_histogram(data);
  json["scale"] = data.scale;
  json["reference_timescales"] = options.reference_timescales;
  json["effective_points"] = number(effective_points(data));
  json["function_errors"] = function_errors(data);
  json["drift"] = drift_fields(data);
  json["structures"] = structures_json(options.structures);
  json["points"] = {{"total", data.points}, {"shown", points.size()}};
  json["left_out"] = choice.left_out;
  json["columns"] = Json::array();
  page.blocks.push_back({"numbers", numbers});
  for (const StoredColumn& stored : choice.stored) {
    page.blocks.push_back({fmt::format("column{}", page.blocks.size()), base64(stored.packed.bytes)});
    json["columns"].push_back(column_json(stored, page.blocks.back().id, data.points));
  }
  return page;
}

void write(const std::string& file, ReportData data, const ReportOptions& options) {
  if (!options.name.empty()) {
    data.name = options.name;
    data.directory = data.directory.empty() ? "" : options.name;
  }
  add_values(data, options.values);
  write_page(file, page_of(data, options), options.force);
}

}  // namespace

bool has_report() { return true; }

void check_has_report() {}

void write_report(const std::string& file, const std::string& directory, const ReportOptions& options) {
  check(options);
  write(file, data_of_directory(directory), options);
}

void write_report(const std::string& file, const Map& map, const Spectrum& spectrum, const ReportOptions& options,
                  const ReportAnalyses& analyses) {
  check(options);
  check_belongs(map, spectrum);
  const ExecutionScope scope(map.execution());
  write(file, data_of_map(map, spectrum, analyses), options);
}

}  // namespace itomap
