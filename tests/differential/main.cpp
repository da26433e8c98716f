// Differential fuzzing of whole problems: the library beside dense algebra and the O(m^2) reference.
//
//   differential --seed 1 --cases 1000          problems 1 to 1000
//   differential --seed 1 --seconds 60          as many as fit
//   differential --seed 42 --cases 1 --verbose  one alone, with all that differs
//   differential --seed 42 --cases 1 --shrink   made small
//
// One line for each problem that fails, with its seed; counts at the end. Exit code 1 if any failed.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "differential/checks.hpp"
#include "differential/shrink.hpp"
#include "itomap/core/error.hpp"

namespace itomap::differential {
namespace {

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t cases = 0;  // 0: no limit
  double seconds = 0.0;     // 0: no limit
  bool verbose = false;
  bool shrink = false;
};

Options options_from(int count, char** words) {
  Options options;
  for (int k = 1; k < count; ++k) {
    const std::string word = words[k];
    const auto next = [&]() -> std::string {
      if (k + 1 >= count) {
        throw InvalidArgument(word + " needs a number");
      }
      return words[++k];
    };
    if (word == "--seed") {
      options.seed = std::stoull(next());
    } else if (word == "--cases") {
      options.cases = std::stoull(next());
    } else if (word == "--seconds") {
      options.seconds = std::stod(next());
    } else if (word == "--verbose") {
      options.verbose = true;
    } else if (word == "--shrink") {
      options.shrink = true;
    } else {
      throw InvalidArgument(word + " is no option: --seed S, --cases N, --seconds T, --verbose, --shrink");
    }
  }
  if (options.cases == 0 && options.seconds == 0.0) {
    options.cases = 100;
  }
  return options;
}

/// How often what was tried, checked and found.
class Tally {
 public:
  void add(const Problem& problem, const Findings& findings) {
    ++problems_;
    ++methods_[method_name(problem.map.method)];
    ++engines_[std::string(to_string(problem.map.kernel.engine))];
    refused_ += findings.refusal().empty() ? 0 : 1;
    failed_ += findings.none() ? 0 : 1;
    for (const auto& [kind, count] : findings.checks()) {
      checks_[kind] += count;
    }
    for (const auto& [kind, count] : findings.skips()) {
      skips_[kind] += count;
    }
    for (const Finding& finding : findings.all()) {
      ++findings_[finding.kind];
    }
  }

  long failed() const { return failed_; }

  void print(double seconds) const {
    fmt::print("{} runs in {:.0f} s: {} failed, {} refused\n", problems_, seconds, failed_, refused_);
    print("methods", methods_);
    print("engines", engines_);
    print("checks", checks_);
    print("not decidable", skips_);
    print("findings", findings_);
  }

 private:
  using Counts = std::map<std::string, long>;

  static void print(const char* title, const Counts& counts) {
    std::string line = fmt::format("  {}:", title);
    for (const auto& [name, count] : counts) {
      line += fmt::format(" {} {},", name, count);
    }
    line.back() = '\n';
    fmt::print("{}", line);
  }

  long problems_ = 0;
  long refused_ = 0;
  long failed_ = 0;
  Counts methods_, engines_, checks_, skips_, findings_;
};

void print_points(const Problem& problem) {
  const MapDefinition& map = problem.map;
  for (Index i = 0; i < map.points.rows(); ++i) {
    std::string line = "   ";
    for (const double x : map.points.view().row(i)) {
      line += fmt::format(" {:.17g}", x);
    }
    if (map.log_target.size() > 0) {
      line += fmt::format("  log pi {:.17g}", map.log_target[i]);
    }
    if (map.drift.size() > 0) {
      line += "  drift";
      for (const double b : map.drift.row(i)) {
        line += fmt::format(" {:.17g}", b);
      }
    }
    fmt::print("{}\n", line);
  }
}

void report(const Problem& problem, const Findings& findings, bool all) {
  const auto& list = findings.all();
  fmt::print("seed {}: {}: {}{} [{}]\n", problem.seed, list[0].kind, list[0].text,
             list.size() > 1 ? fmt::format(" and {} more", list.size() - 1) : "", describe(problem));
  for (std::size_t k = 1; all && k < list.size(); ++k) {
    fmt::print("  {}: {}\n", list[k].kind, list[k].text);
  }
  std::fflush(stdout);
}

void run_one(std::uint64_t seed, const Options& options, Tally& tally) {
  const Problem problem = random_problem(seed);
  if (options.verbose) {
    fmt::print("seed {}: {}\n", seed, describe(problem));
    std::fflush(stdout);
  }
  const Findings findings = check(problem);
  tally.add(problem, findings);
  if (options.verbose && !findings.refusal().empty()) {
    fmt::print("  refused: {}\n", findings.refusal());
  }
  if (findings.none()) {
    return;
  }
  report(problem, findings, options.verbose);
  if (options.shrink) {
    const Problem small = shrunk(problem, findings);
    fmt::print("shrunk to\n");
    report(small, check(small), true);
    if (small.map.points.rows() <= 40) {
      print_points(small);
    }
  }
}

int run(const Options& options) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  Tally tally;
  for (std::uint64_t k = 0; options.cases == 0 || k < options.cases; ++k) {
    if (options.seconds > 0.0 && elapsed() > options.seconds) {
      break;
    }
    run_one(options.seed + k, options, tally);
  }
  tally.print(elapsed());
  return tally.failed() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace itomap::differential

int main(int count, char** words) {
  try {
    return itomap::differential::run(itomap::differential::options_from(count, words));
  } catch (const std::exception& error) {
    std::cerr << "differential: " << error.what() << "\n";
    return 2;
  }
}
