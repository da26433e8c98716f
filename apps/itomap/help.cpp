#include "help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "itomap/core/version.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

constexpr std::size_t option_column = 27;

std::size_t text_width() { return std::clamp<std::size_t>(columns(stdout, 100), 60, 100); }

std::string_view title(Group group) {
  switch (group) {
    case Group::Input:
      return "Input";
    case Group::Method:
      return "Method";
    case Group::Computation:
      return "Computation";
    case Group::Output:
      return "Output";
  }
  return "";
}

// The value an option has before anything is parsed is its default: it cannot go stale.
std::string default_text(const Option& option) {
  if (option.required) {
    return option.or_else.empty() ? " (required)"
                                  : fmt::format(" (required, or --{})", fmt::join(option.or_else, " or --"));
  }
  const Value value = option.binding.value();
  if (const auto* x = std::get_if<double>(&value)) {
    return fmt::format(" [{:g}]", *x);
  }
  if (const auto* n = std::get_if<std::uint64_t>(&value)) {
    return fmt::format(" [{}]", *n);
  }
  if (const auto* s = std::get_if<std::string>(&value)) {
    return fmt::format(" [{}]", *s);
  }
  return "";
}

std::string option_help(const Option& option, const Style& style) {
  const auto name = option.positional ? std::string(option.placeholder) : fmt::format("--{}", option.name);
  const bool bare = option.is_flag() || option.positional;
  const auto plain = bare ? name : fmt::format("{} {}", name, option.placeholder);
  const auto shown = bare ? style.bold(name) : fmt::format("{} {}", style.bold(name), option.placeholder);
  const auto help = std::string(option.help) + default_text(option);
  // A name that leaves no gap before the help gets a line of its own.
  const bool fits = plain.size() + 4 <= option_column;
  const auto gap = fits ? std::string(option_column - plain.size() - 2, ' ') : "\n" + std::string(option_column, ' ');
  return fmt::format("  {}{}{}\n", shown, gap, wrapped(help, option_column, text_width()));
}

std::string group_help(Group group, std::span<const Option> options, const Style& style) {
  std::string text;
  for (const auto& option : options) {
    if (option.group == group) {
      text += option_help(option, style);
    }
  }
  return text.empty() ? text : fmt::format("\n{}\n{}", style.bold(title(group)), text);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Lines that start with a blank (formulas) stay as they are, the others flow into paragraphs.
std::string paragraphs(std::string_view text) {
  std::string result, flow;
  const auto flush = [&] {
    if (!flow.empty()) {
      result += "  " + wrapped(flow, 2, text_width()) + "\n";
    }
    flow.clear();
  };
  for (const auto line : lines_of(text)) {
    const bool verbatim = line.empty() || line.starts_with(' ');
    if (verbatim) {
      flush();
    }
    if (verbatim) {
      result += fmt::format("{}\n", line);
    } else {
      flow += fmt::format("{}{}", flow.empty() ? "" : " ", line);
    }
  }
  flush();
  return result;
}

std::string indented(std::string_view text) {
  std::string result;
  for (const auto line : lines_of(text)) {
    result += fmt::format("  {}\n", line);
  }
  return result;
}

}  // namespace

std::string overview(std::span<const std::unique_ptr<Command>> commands) {
  const Style style(stdout);
  auto text = fmt::format("{} {}: generators of Itô diffusions from point clouds\n\n", style.bold("itomap"), version());
  text += fmt::format("{}\n  itomap COMMAND [options]\n\n{}\n", style.bold("Usage"), style.bold("Commands"));
  for (const auto& command : commands) {
    text += fmt::format("  {}{}{}\n", style.bold(command->text().name),
                        std::string(11 - command->text().name.size(), ' '), command->text().summary);
  }
  text += fmt::format(
      "\n{}\n  itomap COMMAND --help   what it computes, all options, examples to paste\n"
      "  itomap --version        the version\n\n"
      "Files are .npy, .npz (data.npz:key), .csv/.tsv/.txt or HDF5 (data.h5:/path).\n"
      "The kernel is exp(-r^2 / 4 epsilon) everywhere.\n",
      style.bold("More"));
  return text;
}

std::string command_help(Command& command) {
  const Style style(stdout);
  const auto& about = command.text();
  const auto options = command.options();
  auto text = fmt::format("{} - {}\n\n{}", style.bold(fmt::format("itomap {}", about.name)), about.summary,
                          paragraphs(about.description));
  text += fmt::format("\n{}\n  itomap {} {}\n", style.bold("Usage"), about.name, about.usage);
  for (const Group group : {Group::Input, Group::Method, Group::Computation, Group::Output}) {
    text += group_help(group, options, style);
  }
  text += fmt::format("\n{}\n{}", style.bold("Examples"), indented(about.examples));
  return text;
}

}  // namespace itomap::cli
