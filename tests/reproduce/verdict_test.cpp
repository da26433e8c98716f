#include "reproduce/verdict.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace itomap::reproduce {
namespace {

std::vector<Verdict> three_rows() {
  return {{.example = "first",
           .quantity = "t_1",
           .itomap = 2.0,
           .reference = 2.1,
           .required = "within 10 %",
           .pass = true,
           .chosen = "auto on seed 1001"},
          {.example = "first",
           .quantity = "t_2",
           .itomap = 9.0,
           .required = "at most 5",
           .pass = false,
           .chosen = "by rule"},
          {.example = "second", .quantity = "length", .itomap = 3.0}};
}

TEST(VerdictTable, SaysBesideEachRowHowItsConstantsWereChosen) {
  const auto text = verdict_table(three_rows());
  const auto line = text.substr(text.find("  t_1"), text.find("  t_2") - text.find("  t_1"));
  EXPECT_NE(line.find("auto on seed 1001"), std::string::npos);
  EXPECT_LT(line.find("auto on seed 1001"), line.find("within 10 %"));
  EXPECT_NE(text.find("constants chosen"), std::string::npos);
}

TEST(VerdictTable, NamesWhatIsMissed) {
  const auto text = verdict_table(three_rows());
  EXPECT_NE(text.find("1 of 2 requirements met\n  not met: first, t_2\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("not met: first, t_1"), std::string::npos);
}

TEST(VerdictJson, HasTheChoiceAndNullWhereThereIsNone) {
  const auto list = nlohmann::json::parse(verdict_json(three_rows()));
  EXPECT_EQ(list[0]["chosen"], "auto on seed 1001");
  EXPECT_EQ(list[1]["pass"], false);
  EXPECT_TRUE(list[2]["chosen"].is_null());
  EXPECT_TRUE(list[2]["pass"].is_null());
}

}  // namespace
}  // namespace itomap::reproduce
