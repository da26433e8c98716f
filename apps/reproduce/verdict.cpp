#include "reproduce/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace itomap::reproduce {
namespace {

using Json = nlohmann::ordered_json;

std::string number_text(std::optional<double> value) { return value ? fmt::format("{:.4g}", *value) : "-"; }

std::string_view pass_text(const Verdict& verdict) {
  if (!verdict.pass) {
    return "";
  }
  return *verdict.pass ? "met" : "MISSED";
}

std::size_t longest_quantity(std::span<const Verdict> verdicts) {
  std::size_t longest = 0;
  for (const auto& verdict : verdicts) {
    longest = std::max(longest, verdict.quantity.size());
  }
  return longest;
}

std::string row(const Verdict& verdict, std::size_t width) {
  const auto pass = pass_text(verdict);
  auto text = fmt::format("  {:<{}} {:>9} {:>9} {:>9}  ", verdict.quantity, width, number_text(verdict.paper),
                          number_text(verdict.itomap), number_text(verdict.reference));
  text += fmt::format("{:<7}", pass);
  const auto* gap = verdict.required.empty() || verdict.note.empty() ? "" : "; ";
  text += verdict.required + gap + verdict.note;
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string totals(std::span<const Verdict> verdicts) {
  const auto asked = std::ranges::count_if(verdicts, [](const Verdict& v) { return v.pass.has_value(); });
  const auto met = std::ranges::count_if(verdicts, [](const Verdict& v) { return v.pass.value_or(false); });
  return fmt::format("{} of {} requirements met\n", met, asked);
}

Json optional_number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json object(const Verdict& v) {
  Json json{{"example", v.example},
            {"quantity", v.quantity},
            {"paper", optional_number(v.paper)},
            {"itomap", optional_number(v.itomap)},
            {"reference", optional_number(v.reference)},
            {"required", v.required.empty() ? Json(nullptr) : Json(v.required)},
            {"pass", v.pass ? Json(*v.pass) : Json(nullptr)}};
  if (!v.note.empty()) {
    json["note"] = v.note;
  }
  return json;
}

}  // namespace

std::string verdict_table(std::span<const Verdict> verdicts) {
  const auto width = longest_quantity(verdicts);
  std::string text;
  std::string_view example;
  for (const auto& verdict : verdicts) {
    if (verdict.example != example) {
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n",
                          fmt::format("{:<{}} {:>9} {:>9} {:>9}  required", verdict.example, width + 2, "paper",
                                      "itomap", "reference"));
    }
    example = verdict.example;
    text += row(verdict, width);
  }
  return text + "\n" + totals(verdicts);
}

std::string verdict_json(std::span<const Verdict> verdicts) {
  auto list = Json::array();
  for (const auto& verdict : verdicts) {
    list.push_back(object(verdict));
  }
  return list.dump(2) + "\n";
}

}  // namespace itomap::reproduce
