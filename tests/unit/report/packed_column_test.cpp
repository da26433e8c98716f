#include "report/packed_column.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace itomap::detail {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

std::string inflated(const std::string& bytes, std::size_t size) {
  z_stream stream{};
  std::string out(size, '\0');
  EXPECT_EQ(inflateInit2(&stream, -MAX_WBITS), Z_OK);
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.total_out, size);
  inflateEnd(&stream);
  return out;
}

/// The integers k_i of the header, back from the bytes.
template <class Word>
std::vector<Word> unpacked(const std::string& bytes, std::size_t count) {
  const std::string raw = inflated(bytes, count * sizeof(Word));
  std::vector<Word> words;
  Word before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Word zigzag = 0;
    for (std::size_t place = 0; place < sizeof(Word); ++place) {
      zigzag = static_cast<Word>(zigzag | static_cast<Word>(static_cast<unsigned char>(raw[place * count + i]))
                                              << (8 * place));
    }
    const Word half = static_cast<Word>(zigzag >> 1U);
    before = static_cast<Word>(before + ((zigzag & 1U) != 0 ? static_cast<Word>(~half) : half));
    words.push_back(before);
  }
  return words;
}

template <class Float, class Word>
std::vector<Float> floats(const std::vector<Word>& words) {
  constexpr Word sign = Word{1} << (8 * sizeof(Word) - 1);
  std::vector<Float> values;
  for (const Word word : words) {
    values.push_back(
        std::bit_cast<Float>((word & sign) != 0 ? static_cast<Word>(word ^ sign) : static_cast<Word>(~word)));
  }
  return values;
}

const std::vector<double> numbers{0.0, -1.5, 1e-300, 6.02214076e23, -1e30, 5e-324, 3.141592653589793, nan};

TEST(PackedColumn, DoubleIsExact) {
  const auto packed = pack(numbers, Precision::Double, false);
  const auto values = floats<double>(unpacked<std::uint64_t>(packed.bytes, numbers.size()));
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    EXPECT_EQ(values[i], numbers[i]);
  }
  EXPECT_TRUE(std::isnan(values.back()));
}

TEST(PackedColumn, SingleIsTheNearestFloat) {
  const auto packed = pack(numbers, Precision::Single, false);
  const auto values = floats<float>(unpacked<std::uint32_t>(packed.bytes, numbers.size()));
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    EXPECT_EQ(values[i], static_cast<float>(numbers[i]));
  }
  EXPECT_TRUE(std::isnan(values.back()));
}

TEST(PackedColumn, StepsAreWithinHalfAStep) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(std::sin(0.37 * i) * 12.0);
  }
  values.push_back(nan);
  for (const Precision precision : {Precision::Coarse, Precision::Steps}) {
    const auto packed = pack(values, precision, false);
    const auto codes = unpacked<std::uint16_t>(packed.bytes, values.size());
    const double step = (packed.high - packed.low) / (packed.steps - 1);
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      EXPECT_NEAR(packed.low + (codes[i] - 1) * step, values[i], 0.5000001 * step);
    }
    EXPECT_EQ(codes.back(), packed.steps + 1);
  }
}

TEST(PackedColumn, LogarithmicStepsKeepSmallValuesAndZero) {
  const std::vector<double> values{0.0, 1e-200, 3e-7, 0.2, 1.0};
  const auto packed = pack(values, Precision::Steps, true);
  const auto codes = unpacked<std::uint16_t>(packed.bytes, values.size());
  EXPECT_EQ(codes[0], 0);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double place = packed.low + (codes[i] - 1.0) / (packed.steps - 1) * (packed.high - packed.low);
    EXPECT_NEAR(std::exp(place) / values[i], 1.0, 0.005);
  }
}

TEST(PackedColumn, InfinitiesAndColumnsWithoutANumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const bool logarithmic : {false, true}) {
    const auto packed = pack(std::vector{nan, infinity, nan}, Precision::Steps, logarithmic);
    EXPECT_EQ(packed.low, 0.0);
    EXPECT_EQ(packed.high, 0.0);
    for (const auto code : unpacked<std::uint16_t>(packed.bytes, 3)) {
      EXPECT_EQ(code, packed.steps + 1);
    }
  }
}

TEST(PackedColumn, NumbersOfPoints) {
  const std::vector<std::uint32_t> rows{7, 0, 4294967295U, 65536};
  const std::string raw = inflated(pack_numbers(rows), 16);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::uint32_t number = 0;
    for (std::size_t place = 0; place < 4; ++place) {
      number |= std::uint32_t{static_cast<unsigned char>(raw[4 * place + i])} << (8 * place);
    }
    EXPECT_EQ(number, rows[i]);
  }
}

TEST(PackedColumn, Base64) {
  const std::vector<std::pair<std::string, std::string>> vectors{
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xfe", "//4="}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(base64_size(bytes.size()), text.size());
  }
}

}  // namespace
}  // namespace itomap::detail
