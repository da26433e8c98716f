// itomap reproduce: the numerical examples of the paper, each with its figures and a verdict.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "command.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/report/report.hpp"
#include "progress_display.hpp"
#include "reproduce/example.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/gallery.hpp"
#include "reproduce/verdict.hpp"
#include "signals.hpp"
#include "suggest.hpp"
#include "terminal.hpp"
#include "world.hpp"

namespace itomap::cli {
namespace {

using reproduce::Example;
using reproduce::Verdict;

namespace fs = std::filesystem;

constexpr CommandText about_reproduce{
    .name = "reproduce",
    .summary = "the paper's numerical examples: figures, data and a verdict table",
    .description =
        R"(Runs the numerical examples of Banisch, Trstanova, Bittracher, Klus and Koltai, "Diffusion maps tailored to
arbitrary non-degenerate Ito processes", and compares what comes out with the paper and with a reference:

  large-time-step     a double well, sampled with too large a step: only dmap is fooled
  temperature-switch  four wells sampled hot and not converged, seen at two temperatures
  butane              three conformations of a molecule in water, from a trajectory of its carbons
  wake                vortices and recirculation behind a car body, from a mean velocity field

Writes DIR/verdict.json and one folder per example with its data and, drawn by gnuplot, every figure of the paper.
DIR/index.html is the page to open: tables, figures, and an interactive report of every map. The
table shows the paper's value, itomap's, the reference, how constants were chosen (by a rule of the program, on another
sample or run than is judged, or by the paper) and what is required; a figure that is missed is shown as missed, and the
exit code is 0 all the same. Values are medians over random seeds where there is chance. No network is needed.
)",
    .usage = "[EXAMPLE] --out DIR [options]",
    .examples = R"(itomap reproduce --out paper
itomap reproduce temperature-switch --seeds 3 --out switch
itomap reproduce butane --out butane --force
)"};

/// Headings bold, what was missed in red.
std::string styled(const std::string& table) {
  const Style style(stdout);
  std::string text;
  for (std::size_t begin = 0; begin < table.size();) {
    const auto end = std::min(table.find('\n', begin), table.size());
    auto line = table.substr(begin, end - begin);
    const auto missed = line.find("MISSED");
    if (missed != std::string::npos) {
      line.replace(missed, 6, style.fail("MISSED"));
    }
    text += (line.empty() || line[0] == ' ' ? line : style.bold(line)) + "\n";
    begin = end + 1;
  }
  return text;
}

class ReproduceCommand final : public Command {
 public:
  const CommandText& text() const override { return about_reproduce; }
  std::vector<Option> options() override;
  void run() override;
  bool shares_work() const override { return true; }

 private:
  void help_the_first(const std::vector<Example>& examples) const;
  std::vector<Example> chosen() const;
  fs::path paper_folder() const;
  void compute(const std::vector<Example>& examples, OutputDirectory& out);
  void run_one(const Example& example, const OutputDirectory& out, const Progress& progress);

  std::string example_ = "all";
  std::string out_;
  std::string data_;
  std::optional<std::uint64_t> seeds_;
  bool report_ = false;
  bool force_ = false;
  bool quiet_ = false;

