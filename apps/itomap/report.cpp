// itomap report: one page about a result.
#include "itomap/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "command.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/added_files.hpp"
#include "itomap/io/array_file.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* page_name = "report.html";

constexpr CommandText about_report{
    .name = "report",
    .summary = "one interactive page about a result, to look at and to send",
    .description =
        R"(Writes one HTML file that says what was computed, whether to trust it and what it looks like: warnings in plain
words, the time scales with both rate formulas and their error bars, the points in data space and in the space
of the eigenfunctions, to zoom, colour and select from. What cluster, committor and scale wrote into the result
directory is shown too. The file opens offline in any browser and needs nothing beside it.

Points selected with the lasso are saved as a list of numbers that --source and --sink of committor take.

Up to a million points are shown. Values are as exact as the size of the page allows, and the page says how
exact: of some thousand points in double precision, of a million mostly in 65,534 steps from the smallest to the
largest value. --size gives them more room.
)",
    .usage = "--result DIR [--out FILE] [options]",
    .examples = R"(itomap report --result result
itomap report --result result --out double_well.html --title "Double well, beta = 6"
itomap report --result butane --structures conformations --values dihedral.csv --time-unit ps
)"};

/// The text of set_0.pdb, set_1.pdb, ... of a folder.
std::vector<ReportStructure> read_structures(const std::string& folder) {
  std::vector<ReportStructure> structures;
  for (;;) {
    const auto file = fs::path(folder) / fmt::format("set_{}.pdb", structures.size());
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
      break;
    }
    structures.push_back({fmt::format("set {}", structures.size()), {std::istreambuf_iterator<char>(stream), {}}});
  }
  if (structures.empty()) {
    throw IoError(fmt::format(
        "--structures {}: there is no set_0.pdb in it; itomap.md.write_sets writes one for each set", folder));
  }
  return structures;
}

/// One column for each of the file, named by its header or by the file.
std::vector<ReportValues> read_columns(const std::string& file) {
  const Array array = read_array(file);
  const auto columns = array.as_points();
  std::vector<ReportValues> values;
  for (Index k = 0; k < columns.cols(); ++k) {
    const auto name = Index(array.column_names.size()) == columns.cols()
                          ? array.column_names[static_cast<std::size_t>(k)]
                      : columns.cols() == 1 ? fs::path(file).stem().string()
                                            : fmt::format("{} {}", fs::path(file).stem().string(), k);
    values.push_back({name, columns.col(k)});
  }
  return values;
}

class Report final : public Command {
 public:
  const CommandText& text() const override { return about_report; }
  std::vector<Option> options() override;
  void run() override;

 private:
  ReportOptions report_options() const;
  void write_beside_result(const ReportOptions& report) const;

  std::string result_;
  std::string values_;
  std::string structures_;
  std::string reference_;
  std::string title_;
  std::string time_unit_;
  std::optional<std::size_t> size_;
  std::uint64_t most_points_ = static_cast<std::uint64_t>(ReportOptions{}.most_points);
  std::string out_;
  bool force_ = false;
  bool quiet_ = false;
};

std::vector<Option> Report::options() {
  return {
      {"result", "DIR", Group::Input, "what itomap dmap, tmd or lkd wrote with --out", cli::text(result_), true},
      {"values", "FILE", Group::Input,
       "m numbers, or m x k for k columns, one row per point: more to colour points by and to choose as axes",
       cli::text(values_)},
      {"structures", "DIR", Group::Input,
       "set_0.pdb, set_1.pdb, ... of a molecule, one for each set of cluster; those in the result directory unless "
       "given",
       cli::text(structures_)},
      {"reference", "FILE", Group::Input, "time scales t_1, t_2, ... that are known from elsewhere, to be drawn beside",
       cli::text(reference_)},
      {"title", "TEXT", Group::Output, "what the page is called", cli::text(title_)},
      {"time-unit", "TEXT", Group::Output, "what times are given in: ps, years", cli::text(time_unit_)},
      {"size", "SIZE", Group::Output,
       "the most that the values of the points may take on the page: 60M, 500K; unless given 1 MB for up to 10,000 "
       "points, rising to 23 MB for a million",
       bytes(size_)},
      {"most-points", "K", Group::Output, "of more points than that, so many are drawn at random to be shown",
       count(most_points_, 2, 100000000)},
      {"out", "FILE", Group::Output, "report.html in the result directory unless given", cli::text(out_)},
      {"force", "", Group::Output, "replace an earlier page", flag(force_)},
      {"quiet", "", Group::Output, "say nothing; errors remain", flag(quiet_)},
  };
}

ReportOptions Report::report_options() const {
  ReportOptions report{.title = title_,
                       .name = result_,
                       .time_unit = time_unit_,
                       .size = size_,
                       .most_points = static_cast<Index>(most_points_),
                       .force = force_};
  if (!values_.empty()) {
    report.values = read_columns(values_);
  }
  if (!reference_.empty()) {
    const Array times = read_array(reference_);
    check_finite(times);
    const auto numbers = times.as_vector();
    report.reference_timescales.assign(numbers.begin(), numbers.end());
  }
  const bool beside = structures_.empty() && fs::exists(fs::path(result_) / "set_0.pdb");
  if (beside || !structures_.empty()) {
    report.structures = read_structures(beside ? result_ : structures_);
  }
  return report;
}

// It joins the files that itomap wrote there.
void Report::write_beside_result(const ReportOptions& report) const {
  const std::vector<std::string> names{page_name};
  check_no_stranger(result_, names);
  const auto earlier = fs::path(result_) / page_name;
  std::error_code ignored;
  if (!force_ && fs::exists(earlier, ignored)) {
    throw OutputExists(fmt::format("{} exists; name another --out FILE or allow it to be replaced", earlier.string()));
  }
  AddedFiles added(result_);
  write_report(added.path(page_name), result_, report);
  stop_if_signalled();
  added.commit();
}

void Report::run() {
  check_has_report();
  if (!fs::exists(fs::path(result_) / "result.json")) {
    throw IoError(fmt::format(
        "{}: not a result directory, result.json is missing; give a directory that itomap dmap, tmd or lkd wrote",
        result_));
  }
  const DeferSignals deferred;
  const ReportOptions report = report_options();
  if (out_.empty()) {
    write_beside_result(report);
  } else {
    write_report(out_, result_, report);
  }
  if (!quiet_) {
    const auto page = out_.empty() ? (fs::path(result_) / page_name).string() : out_;
    print(fmt::format("Written to {} ({:.1f} MB): open it in a browser\n", page,
                      1e-6 * static_cast<double>(fs::file_size(page))));
  }
}

}  // namespace

std::unique_ptr<Command> make_report() { return std::make_unique<Report>(); }

}  // namespace itomap::cli
