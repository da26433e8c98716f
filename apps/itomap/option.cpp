#include "option.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "itomap/core/error.hpp"

namespace itomap::cli {
namespace {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  Number number{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = status == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

bool in_range(double x, Real range) {
  if (!std::isfinite(x)) {
    return false;
  }
  if (range == Real::Positive) {
    return x > 0;
  }
  if (range == Real::NonNegative) {
    return x >= 0;
  }
  return range == Real::Any || (x > 0 && x < 1);
}

std::string_view range_text(Real range) {
  if (range == Real::Positive) {
    return "a number > 0";
  }
  if (range == Real::NonNegative) {
    return "a number >= 0";
  }
  return range == Real::Any ? "a number" : "a number between 0 and 1, both excluded";
}

double checked_real(const std::string& text, Real range) {
  const auto x = parse_real(text);
  if (!x || !in_range(*x, range)) {
    throw InvalidArgument(fmt::format("it must be {}", range_text(range)));
  }
  return *x;
}

std::uint64_t checked_count(const std::string& text, std::uint64_t least, std::uint64_t most) {
  const auto n = parse_number<std::uint64_t>(text);
  if (!n || *n < least || *n > most) {
    throw InvalidArgument(fmt::format("it must be a whole number from {} to {}", least, most));
  }
  return *n;
}

// SI and binary prefixes; a bare letter is SI, the smaller of its two readings, because the option is a limit.
double unit_factor(std::string_view unit) {
  static constexpr std::string_view prefixes = "kmgt";
  std::string lower;
  for (const char c : unit) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (lower.empty() || lower == "b") {
    return 1;
  }
  const auto power = prefixes.find(lower[0]);
  const auto rest = std::string_view(lower).substr(1);
  if (power == std::string_view::npos || !(rest.empty() || rest == "b" || rest == "i" || rest == "ib")) {
    return 0;
  }
  return std::pow(rest.starts_with('i') ? 1024.0 : 1000.0, static_cast<double>(power + 1));
}

std::size_t parse_bytes(const std::string& text) {
  const auto split = text.find_last_of("0123456789.") + 1;
  const auto amount = parse_real(std::string_view(text).substr(0, split));
  const double size = amount.value_or(0) * unit_factor(std::string_view(text).substr(split));
  if (!(size >= 1 && size < 9e18)) {
    throw InvalidArgument("it must be a size like 500M, 4G, 1.5GiB or plain bytes");
  }
  return static_cast<std::size_t>(size);
}

std::vector<double> parse_lengths(const std::string& text) {
  std::vector<double> values;
  for (const auto& part : split_at_commas(text)) {
    const auto x = parse_real(part);
    if (!x || !in_range(*x, Real::NonNegative)) {
      throw InvalidArgument("it must be numbers >= 0 with commas between them, one per coordinate (0: not periodic)");
    }
    values.push_back(*x);
  }
  return values;
}

std::vector<Index> parse_indices(const std::string& text) {
  std::vector<Index> values;
  for (const auto& part : split_at_commas(text)) {
    const auto n = parse_number<std::uint32_t>(part);
    if (!n) {
      throw InvalidArgument("it must be whole numbers with commas between them, like 1,2,4");
    }
    values.push_back(static_cast<Index>(*n));
  }
  return values;
}

/// A choice among names that `parse` knows and throws InvalidArgument for others.
template <class Choice>
Binding choice(Choice& target, Choice (*parse)(std::string_view), const char* names) {
  return {[&target, parse, names](const std::string& text) {
            try {
              target = parse(text);
            } catch (const InvalidArgument&) {
              throw InvalidArgument(fmt::format("it must be {}", names));
            }
          },
          [&target] { return Value(std::string(to_string(target))); }};
}

}  // namespace

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<double> parse_real(std::string_view text) { return parse_number<double>(text); }

Binding flag(bool& target) {
  return {[&](const std::string& text) {
            if (text != "true") {
              throw InvalidArgument("it takes no value");
            }
            target = true;
          },
          [&] { return Value(target); }};
}

Binding text(std::string& target) {
  return {[&](const std::string& text) {
            if (text.empty()) {
              throw InvalidArgument("it must not be empty");
            }
            target = text;
          },
          [&] { return target.empty() ? Value() : Value(target); }};
}

Binding real(double& target, Real range) {
  return {[&target, range](const std::string& text) { target = checked_real(text, range); },
          [&target] { return Value(target); }};
}

Binding real(std::optional<double>& target, Real range) {
  return {[&target, range](const std::string& text) { target = checked_real(text, range); },
          [&target] { return target ? Value(*target) : Value(); }};
}

Binding scale(Scale& target) {
  return {[&](const std::string& text) {
            const auto x = parse_real(text);
            if (text != "auto" && text != "steepest" && !(x && in_range(*x, Real::Positive))) {
              throw InvalidArgument("it must be a number > 0, auto or steepest");
            }
            target = Scale::from_text(text);
          },
          [&] { return target.is_value() ? Value(target.value()) : Value(target.text()); }};
}

Binding count(std::uint64_t& target, std::uint64_t least, std::uint64_t most) {
  return {[&target, least, most](const std::string& text) { target = checked_count(text, least, most); },
          [&target] { return Value(target); }};
}

Binding count(std::optional<std::uint64_t>& target, std::uint64_t least, std::uint64_t most) {
  return {[&target, least, most](const std::string& text) { target = checked_count(text, least, most); },
          [&target] { return target ? Value(*target) : Value(); }};
}

Binding count_or_auto(Index& target, std::uint64_t most) {
  return {[&target, most](const std::string& text) {
            const auto n = parse_number<std::uint64_t>(text);
            if (text != "auto" && !(n && *n >= 1 && *n <= most)) {
              throw InvalidArgument(fmt::format("it must be a whole number from 1 to {}, or auto", most));
            }
            target = text == "auto" ? 0 : static_cast<Index>(*n);
          },
          [&target] { return target == 0 ? Value(std::string("auto")) : Value(static_cast<std::uint64_t>(target)); }};
}

Binding engine(Engine& target) { return choice(target, engine_from_string, "auto, sparse, grid, dense or landmarks"); }
Binding normalization(Normalization& target) {
  return choice(target, normalization_from_string, "paper or bistochastic");
}
Binding step(Step& target) { return choice(target, step_from_string, "euler or heun"); }

Binding bytes(std::optional<std::size_t>& target) {
  return {[&](const std::string& text) { target = parse_bytes(text); },
          [&] { return target ? Value(std::uint64_t{*target}) : Value(); }};
}

Binding lengths(std::vector<double>& target) {
  return {[&](const std::string& text) { target = parse_lengths(text); },
          [&] { return target.empty() ? Value() : Value(target); }};
}

Binding indices(std::vector<Index>& target) {
  return {[&](const std::string& text) { target = parse_indices(text); },
          [&] { return target.empty() ? Value() : Value(std::vector<double>(target.begin(), target.end())); }};
}

}  // namespace itomap::cli
