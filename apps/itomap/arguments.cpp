// The only file that sees CLI11: it is a heavy header, and nothing else needs to know who splits the words.
#include "arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "itomap/core/error.hpp"
#include "suggest.hpp"

namespace itomap::cli {
namespace {

std::string dashed(const Option& option) { return fmt::format("--{}", option.name); }

const Option* find_option(std::span<const Option> options, std::string_view word) {
  const auto it = std::ranges::find_if(options, [&](const Option& option) { return dashed(option) == word; });
  return it == options.end() ? nullptr : &*it;
}

bool looks_like_number(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && (std::isdigit(static_cast<unsigned char>(word[1])) || word[1] == '.');
}

// `--alpha -.5` would read as a bundle of short options; `--alpha=-.5` cannot be mistaken.
std::vector<std::string> join_negative_numbers(std::span<const Option> options, const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (const auto& word : words) {
    const Option* previous = joined.empty() ? nullptr : find_option(options, joined.back());
    if (previous && !previous->is_flag() && looks_like_number(word))
      joined.back() += "=" + word;
    else
      joined.push_back(word);
  }
  return joined;
}

[[noreturn]] void refuse_unknown(std::string_view command, std::span<const Option> options, std::string_view word) {
  if (!word.starts_with('-'))
    throw InvalidArgument(
        fmt::format("{} takes options only, but found '{}'; files are given as --points {}", command, word, word));
  std::vector<std::string> names{"--help"};
  for (const auto& option : options) names.push_back(dashed(option));
  const auto name = word.substr(0, word.find('='));
  throw InvalidArgument(fmt::format("{} has no option {}; {}", command, name,
                                    suggestion(name, names, fmt::format("see itomap {} --help", command))));
}

void parse_value(const Option& option, const CLI::Option& found) {
  if (found.results().size() > 1)
    throw InvalidArgument(fmt::format("{} is given {} times; keep one", dashed(option), found.results().size()));
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
    if (!option.is_flag()) added->type_size(1)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    declared.push_back(added);
  }
  return declared;
}

// CLI11 says which option in its own words; ours name the value that is missing.
[[noreturn]] void refuse_missing_value(std::span<const Option> options, const std::vector<std::string>& words,
                                       const std::string& fallback) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Option* option = find_option(options, words[i]);
    const bool valueless = i + 1 == words.size() || words[i + 1].starts_with("--");
    if (option && !option->is_flag() && valueless)
      throw InvalidArgument(fmt::format("{} needs a value: {} {}", words[i], words[i], option->placeholder));
  }
  throw InvalidArgument(fallback);
}

}  // namespace

void parse_arguments(std::string_view command, std::span<const Option> options, std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  const auto declared = declare(app, options);
  words = join_negative_numbers(options, words);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    refuse_missing_value(options, words, error.what());
  }
  const auto unknown = app.remaining();
  if (!unknown.empty()) refuse_unknown(command, options, unknown.front());
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (declared[i]->count() > 0) parse_value(options[i], *declared[i]);
    if (declared[i]->count() == 0 && options[i].required)
      throw InvalidArgument(fmt::format("{} needs {} {}; see itomap {} --help", command, dashed(options[i]),
                                        options[i].placeholder, command));
  }
}

}  // namespace itomap::cli
