#include "result_command.hpp"

#include "itomap/io/added_files.hpp"
#include "itomap/io/output_directory.hpp"
#include "parameters.hpp"
#include "progress_display.hpp"
#include "signals.hpp"
#include "stopwatch.hpp"
#include "world.hpp"

namespace itomap::cli {
namespace {

template <class Output, class Write>
void write_and_commit(Output& out, const Write& write) {
  write([&](const std::string& name) { return out.path(name); });
  stop_if_signalled();
  out.commit();
}

}  // namespace

Result ResultCommand::load(const Progress& progress) {
  const Stopwatch timer(load_seconds_);
  return itomap::load(settings_.result, share_of_machine(settings_.execution(progress)));
}

void ResultCommand::run() {
  if (!world().first() && !has_shares()) {
    return;
  }
  check_options();
  parameters_ = parameters_json(options());
  const DeferSignals deferred;
  std::optional<OutputDirectory> out;
  if (!settings_.out.empty() && world().first()) {
    out.emplace(settings_.out, settings_.force);
  }
  {
    ProgressDisplay display(!settings_.quiet && world().first());
    const Watchdog watchdog([&] {
      out.reset();
      display.erase();
    });
    compute(display.callback());
  }
  stop_if_signalled();
  if (!world().first()) {
    return;
  }
  const auto write_files = [&](const PathOf& path) { write(path); };
  if (out) {
    write_and_commit(*out, write_files);
  } else if (joins_result()) {
    AddedFiles added(settings_.result);
    write_and_commit(added, write_files);
  }
  show();
}

}  // namespace itomap::cli
