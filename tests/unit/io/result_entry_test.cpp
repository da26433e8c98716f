#include "io/result_entry.hpp"

#include "io_test.hpp"

namespace itomap::test {
namespace {

using detail::ResultEntry;

class ResultEntryTest : public IoTest {
 protected:
  ResultEntry result(const std::string& content) const {
    write("result.json", content);
    return ResultEntry::whole(directory_.string());
  }

  std::string refusal(const std::string& what) const {
    return path("result.json") + ": " + what +
           "; give a directory that itomap dmap, tmd or lkd wrote, as it was written";
  }
};

TEST_F(ResultEntryTest, HoldsWhatWasWritten) {
  const ResultEntry entry =
      result(R"(  {"a": {"b": 2.5}, "n": 3, "yes": true, "name": "x", "list": [1, null], "none": null})");
  EXPECT_EQ(entry.at("a").at("b").positive(), 2.5);
  EXPECT_EQ(entry.at("n").count(3, 3), 3);
  EXPECT_TRUE(entry.at("yes").flag());
  EXPECT_EQ(entry.at("name").text(), "x");
  EXPECT_EQ(entry.at("list").list(2)[0].number_or(-7.0), 1.0);
  EXPECT_EQ(entry.at("list").list(2)[1].number_or(-7.0), -7.0);
  EXPECT_FALSE(entry.find("none"));
  EXPECT_FALSE(entry.find("nowhere"));
}

TEST_F(ResultEntryTest, EntriesOutliveTheWhole) {
  const ResultEntry part = result(R"({"a": {"b": "text"}})").at("a");
  EXPECT_EQ(part.at("b").text(), "text");
}

TEST_F(ResultEntryTest, SaysWhatIsMissingOrWrong) {
  const ResultEntry entry = result(R"({"a": {"b": "x"}, "n": 2.5, "list": [1, "x"], "zero": 0})");
  EXPECT_EQ(error_of([&] { entry.at("c"); }), refusal("'c' is missing"));
  EXPECT_EQ(error_of([&] { entry.at("a").at("c"); }), refusal("'a.c' is missing"));
  EXPECT_EQ(error_of([&] { entry.at("n").at("c"); }), refusal("'n' is not an object"));
  EXPECT_EQ(error_of([&] { entry.at("a").at("b").number(); }), refusal("'a.b' is not a number"));
  EXPECT_EQ(error_of([&] { entry.at("zero").positive(); }), refusal("'zero' is not a number > 0"));
  EXPECT_EQ(error_of([&] { entry.at("n").count(0, 9); }), refusal("'n' is not a whole number from 0 to 9"));
  EXPECT_EQ(error_of([&] { entry.at("zero").count(1, 9); }), refusal("'zero' is not a whole number from 1 to 9"));
  EXPECT_EQ(error_of([&] { entry.at("n").flag(); }), refusal("'n' is neither true nor false"));
  EXPECT_EQ(error_of([&] { entry.at("n").text(); }), refusal("'n' is not text"));
  EXPECT_EQ(error_of([&] { entry.at("n").list(); }), refusal("'n' is not a list"));
  EXPECT_EQ(error_of([&] { entry.at("list").list(3); }), refusal("'list' has 2 entries, not 3"));
  EXPECT_EQ(error_of([&] { entry.at("list").list()[1].number(); }), refusal("'list[1]' is not a number"));
}

TEST_F(ResultEntryTest, WholeNumbersBeyondAllBoundsAreNone) {
  for (const char* number : {"18446744073709551615", "9223372036854775808", "-9223372036854775809", "1e3"}) {
    const ResultEntry entry = result(std::string(R"({"n": )") + number + "}");
    EXPECT_NE(error_of([&] { entry.at("n").count(0, std::numeric_limits<Index>::max()); }).find("'n' is not"),
              std::string::npos);
  }
}

TEST_F(ResultEntryTest, RefusesWhatIsNoObject) {
  for (const char* content : {"", "[]", "{", "null", "3", "\"{}\"", "{} {}", "{\"a\": nan}"}) {
    EXPECT_EQ(error_of([&] { result(content); }), refusal("is not a JSON object")) << content;
  }
  EXPECT_NE(error_of([&] { ResultEntry::whole(path("nowhere")); }).find("result.json is missing"), std::string::npos);
}

}  // namespace
}  // namespace itomap::test
