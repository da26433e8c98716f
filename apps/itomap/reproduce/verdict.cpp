#include "reproduce/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/json.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

std::string number_text(std::optional<double> value) { return value ? fmt::format("{:.4g}", *value) : "-"; }

std::string_view pass_text(const Verdict& verdict) {
  if (!verdict.pass) return "";
  return *verdict.pass ? "met" : "MISSED";
}

std::size_t longest_quantity(std::span<const Verdict> verdicts) {
  std::size_t longest = 0;
  for (const auto& verdict : verdicts) longest = std::max(longest, verdict.quantity.size());
  return longest;
}

std::string row(const Verdict& verdict, std::size_t width) {
  const Style style(stdout);
  const auto pass = pass_text(verdict);
  auto text = fmt::format("  {:<{}} {:>9} {:>9} {:>9}  ", verdict.quantity, width, number_text(verdict.paper),
                          number_text(verdict.itomap), number_text(verdict.reference));
  text += pass == "MISSED" ? style.fail(fmt::format("{:<7}", pass)) : fmt::format("{:<7}", pass);
  const auto* gap = verdict.required.empty() || verdict.note.empty() ? "" : "; ";
  text += style.dim(verdict.required + gap + verdict.note);
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string totals(std::span<const Verdict> verdicts) {
  const auto asked = std::ranges::count_if(verdicts, [](const Verdict& v) { return v.pass.has_value(); });
  const auto met = std::ranges::count_if(verdicts, [](const Verdict& v) { return v.pass.value_or(false); });
  return Style(stdout).bold(fmt::format("{} of {} requirements met", met, asked)) + "\n";
}

detail::Json optional_number(std::optional<double> value) {
  return value ? detail::number(*value) : detail::Json(nullptr);
}

detail::Json object(const Verdict& v) {
  detail::Json json{{"example", v.example},
                    {"quantity", v.quantity},
                    {"paper", optional_number(v.paper)},
                    {"itomap", optional_number(v.itomap)},
                    {"reference", optional_number(v.reference)},
                    {"required", v.required.empty() ? detail::Json(nullptr) : detail::Json(v.required)},
                    {"pass", v.pass ? detail::Json(*v.pass) : detail::Json(nullptr)}};
  if (!v.note.empty()) json["note"] = v.note;
  return json;
}

}  // namespace

std::string verdict_table(std::span<const Verdict> verdicts) {
  const Style style(stdout);
  const auto width = longest_quantity(verdicts);
  std::string text;
  std::string_view example;
  for (const auto& verdict : verdicts) {
    if (verdict.example != example)
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n",
                          style.bold(fmt::format("{:<{}} {:>9} {:>9} {:>9}  required", verdict.example, width + 2,
                                                 "paper", "itomap", "reference")));
    example = verdict.example;
    text += row(verdict, width);
  }
  return text + "\n" + totals(verdicts);
}

std::string verdict_json(std::span<const Verdict> verdicts) {
  auto list = detail::Json::array();
  for (const auto& verdict : verdicts) list.push_back(object(verdict));
  return detail::json_text(list);
}

}  // namespace itomap::cli
