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

std::size_t longest(std::span<const Verdict> verdicts, std::string Verdict::*text, std::size_t least) {
  for (const auto& verdict : verdicts) {
    least = std::max(least, (verdict.*text).size());
  }
  return least;
}

struct Widths {
  std::size_t quantity, chosen;
};

std::string row(const Verdict& verdict, const Widths& widths) {
  auto text = fmt::format("  {:<{}} {:>9} {:>9} {:>9}  ", verdict.quantity, widths.quantity, number_text(verdict.paper),
                          number_text(verdict.itomap), number_text(verdict.reference));
  text += fmt::format("{:<7}{:<{}}  ", pass_text(verdict), verdict.chosen, widths.chosen);
  const auto* gap = verdict.required.empty() || verdict.note.empty() ? "" : "; ";
  text += verdict.required + gap + verdict.note;
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string heading(const Verdict& first, const Widths& widths) {
  return fmt::format("{:<{}} {:>9} {:>9} {:>9}         {:<{}}  required\n", first.example, widths.quantity + 2, "paper",
                     "itomap", "reference", "constants chosen", widths.chosen);
}

std::string totals(std::span<const Verdict> verdicts) {
  const auto asked = std::ranges::count_if(verdicts, [](const Verdict& v) { return v.pass.has_value(); });
  const auto met = std::ranges::count_if(verdicts, [](const Verdict& v) { return v.pass.value_or(false); });
  auto text = fmt::format("{} of {} requirements met\n", met, asked);
  for (const auto& verdict : verdicts) {
    if (!verdict.pass.value_or(true)) {
      text += fmt::format("  not met: {}, {}\n", verdict.example, verdict.quantity);
    }
  }
  return text;
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
            {"pass", v.pass ? Json(*v.pass) : Json(nullptr)},
            {"chosen", v.chosen.empty() ? Json(nullptr) : Json(v.chosen)}};
  if (!v.note.empty()) {
    json["note"] = v.note;
  }
  return json;
}

}  // namespace

std::string verdict_table(std::span<const Verdict> verdicts) {
  const Widths widths{longest(verdicts, &Verdict::quantity, 0), longest(verdicts, &Verdict::chosen, 16)};
  std::string text;
  std::string_view example;
  for (const auto& verdict : verdicts) {
    if (verdict.example != example) {
      text += (text.empty() ? "" : "\n") + heading(verdict, widths);
    }
    example = verdict.example;
    text += row(verdict, widths);
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
