#include "itomap/io/index_file.hpp"

#include <cmath>

#include "io_test.hpp"
#include "itomap/core/types.hpp"

namespace itomap::test {
namespace {

using Indices = std::vector<Index>;

class IndexFileTest : public IoTest {
 protected:
  template <class Number>
  std::string file_of(const std::string& descr, const std::vector<Number>& values, bool big_endian = false) const {
    std::string data;
    for (const Number value : values) {
      data += big_endian ? big(value) : little(value);
    }
    return write("set.npy", npy(npy_dictionary(descr, false, "(" + std::to_string(values.size()) + ",)"), data));
  }
  std::string refusal(const std::string& file, Index points) const {
    return error_of([&] { read_indices(file, points); });
  }
};

TEST_F(IndexFileTest, TakesEveryKindOfInteger) {
  const Indices expected = {0, 3, 7};
  EXPECT_EQ(read_indices(file_of<std::int8_t>("|i1", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(file_of<std::uint8_t>("|u1", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(file_of<std::int16_t>("<i2", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(file_of<std::uint16_t>("<u2", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(file_of<std::int32_t>("<i4", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(file_of<std::int32_t>(">i4", {7, 0, 3}, true), 8), expected);
  EXPECT_EQ(read_indices(file_of<std::uint32_t>("<u4", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(file_of<std::int64_t>("<i8", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(file_of<std::uint64_t>("<u8", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(file_of<float>("<f4", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(file_of<double>("<f8", {7, 0, 3}), 8), expected);
  EXPECT_EQ(read_indices(write("set.csv", "7\n0\n3\n"), 8), expected);
}

TEST_F(IndexFileTest, TakesMasks) {
  EXPECT_EQ(read_indices(file_of<std::uint8_t>("|b1", {1, 0, 0, 1}), 4), (Indices{0, 3}));
  EXPECT_EQ(read_indices(file_of<std::uint8_t>("|b1", {0, 1}), 2), (Indices{1}));
  EXPECT_EQ(read_indices(file_of<double>("<f8", {0, 0, 1, 0}), 4), (Indices{2}));
  EXPECT_EQ(read_indices(write("mask.txt", "0\n1\n1\n0\n"), 4), (Indices{1, 2}));
}

// As many zeros and ones as points are a mask; two of them may be numbers of points.
TEST_F(IndexFileTest, FirstTwoPoints) {
  EXPECT_EQ(read_indices(file_of<std::int64_t>("<i8", {1, 0}), 9), (Indices{0, 1}));
}

TEST_F(IndexFileTest, CountsEachPointOnce) {
  EXPECT_EQ(read_indices(file_of<std::int64_t>("<i8", {5, 2, 5, 2, 5}), 9), (Indices{2, 5}));
}

TEST_F(IndexFileTest, RefusesWhatIsNoSet) {
  EXPECT_NE(refusal(file_of<std::int64_t>("<i8", {2, 9}), 9).find("no point 9 (entry 1)"), std::string::npos);
  EXPECT_NE(refusal(file_of<std::int64_t>("<i8", {-1}), 9).find("no point -1"), std::string::npos);
  EXPECT_NE(refusal(file_of<std::uint64_t>("<u8", {~0ULL}), 9).find("no point"), std::string::npos);
  EXPECT_NE(refusal(file_of<double>("<f8", {0.5}), 9).find("not a whole number"), std::string::npos);
  EXPECT_NE(refusal(file_of<double>("<f8", {NAN}), 9).find("not a whole number"), std::string::npos);
  EXPECT_NE(refusal(file_of<double>("<f8", {INFINITY}), 9).find("no point inf"), std::string::npos);
  EXPECT_NE(refusal(file_of<std::uint8_t>("|b1", {1, 0, 1}), 4).find("mask of 3 entries"), std::string::npos);
  EXPECT_NE(refusal(file_of<std::uint8_t>("|b1", {1, 0}), 9).find("mask of 2 entries"), std::string::npos);
  EXPECT_NE(refusal(file_of<std::uint8_t>("|b1", {1}), 9).find("mask of 1 entries"), std::string::npos);
  EXPECT_NE(refusal(file_of<std::uint8_t>("|b1", {0, 0, 0}), 3).find("holds no point"), std::string::npos);
  EXPECT_NE(refusal(file_of<std::int64_t>("<i8", {}), 3).find("holds no point"), std::string::npos);
}

TEST_F(IndexFileTest, ArraysOfCoordinatesStillRefuseIntegers) {
  EXPECT_NE(error_of([&] { read_array(file_of<std::int64_t>("<i8", {1, 2})); }).find("holds int64"), std::string::npos);
}

}  // namespace
}  // namespace itomap::test
