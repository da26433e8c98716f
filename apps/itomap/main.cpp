// itomap COMMAND [options]: finds the command, lets it run, turns what went wrong into one line and an exit code.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "command.hpp"
#include "help.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "shell.hpp"
#include "signals.hpp"
#include "suggest.hpp"
#include "terminal.hpp"
#include "world.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace itomap::cli {
namespace {

using Commands = std::vector<std::unique_ptr<Command>>;

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h"; }

Command& find_command(const Commands& commands, const std::string& name) {
  std::vector<std::string> names{"--help", "--version"};
  for (const auto& command : commands) {
    if (command->text().name == name) {
      return *command;
    }
    names.emplace_back(command->text().name);
  }
  throw InvalidArgument(
      fmt::format("unknown command '{}'; {}", name, suggestion(name, names, "run itomap alone for the list")));
}

void run_command(Command& command, const std::vector<std::string>& words) {
  // What is not shared by several processes is done by the first alone.
  if (!world().first() && (!command.shares_work() || std::ranges::any_of(words, asks_for_help))) {
    return;
  }
  if (std::ranges::any_of(words, asks_for_help)) {
    return print(command_help(command));
  }
  const auto options = command.options();
  parse_arguments(command.text().name, options, words);
  command.command_line = shell_command(command.text().name, words);
  command.run();
}

void refuse_more_than(std::size_t most, const std::vector<std::string>& words) {
  if (words.size() > most) {
    throw InvalidArgument(fmt::format("'{}' after {} has no meaning; leave it out", words[most], words[0]));
  }
}

void run(std::vector<std::string> words) {
  const auto commands = all_commands();
  if ((words.empty() || words[0].starts_with("-") || words[0] == "help") && !world().first()) {
    return;
  }
  if (words.empty()) {
    return print(overview(commands));
  }
  if (words[0] == "help" || asks_for_help(words[0])) {
    refuse_more_than(2, words);
    if (words.size() == 1) {
      return print(overview(commands));
    }
    words = {words[1], "--help"};
  }
  if (words[0] == "--version") {
    refuse_more_than(1, words);
    return print(fmt::format("itomap {}\n", version()));
  }
  run_command(find_command(commands, words[0]), {words.begin() + 1, words.end()});
}

int fail(int code, const std::string& message) {
  if (!world().first()) {
    // What is wrong for all of us, the first says.
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  print_error(message);
  if (world().size() > 1) {
    end_world(code);
  }
  return code;
}

int run_guarded(const std::vector<std::string>& words) {
  try {
    run(words);
    return 0;
  } catch (const Cancelled&) {
    return report_stopped();
  } catch (const InvalidArgument& error) {
    return fail(2, error.what());
  } catch (const OutputExists& error) {
    return fail(2, fmt::format("{}: --force", error.what()));
  } catch (const IoError& error) {
    return fail(2, error.what());
  } catch (const std::bad_alloc&) {
    return fail(1, "out of memory; set --memory below what is free, or use --engine dense");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}

/// Blocks of vectors come and go by the hundred. Given back to the system each time, their pages would have to be
/// cleared anew: a tenth of all time at a million points.
void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace
}  // namespace itomap::cli

int main(int argc, char** argv) {
  itomap::cli::occupy_standard_streams();
  itomap::cli::keep_freed_memory();
  itomap::cli::install_signal_handlers();
  return itomap::cli::run_in_world([&] { return itomap::cli::run_guarded({argv + 1, argv + argc}); });
}
