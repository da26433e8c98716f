// The only file that sees CLI11: it is a heavy header, and nothing else needs to know who splits the words.
#include "arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "itomap/core/error.hpp"
#include "suggest.hpp"

namespace itomap::cli {
namespace {

std::string dashed(const Option& option) {
  return option.positional ? std::string(option.placeholder) : fmt::format("--{}", option.name);
}

const Option* find_option(std::span<const Option> options, std::string_view word) {
  const auto it = std::ranges::find_if(options, [&](const Option& option) { return dashed(option) == word; });
  return it == options.end() ? nullptr : &*it;
}

bool names_a_file(const Option& option) {
  return option.required && (option.placeholder.starts_with("FILE") || option.placeholder == "DIR");
}

[[noreturn]] void refuse_stray(std::string_view command, std::span<const Option> options, std::string_view word) {
  const auto it = std::ranges::find_if(options, &Option::positional);
  if (it != options.end()) {
    throw InvalidArgument(fmt::format("{} takes one {}, but found '{}' as well; see itomap {} --help", command,
                                      it->placeholder, word, command));
  }
  const auto file = std::ranges::find_if(options, names_a_file);
  const auto remedy = file == options.end() ? fmt::format("leave it out, or see itomap {} --help", command)
                                            : fmt::format("files are given as {} {}", dashed(*file), word);
  throw InvalidArgument(fmt::format("{} takes options only, but found '{}'; {}", command, word, remedy));
}

[[noreturn]] void refuse_unknown(std::string_view command, std::span<const Option> options, std::string_view word) {
  if (!word.starts_with('-')) {
    refuse_stray(command, options, word);
  }
  std::vector<std::string> names{"--help"};
  for (const auto& option : options) {
    if (!option.positional) {
      names.push_back(dashed(option));
    }
  }
  const auto name = word.substr(0, word.find('='));
  throw InvalidArgument(fmt::format("{} has no option {}; {}", command, name,
                                    suggestion(name, names, fmt::format("see itomap {} --help", command))));
}

void parse_value(const Option& option, const CLI::Option& found) {
  if (found.results().size() > 1) {
    throw InvalidArgument(fmt::format("{} is given {} times; keep one", dashed(option), found.results().size()));
  }
  try {
    option.binding.parse(found.results().front());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{} {}: {}", dashed(option), found.results().front(), error.what()));
  }
}

std::vector<CLI::Option*> declare(CLI::App& app, std::span<const Option> options) {
  std::vector<CLI::Option*> declared;
  for (const auto& option : options) {
    CLI::Option* added = option.is_flag() ? app.add_flag(dashed(option)) : app.add_option(dashed(option));
    if (!option.is_flag()) {
      added->type_size(1)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    declared.push_back(added);
  }
  return declared;
}

[[noreturn]] void refuse_missing_value(const Option& option) {
  throw InvalidArgument(fmt::format("{0} needs a value: {0} {1}", dashed(option), option.placeholder));
}

// An option takes the next word whatever it is (`--alpha -.5` is legal); an option there means that a value was left
// out.
void check_values_present(std::span<const Option> options, const std::vector<CLI::Option*>& found) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const auto& value : found[i]->results()) {
      if (value.starts_with("--")) {
        refuse_missing_value(options[i]);
      }
    }
  }
}

// The only thing left to complain about for CLI11 itself: `--epsilon` as the last word, or `--epsilon=` anywhere.
void parse_words(CLI::App& app, std::span<const Option> options, const std::vector<std::string>& words) {
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    for (const auto& word : words) {
      const Option* option = find_option(options, word.substr(0, word.find('=')));
      if (option && (&word == &words.back() || word.ends_with('='))) {
        refuse_missing_value(*option);
      }
    }
    throw InvalidArgument(error.what());
  }
}

/// A required option, or one of those in its stead, but no two of them.
void check_given(std::string_view command, std::span<const Option> options, const std::vector<CLI::Option*>& found,
                 std::size_t required) {
  std::vector<std::string> names;
  std::size_t given = 0;
  const auto consider = [&](std::size_t k) {
    names.push_back(fmt::format("{} {}", dashed(options[k]), options[k].placeholder));
    given += found[k]->count() > 0 ? 1 : 0;
  };
  consider(required);
  for (const std::string_view other : options[required].or_else) {
    for (std::size_t k = 0; k < options.size(); ++k) {
      if (options[k].name == other) {
        consider(k);
      }
    }
  }
  const auto last = names.back();
  names.pop_back();
  const auto all = names.empty() ? last : fmt::format("{} or {}", fmt::join(names, ", "), last);
  if (given > 1) {
    throw InvalidArgument(
        fmt::format("{} takes {}, not {}", command, all, names.size() == 1 ? "both; leave one out" : "two of them"));
  }
  if (given == 0) {
    throw InvalidArgument(fmt::format("{} needs {}; see itomap {} --help", command, all, command));
  }
}

}  // namespace

void parse_arguments(std::string_view command, std::span<const Option> options, const std::vector<std::string>& words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  const auto found = declare(app, options);
  parse_words(app, options, words);
  check_values_present(options, found);
  const auto unknown = app.remaining();
  if (!unknown.empty()) {
    refuse_unknown(command, options, unknown.front());
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (found[i]->count() > 0) {
      parse_value(options[i], *found[i]);
    }
    if (options[i].required) {
      check_given(command, options, found, i);
    }
  }
}

}  // namespace itomap::cli