  std::vector<reproduce::ExampleRun> runs_;
  std::vector<Verdict> verdicts_;
  std::vector<std::string> problems_;
};

std::vector<Option> ReproduceCommand::options() {
  return {
      {"example", "EXAMPLE", Group::Input, "large-time-step|temperature-switch|butane|wake|all", cli::text(example_),
       false, true},
      {"data", "DIR", Group::Input, "where the examples' data and plot scripts are, unless where they were installed",
       cli::text(data_)},
      {"seeds", "K", Group::Method, "repetitions with other random numbers; 5 to 20 unless given",
       count(seeds_, 1, 1000)},
      {"out", "DIR", Group::Output, "write verdict.json and a folder per example; appears whole or not at all",
       cli::text(out_), true},
      {"report", "", Group::Output,
       "refuse to run if this build cannot write index.html and the reports; without it they are left out then",
       flag(report_)},
      {"force", "", Group::Output, "replace DIR if it holds an earlier run and nothing else", flag(force_)},
      {"quiet", "", Group::Output, "no progress and no table; warnings and errors remain", flag(quiet_)},
  };
}

std::vector<Example> ReproduceCommand::chosen() const {
  const auto& all = reproduce::all_examples();
  if (example_ == "all") {
    return all;
  }
  const auto found = std::ranges::find(all, example_, &Example::name);
  if (found != all.end()) {
    return {*found};
  }
  std::vector<std::string> names{"all"};
  for (const auto& example : all) {
    names.emplace_back(example.name);
  }
  throw InvalidArgument(
      fmt::format("reproduce has no example '{}'; {}", example_,
                  suggestion(example_, names, fmt::format("it must be one of {}", fmt::join(names, ", ")))));
}

// Beside the program, wherever its prefix was moved to; else the source tree it was built from.
fs::path ReproduceCommand::paper_folder() const {
  if (!data_.empty()) {
    if (fs::is_directory(data_)) {
      return fs::absolute(data_);
    }
    throw IoError(fmt::format("--data {}: there is no such directory; it is examples/paper of the sources", data_));
  }
  std::error_code unknown;
  const auto program = fs::read_symlink("/proc/self/exe", unknown);
  const auto installed = (program.parent_path() / ITOMAP_PAPER_INSTALLED).lexically_normal();
  for (const auto& folder : {installed, fs::path(ITOMAP_PAPER_SOURCE)}) {
    if (fs::is_directory(folder)) {
      return folder;
    }
  }
  throw IoError(fmt::format("the examples' data are not at {}; give --data DIR, examples/paper of the sources",
                            installed.string()));
}

void ReproduceCommand::run() {
  if (report_) {
    check_has_report();
  }
  const auto examples = chosen();
  paper_folder();
  const DeferSignals deferred;
  if (!world().first()) {
    return help_the_first(examples);
  }
  OutputDirectory out(out_, force_);
  compute(examples, out);
  write_text(out.path("verdict.json"), reproduce::verdict_json(verdicts_));
  if (has_report()) {
    reproduce::write_gallery_page(fs::path(out.path("verdict.json")).parent_path(), runs_);
  }
  stop_if_signalled();
  out.commit();
  if (!quiet_) {
    print(styled(reproduce::verdict_table(verdicts_)));
  }
  for (const auto& problem : problems_) {
    print_warning(problem);
  }
  if (!quiet_) {
    print(fmt::format("Figures and data are in {}/EXAMPLE, the table in {}/verdict.json\n", out_, out_));
    print(has_report()
              ? fmt::format("Open {}/index.html in a browser: figures, tables and a report of every map\n", out_)
              : std::string("No page to open: this build has no reports, see itomap info\n"));
  }
}

// Some of the seeds, of examples that have any; the first process writes and judges.
void ReproduceCommand::help_the_first(const std::vector<Example>& examples) const {
  for (const auto& example : examples) {
    if (example.shares_seeds) {
      example.run({.data = paper_folder() / example.name, .out = example.name, .seeds = seeds_, .ranks = &world()});
    }
  }
}

void ReproduceCommand::compute(const std::vector<Example>& examples, OutputDirectory& out) {
  ProgressDisplay display(!quiet_);
  const Watchdog watchdog([&] {
    std::error_code ignored;
    fs::remove_all(fs::path(out.path("verdict.json")).parent_path(), ignored);
    display.erase();
  });
  for (const auto& example : examples) {
    run_one(example, out, display.callback());
    stop_if_signalled();
  }
}

void ReproduceCommand::run_one(const Example& example, const OutputDirectory& out, const Progress& progress) {
  const auto data = paper_folder() / example.name;
  const fs::path folder = out.path(std::string(example.name));
  fs::create_directory(folder);
  auto& run = runs_.emplace_back(reproduce::ExampleRun{example, {}, {}});
  run.verdicts = example.run({data, folder, seeds_, progress, &run.reports, &world()});
  verdicts_.insert(verdicts_.end(), run.verdicts.begin(), run.verdicts.end());
  for (const auto& problem : reproduce::draw_figures(data, folder)) {
    if (std::ranges::find(problems_, problem) == problems_.end()) {
      problems_.push_back(problem);
    }
  }
}

}  // namespace

std::unique_ptr<Command> make_reproduce() { return std::make_unique<ReproduceCommand>(); }

}  // namespace itomap::cli
