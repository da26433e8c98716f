// The options of a command as data: the parser, the help, the shell completion and the record in result.json all read
// the same list, so that an option is written down once and none can be forgotten.
//
//   double alpha = 0.5;
//   Option{.name = "alpha", .placeholder = "A", .group = Group::Method, .help = "...", .binding = real(alpha,
//   Real::Any)};
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "itomap/core/scale.hpp"
#include "itomap/core/types.hpp"
#include "itomap/generator/map_definition.hpp"
#include "itomap/kernel/kernel_options.hpp"

namespace itomap::cli {

/// What an option holds now; monostate when it is not set.
using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string, std::vector<double>>;

/// Ties an option to a variable. `parse` throws InvalidArgument that says what is expected; the caller adds the name.
struct Binding {
  std::function<void(const std::string&)> parse;
  std::function<Value()> value;
};

enum class Real { Any, Positive, NonNegative, Fraction };  // Fraction: 0 < x < 1

Binding flag(bool& target);
Binding text(std::string& target);
Binding real(double& target, Real range);
Binding real(std::optional<double>& target, Real range);
constexpr std::uint64_t most_threads = 1024;

Binding scale(Scale& target);
Binding count(std::uint64_t& target, std::uint64_t least, std::uint64_t most);
Binding count(std::optional<std::uint64_t>& target, std::uint64_t least, std::uint64_t most);
/// A count, or auto, which is 0.
Binding count_or_auto(Index& target, std::uint64_t most);
Binding engine(Engine& target);
Binding normalization(Normalization& target);
Binding step(Step& target);
Binding bytes(std::optional<std::size_t>& target);
Binding lengths(std::vector<double>& target);
/// Whole numbers >= 0 with commas between them.
Binding indices(std::vector<Index>& target);

/// "a,b" as a and b; a list has at least one part.
std::vector<std::string> split_at_commas(const std::string& text);

enum class Group { Input, Method, Computation, Output };

struct Option {
  std::string_view name;         // without the dashes
  std::string_view placeholder;  // what stands for the value in the help; empty for a flag
  Group group = Group::Input;
  std::string_view help;
  Binding binding;
  bool required = false;
  bool positional = false;  // a bare word: `itomap COMMAND WORD`, the placeholder stands for it in messages and help
  std::vector<std::string_view> or_else{};  // of a required one: options that may be given in its stead, not beside it

  bool is_flag() const { return placeholder.empty(); }
};

/// The number in `text`, if it is nothing but a number.
std::optional<double> parse_real(std::string_view text);

}  // namespace itomap::cli
