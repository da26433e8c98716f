// What a command of `itomap` is, and the list of all of them.
//
// To add one: write a file NAME.cpp with a class derived from Command (or MapCommand) and a function that makes it,
// name that function below and in commands.cpp, and list the file in CMakeLists.txt. Parsing, help, suggestions,
// completion and the overview follow from options() and text().
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "option.hpp"

namespace itomap::cli {

struct CommandText {
  std::string_view name;
  std::string_view summary;      // one line of the overview
  std::string_view description;  // what it computes, when to use it; one line per paragraph, indented lines as they are
  std::string_view usage;        // after "itomap NAME"
  std::string_view examples;     // lines that can be pasted
};

class Command {
 public:
  virtual ~Command() = default;
  virtual const CommandText& text() const = 0;
  /// Bound to members of this object, which must outlive them.
  virtual std::vector<Option> options() = 0;
  /// Called after the options have been parsed. Throws what itomap/core/error.hpp describes.
  virtual void run() = 0;
  /// Whether several processes run it together.
  virtual bool shares_work() const { return false; }
  /// What was typed, program and command included, as a shell takes it; set before run() is called.
  std::string command_line;
};

std::unique_ptr<Command> make_dmap();
std::unique_ptr<Command> make_tmd();
std::unique_ptr<Command> make_lkd();
std::unique_ptr<Command> make_committor();
std::unique_ptr<Command> make_extend();
std::unique_ptr<Command> make_cluster();
std::unique_ptr<Command> make_average();
std::unique_ptr<Command> make_estimate();
std::unique_ptr<Command> make_info();
std::unique_ptr<Command> make_sample();
std::unique_ptr<Command> make_scale();
std::unique_ptr<Command> make_reproduce();
std::unique_ptr<Command> make_report();

/// All commands, in the order of the overview.
std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace itomap::cli
