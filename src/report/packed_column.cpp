#include "report/packed_column.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

constexpr int coarse_steps = 4094;
constexpr int fine_steps = 65534;

// As raw blocks, which is what browsers call deflate-raw.
std::string deflated(std::string_view bytes) {
  z_stream stream{};
  constexpr int raw = -MAX_WBITS;
  constexpr int memory = 9;
  if (deflateInit2(&stream, 6, Z_DEFLATED, raw, memory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error("zlib cannot be started");
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT: zlib's interface
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  // Columns have fewer bytes than zlib's counters: a million points of eight.
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.avail_out = static_cast<uInt>(out.size());
  const int end = deflate(&stream, Z_FINISH);
  const std::size_t size = stream.total_out;
  deflateEnd(&stream);
  if (end != Z_STREAM_END) {
    throw Error("zlib cannot compress a column");
  }
  out.resize(size);
  return out;
}

template <class Word>
std::string sorted_bytes(std::span<const Word> words) {
  std::string bytes(words.size() * sizeof(Word), '\0');
  auto out = bytes.begin();
  for (std::size_t place = 0; place < sizeof(Word); ++place) {
    for (const Word word : words) {
      *out++ = static_cast<char>((word >> (8 * place)) & 0xFFU);
    }
  }
  return bytes;
}

template <class Word>
void replace_by_differences(std::vector<Word>& words) {
  constexpr unsigned sign = 8 * sizeof(Word) - 1;
  Word before = 0;
  for (Word& word : words) {
    const auto difference = static_cast<Word>(word - before);
    before = word;
    const bool negative = (difference >> sign) != 0;
    const auto twice = static_cast<Word>(difference << 1U);
    word = negative ? static_cast<Word>(~twice) : twice;
  }
}

// Bits of a float as a number that grows with it.
template <class Word, class Float>
Word ordered_bits(Float value) {
  constexpr Word sign = Word{1} << (8 * sizeof(Word) - 1);
  const Word bits = std::bit_cast<Word>(value);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

template <class Word, class Float>
std::string packed_floats(std::span<const double> values) {
  std::vector<Word> words;
  words.reserve(values.size());
  for (const double value : values) {
    const auto nearest = static_cast<Float>(value);
    const bool finite = std::isfinite(value) && std::isfinite(nearest);
    words.push_back(ordered_bits<Word>(finite ? nearest : std::numeric_limits<Float>::quiet_NaN()));
  }
  replace_by_differences(words);
  return deflated(sorted_bytes<Word>(words));
}

// Codes: 0 is the logarithm of zero, then come the steps, and one beyond them is no number at all.
class Steps {
 public:
  Steps(std::span<const double> values, int steps, bool logarithmic) : steps_(steps), logarithmic_(logarithmic) {
    for (const double value : values) {
      const double place = placed(value);
      if (std::isfinite(place)) {
        low_ = std::min(low_, place);
        high_ = std::max(high_, place);
      }
    }
    if (!(low_ <= high_)) {
      low_ = high_ = 0.0;
    }
  }

  std::uint16_t code(double value) const {
    if (logarithmic_ && value == 0.0) {
      return 0;
    }
    const double place = placed(value);
    if (!std::isfinite(place)) {
      return static_cast<std::uint16_t>(steps_ + 1);
    }
    const double share = high_ > low_ ? (place - low_) / (high_ - low_) : 0.0;
    return static_cast<std::uint16_t>(1 + std::lround(share * (steps_ - 1)));
  }

  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double placed(double value) const { return logarithmic_ ? std::log(value) : value; }

  int steps_;
  bool logarithmic_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -low_;
};

PackedColumn packed_steps(std::span<const double> values, Precision precision, bool logarithmic) {
  const int count = precision == Precision::Coarse ? coarse_steps : fine_steps;
  const Steps steps(values, count, logarithmic);
  std::vector<std::uint16_t> codes;
  codes.reserve(values.size());
  for (const double value : values) {
    codes.push_back(steps.code(value));
  }
  replace_by_differences(codes);
  return {precision, count, logarithmic, steps.low(), steps.high(), deflated(sorted_bytes<std::uint16_t>(codes))};
}

}  // namespace

std::string_view to_string(Precision precision) {
  switch (precision) {
    case Precision::Coarse:
      return "coarse";
    case Precision::Steps:
      return "steps";
    case Precision::Single:
      return "single";
    case Precision::Double:
      break;
  }
  return "double";
}

PackedColumn pack(std::span<const double> values, Precision precision, bool logarithmic) {
  switch (precision) {
    case Precision::Coarse:
    case Precision::Steps:
      return packed_steps(values, precision, logarithmic);
    case Precision::Single:
      return {.precision = precision, .bytes = packed_floats<std::uint32_t, float>(values)};
    case Precision::Double:
      break;
  }
  return {.precision = precision, .bytes = packed_floats<std::uint64_t, double>(values)};
}

std::string pack_numbers(std::span<const std::uint32_t> numbers) { return deflated(sorted_bytes(numbers)); }

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(base64_size(bytes.size()));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? digits[group >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace itomap::detail
