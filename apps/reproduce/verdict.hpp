// What a run of an example is judged by: the paper's figure, ours, the reference, what is required, and whether it is
// met. A figure that is missed is a row like any other.
//
// A constant that is moved until the figure passes makes a verdict worthless. So every row says how its constants were
// chosen: by a rule of the program, on other random numbers or another part of the data than those that are judged, or
// by the paper.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace itomap::reproduce {

struct Verdict {
  std::string example;   // "large-time-step"
  std::string quantity;  // "t_1, TMDmap (median of 5 seeds)"
  std::optional<double> paper{};
  std::optional<double> itomap{};
  std::optional<double> reference{};
  std::string required{};      // "within 12 % of the reference"; empty where nothing is asked
  std::optional<bool> pass{};  // unset where nothing is asked
  std::string chosen{};        // how its constants were chosen, "auto on seed 1001"; empty where it has none
  std::string note{};          // a remark at the end of the line, "half of the seeds within 3.4 to 3.7"; mostly empty
};

/// Seeds of the samples that constants are chosen on: from here on. Those that are judged are below.
constexpr std::uint64_t choosing_seed = 1001;

/// The table for people: one line per verdict, grouped by example, how many are met, and which are not.
std::string verdict_table(std::span<const Verdict> verdicts);

/// The content of verdict.json: a list of objects, missing numbers as null; "note" where there is one.
std::string verdict_json(std::span<const Verdict> verdicts);

}  // namespace itomap::reproduce
