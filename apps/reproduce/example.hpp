// What an example of the paper is: a name, a line about it, and a function that computes.
//
// To write one: a file NAME.cpp with a function that returns its Example; name it below and in example.cpp. run() reads
// what it needs from context.data, writes tables (figures.hpp) and arrays into context.out, and returns its verdicts.
// It does not draw: when it is done, every script examples/paper/NAME/*.gp is run by gnuplot inside context.out. Maps
// that a reader should look at become pages of their own by context.report().
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "itomap/core/execution.hpp"
#include "itomap/core/ranks.hpp"
#include "itomap/report/report.hpp"
#include "itomap/scales/scale_scan.hpp"
#include "reproduce/verdict.hpp"

namespace itomap::reproduce {

/// A page about a map of an example.
struct WrittenReport {
  std::string file;  // in the example's folder
  std::string title;
};

struct Context {
  std::filesystem::path data;            // examples/paper/NAME: what is committed for this example
  std::filesystem::path out;             // an empty folder that becomes DIR/NAME
  std::optional<std::uint64_t> seeds{};  // --seeds, where it was given
  Progress progress{};                   // see step()
  std::vector<WrittenReport>* reports = nullptr;
  const Ranks* ranks = nullptr;  // the processes that share the seeds; none: this one alone

  /// Whether this process writes files and judges: the first, who has all that the others found.
  bool writes() const { return ranks == nullptr || ranks->first(); }

  /// For the options of the library, to show and stop more finely.
  Execution execution() const { return {.progress = progress}; }
  ScaleScanOptions scan_options() const { return {.execution = execution(), .ranks = ranks}; }

  /// Shows how far the example is, 0 to 1, and what it does now; throws Cancelled when a signal came.
  void step(double fraction, std::string_view what) const;

  /// Writes report-NAME.html of a map, in builds that can.
  void report(const std::string& map_name, const Map& map, const Spectrum& spectrum, ReportOptions options,
              ReportAnalyses analyses = {}) const;
};

struct Example {
  std::string_view name;     // as on the command line
  std::string_view summary;  // one line of the help
  std::string_view story;    // some sentences of the gallery
  std::vector<Verdict> (*run)(const Context&);
  bool shares_seeds = false;  // several processes run it together
};

Example large_time_step();
Example temperature_switch();
Example butane();
Example wake();

/// All of them, in the order of the paper.
const std::vector<Example>& all_examples();

/// The middle of the values (the mean of the two middle ones): what a figure over several seeds is. NaN of none.
double median(std::vector<double> values);
/// The share of the values below it is `share`, with linear interpolation: 0.25 and 0.75 span the middle half.
double quantile(std::vector<double> values, double share);

}  // namespace itomap::reproduce
