// One page about a result: what was computed, whether to trust it, and what it looks like.
//
// The page is a single HTML file that opens without a network: warnings in plain words, time scales with their error
// bars, the points to look at and to select from, sets, committors and the scan of scales where there are any, and the
// command to repeat it. It is for a colleague who has neither the data nor this program.
//
// How exact the numbers on it are depends on how many points there are. Every column (a coordinate, an eigenfunction,
// ...) is stored as exactly as its share of the page allows: in double precision, in single precision (relative error
// 6e-8), or in 65,534 steps between its smallest and its largest value, and the page says which. Those that do not fit
// at all are named on it. With few points, as a rule up to some thousands, everything is exact; with a million the page
// has about 24 MB. `size` sets another limit.
//
// A build without npm has no page to fill in: has_report() is false and the functions throw InvalidArgument.
//
//   itomap::write_report("report.html", map, spectrum, {.title = "Double well"});
//   itomap::write_report("report.html", "result");            // of a directory that save() or `itomap tmd` wrote
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "itomap/analysis/cluster.hpp"
#include "itomap/analysis/committor.hpp"
#include "itomap/analysis/error_bars.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/io/result.hpp"
#include "itomap/scales/scale_scan.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

/// Numbers at the points that are not part of the result: an observable, an angle, an energy.
struct ReportValues {
  std::string name{};
  Vector values{};  ///< one for each point of the user's data; NaN where there is none
};

/// What a molecule looks like in one of the sets.
struct ReportStructure {
  std::string name{};  ///< "set 0"
  std::string pdb{};   ///< the text of a PDB file
};

struct ReportOptions {
  std::string title{};      ///< the name of the result unless given
  std::string name{};       ///< of the result: that of its directory unless given
  std::string time_unit{};  ///< "ps": what times are given in; "units of time" unless it is said
  /// t_1, t_2, ..., known from elsewhere, of the modes that are not spurious; a complex pair counts once.
  std::vector<double> reference_timescales{};
  std::vector<ReportValues> values{};
  std::vector<ReportStructure> structures{};  ///< one for each set, in their order
  std::optional<std::size_t> size{};          ///< bytes that the values at the points may take; unset: by their number
  Index most_points = 1000000;                ///< of more, so many are drawn at random to be shown
  bool force = false;                         ///< replace an earlier file
};

/// What was computed from a map in memory, shown where it is given.
struct ReportAnalyses {
  const ErrorBars* error_bars = nullptr;
  const Clustering* sets = nullptr;
  const CommittorResult* committor = nullptr;
  const CommittorErrorBars* committor_error_bars = nullptr;  ///< of `committor`, which must be given too
  const ScaleScan* scan = nullptr;                           ///< unless given, the one that epsilon was chosen from
  RunRecord run{};
};

/// Whether this build can write one.
bool has_report();
/// Throws InvalidArgument, which says what to install, if it cannot.
void check_has_report();

/// Of a result directory, with all that cluster, committor and scale wrote into it. The file appears whole or not at
/// all. Throws OutputExists if it is there already, IoError with one line for a directory that is not a whole result.
void write_report(const std::string& file, const std::string& directory, const ReportOptions& options = {});

/// Of a map in memory.
void write_report(const std::string& file, const Map& map, const Spectrum& spectrum, const ReportOptions& options = {},
                  const ReportAnalyses& analyses = {});

}  // namespace itomap
