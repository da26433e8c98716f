#include "io/csv.hpp"

#include <cmath>

#include "io_test.hpp"

namespace itomap::test {
namespace {

class CsvTest : public IoTest {};

Array parse_as_csv(const std::string& text) { return detail::parse_csv(std::as_bytes(std::span(text)), "a.csv"); }
std::string csv_refusal(const std::string& text) {
  return error_of([&] { parse_as_csv(text); });
}

TEST_F(CsvTest, ReadsEveryExtensionFromAFile) {
  for (const char* name : {"a.csv", "a.TSV", "a.txt"}) {
    const Array array = read_array(write(name, "1 2\n3 4\n5 6\n"));
    EXPECT_EQ(array.shape, (Shape{3, 2}));
    EXPECT_EQ(values_of(array), (Values{1, 2, 3, 4, 5, 6}));
  }
}

TEST_F(CsvTest, RoundTripOfSeventeenDigits) {
  const Values values = {1.0 / 3, -2.0 / 7, 1e-300, 6.02214076e23, 5e-324, 1.7976931348623157e308};
  std::string text;
  for (const double value : values) {
    char line[40];
    std::snprintf(line, sizeof(line), "%.17g\n", value);
    text += line;
  }
  EXPECT_EQ(values_of(parse_as_csv(text)), values);
}

TEST_F(CsvTest, EverySeparator) {
  for (const char* text : {"1,2\n3,4\n", "1;2\n3;4\n", "1\t2\n3\t4\n", "1 2\n3 4\n", "1 , 2\n 3,\t4 \n",
                           "  1   2\n3 \t 4  ", "1\t 2\t\n\t3\t4\n"}) {
    EXPECT_EQ(parse_as_csv(text).shape, (Shape{2, 2})) << text;
    EXPECT_EQ(values_of(parse_as_csv(text)), (Values{1, 2, 3, 4})) << text;
  }
}

TEST_F(CsvTest, HeaderCommentsBlankLinesAndLineEnds) {
  for (const char* text : {"x,y\n1,2\n3,4", "# made by hand\n\nx,y\n1,2\n\n3,4 # last\n", "1,2\r\n3,4\r\n",
                           "\xEF\xBB\xBFx,y\r\n1,2\r\n\r\n3,4", "\"x, in m\",\"y\"\n1,2\n3,4\n"}) {
    EXPECT_EQ(values_of(parse_as_csv(text)), (Values{1, 2, 3, 4})) << text;
  }
}

TEST_F(CsvTest, OneColumnIsAVectorOneRowIsNot) {
  EXPECT_EQ(parse_as_csv("1\n2\n3\n").shape, Shape{3});
  EXPECT_EQ(parse_as_csv("1,2,3\n").shape, (Shape{1, 3}));
}

TEST_F(CsvTest, EverySpellingOfANumber) {
  EXPECT_EQ(values_of(parse_as_csv("+1,-2.,.5,1e3,1E-2,+1.5e+02,007\n")), (Values{1, -2, 0.5, 1000, 0.01, 150, 7}));
}

TEST_F(CsvTest, NanAndInfinityAreNumbersHere) {
  const Values values = values_of(parse_as_csv("nan,inf,-inf,NaN,Infinity\n"));
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], INFINITY);
  EXPECT_EQ(values[2], -INFINITY);
  EXPECT_TRUE(std::isnan(values[3]));
  EXPECT_EQ(values[4], INFINITY);
}

TEST_F(CsvTest, ErrorsNameLineAndColumn) {
  EXPECT_EQ(csv_refusal("1,2\n# comment\n\n3,abc\n"), "a.csv, line 4, column 2: 'abc' is not a number");
  EXPECT_EQ(csv_refusal("1 2\n3 4x\n"), "a.csv, line 2, column 2: '4x' is not a number");
  EXPECT_EQ(csv_refusal("1,2 3\n"), "a.csv, line 1, column 2: '2 3' is not a number");
  EXPECT_EQ(csv_refusal("1,5;2,5\n"), "a.csv, line 1, column 1: '1,5' is not a number");
  EXPECT_EQ(csv_refusal("1,--2\n"), "a.csv, line 1, column 2: '--2' is not a number");
  EXPECT_EQ(csv_refusal("1,+-2\n"), "a.csv, line 1, column 2: '+-2' is not a number");
  EXPECT_EQ(csv_refusal("1,1e\n"), "a.csv, line 1, column 2: '1e' is not a number");
  EXPECT_EQ(csv_refusal("1,0x10\n"), "a.csv, line 1, column 2: '0x10' is not a number");
  EXPECT_EQ(csv_refusal("x,1\n1,2\n"), "a.csv, line 1, column 1: 'x' is not a number");
}

TEST_F(CsvTest, RefusesEmptyFields) {
  const std::string why = "is empty; every line needs the same number of values";
  EXPECT_EQ(csv_refusal("1,2\n3,\n"), "a.csv, line 2, column 2: " + why);
  EXPECT_EQ(csv_refusal("1,,2\n"), "a.csv, line 1, column 2: " + why);
  EXPECT_EQ(csv_refusal("1\t\t2\n"), "a.csv, line 1, column 2: " + why);
  EXPECT_EQ(csv_refusal(",1\n"), "a.csv, line 1, column 1: " + why);
}

TEST_F(CsvTest, RefusesRaggedRows) {
  EXPECT_EQ(csv_refusal("1,2\n3,4\n5,6,7\n"), "a.csv: line 3 has 3 values, the lines before it 2");
  EXPECT_EQ(csv_refusal("1,2\n3\n"), "a.csv: line 2 has 1 value, the lines before it 2");
}

TEST_F(CsvTest, RefusesNumbersBeyondDoublePrecision) {
  EXPECT_EQ(csv_refusal("1\n1e400\n"), "a.csv, line 2, column 1: '1e400' is beyond double precision");
}

TEST_F(CsvTest, RefusesFilesWithoutNumbers) {
  for (const char* text : {"", "\n\n", "# nothing\n", "x,y\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(csv_refusal(text), "a.csv: holds no numbers; expected one line per point") << text;
  }
}

TEST_F(CsvTest, RefusesUtf16) {
  EXPECT_EQ(csv_refusal(std::string("\xFF\xFE"
                                    "1\0\n\0",
                                    6)),
            "a.csv: is UTF-16 text; save it as UTF-8 or plain text");
}

TEST_F(CsvTest, LongAndBinaryFieldsStayReadable) {
  EXPECT_EQ(csv_refusal("1\n" + std::string(1000, 'x')),
            "a.csv, line 2, column 1: '" + std::string(60, 'x') + "...' is not a number");
  EXPECT_EQ(csv_refusal("1\n\x01\x02"), "a.csv, line 2, column 1: '\\x01\\x02' is not a number");
}

}  // namespace
}  // namespace itomap::test
