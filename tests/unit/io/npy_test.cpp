#include "io/npy.hpp"

#include <cmath>
#include <limits>

#include "io_test.hpp"

namespace itomap::test {
namespace {

class NpyTest : public IoTest {};

Array parse_as_npy(const std::string& content) { return detail::parse_npy(shared_bytes(content), "a.npy"); }
std::string npy_refusal(const std::string& content) {
  return error_of([&] { parse_as_npy(content); });
}

TEST_F(NpyTest, RoundTripKeepsEveryBit) {
  const Values values = {1.0 / 3, -0.0, std::numeric_limits<double>::denorm_min(), 1e308, INFINITY, -2.5};
  write_npy(path("a.npy"), values, {3, 2});
  const Array array = read_array(path("a.npy"));
  EXPECT_EQ(array.shape, (Shape{3, 2}));
  EXPECT_EQ(std::memcmp(array.data.get(), values.data(), sizeof(double) * values.size()), 0);
  EXPECT_EQ(array.source, path("a.npy"));
}

TEST_F(NpyTest, WrittenHeaderIsWhatNumPyWrites) {
  write_npy(path("a.npy"), Values{7}, {1});
  const std::string file = slurp(path("a.npy"));
  EXPECT_EQ(file.size(), 128 + 8);  // data at a multiple of 64
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(file.substr(10, 59), "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }  ");
  EXPECT_EQ(file[127], '\n');
}

TEST_F(NpyTest, ComplexIsInterleaved) {
  Values re(10000), im(10000);  // more than one buffer
  for (std::size_t i = 0; i < re.size(); ++i) {
    re[i] = static_cast<double>(i), im[i] = -static_cast<double>(i);
  }
  write_npy_complex(path("a.npy"), re, im, {5000, 2});
  const std::string file = slurp(path("a.npy"));
  EXPECT_NE(file.find("'descr': '<c16', 'fortran_order': False, 'shape': (5000, 2), }"), std::string::npos);
  ASSERT_EQ(file.size(), 128 + 160000);
  EXPECT_EQ(file.substr(128 + 16 * 9999), doubles({9999, -9999}));
}

TEST_F(NpyTest, IntegersAreWritten) {
  const std::vector<std::int64_t> values{-1, 0, std::int64_t{1} << 60};
  write_npy_integers(path("a.npy"), values, {3});
  const std::string file = slurp(path("a.npy"));
  EXPECT_NE(file.find("'descr': '<i8', 'fortran_order': False, 'shape': (3,), }"), std::string::npos);
  EXPECT_EQ(file.substr(128), little(values[0]) + little(values[1]) + little(values[2]));
}

TEST_F(NpyTest, ScalarsVectorsMatricesAndTensors) {
  EXPECT_EQ(parse_as_npy(npy(npy_dictionary("()"), doubles({4}))).shape, Shape{});
  EXPECT_EQ(parse_as_npy(npy(npy_dictionary("(2,)"), doubles({4, 5}))).shape, Shape{2});
  EXPECT_EQ(parse_as_npy(npy(npy_dictionary("(2, 1)"), doubles({4, 5}))).shape, (Shape{2, 1}));
  EXPECT_EQ(parse_as_npy(npy(npy_dictionary("(1, 2, 2)"), doubles({4, 5, 6, 7}))).shape, (Shape{1, 2, 2}));
}

TEST_F(NpyTest, AllThreeVersions) {
  for (const char version : {'\1', '\2', '\3'}) {
    EXPECT_EQ(values_of(parse_as_npy(npy(npy_dictionary("(2,)"), doubles({4, 5}), version))), (Values{4, 5}))
        << int(version);
  }
}

TEST_F(NpyTest, EveryFloatFormat) {
  const Values expected = {1.5, -0.25};
  EXPECT_EQ(values_of(parse_as_npy(npy(npy_dictionary("<f4", false, "(2,)"), little(1.5F) + little(-0.25F)))),
            expected);
  EXPECT_EQ(values_of(parse_as_npy(npy(npy_dictionary(">f4", false, "(2,)"), big(1.5F) + big(-0.25F)))), expected);
  EXPECT_EQ(values_of(parse_as_npy(npy(npy_dictionary(">f8", false, "(2,)"), big(1.5) + big(-0.25)))), expected);
}

TEST_F(NpyTest, FortranOrderIsTurnedIntoCOrder) {
  EXPECT_EQ(values_of(parse_as_npy(npy(npy_dictionary("<f8", true, "(2, 3)"), doubles({11, 21, 12, 22, 13, 23})))),
            (Values{11, 12, 13, 21, 22, 23}));
  // a(i, j, k) = 100 i + 10 j + k with shape 2 x 1 x 2: the first index runs fastest
  EXPECT_EQ(values_of(parse_as_npy(npy(npy_dictionary("<f8", true, "(2, 1, 2)"), doubles({0, 100, 1, 101})))),
            (Values{0, 1, 100, 101}));
}

TEST_F(NpyTest, SharesAlignedMemoryAndCopiesTheRest) {
  const std::string dictionary = npy_dictionary("(1,)");
  for (std::size_t padding = 0; padding < 8; ++padding) {
    const auto bytes = shared_bytes(npy(dictionary + std::string(padding, ' '), doubles({3})));
    const Array array = detail::parse_npy(bytes, "a.npy");
    const auto* data = bytes.bytes.data() + bytes.bytes.size() - 8;
    const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 8 == 0;
    EXPECT_EQ(static_cast<const void*>(array.data.get()) == data, aligned);
    EXPECT_EQ(values_of(array), Values{3});
  }
}

TEST_F(NpyTest, SharedMemoryOutlivesTheFile) {
  Array array;
  { array = parse_as_npy(npy(npy_dictionary("(2,)") + std::string(6, ' '), doubles({8, 9}))); }
  EXPECT_EQ(values_of(array), (Values{8, 9}));
}

// The name of the file beside an address in the table of this process's mappings.
bool is_mapped_from(const void* address, const std::string& file) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto dash = line.find('-');
    const auto begin = std::stoull(line.substr(0, dash), nullptr, 16);
    const auto end = std::stoull(line.substr(dash + 1), nullptr, 16);
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    if (begin <= value && value < end) {
      return line.ends_with(file);
    }
  }
  return false;
}

TEST_F(NpyTest, LargeFilesAreMappedSmallOnesAreNot) {
  const Values values(std::size_t{2} << 20, 1.25);  // 16 MiB
  write_npy(path("large.npy"), values, {values.size() / 2, 2});
  write_npy(path("small.npy"), std::span(values).first(4), {2, 2});
  const Array large = read_array(path("large.npy"));
  EXPECT_TRUE(is_mapped_from(large.data.get(), path("large.npy")));
  EXPECT_EQ(large.as_points().sum(), 1.25 * static_cast<double>(values.size()));
  EXPECT_FALSE(is_mapped_from(read_array(path("small.npy")).data.get(), path("small.npy")));
}

TEST_F(NpyTest, EmptyArraysAreLegal) {
  const Array array = parse_as_npy(npy(npy_dictionary("(0, 3)"), ""));
  EXPECT_EQ(array.size(), 0);
  EXPECT_EQ(array.as_points().rows(), 0);
  EXPECT_EQ(array.as_points().cols(), 3);
}

TEST_F(NpyTest, HeaderInAnyOrderAndSpacing) {
  EXPECT_EQ(values_of(parse_as_npy(npy(R"({"shape":( 2 , ),"fortran_order":False,"descr":"<f8"})", doubles({4, 5})))),
            (Values{4, 5}));
  EXPECT_EQ(parse_as_npy(npy(npy_dictionary("(2L, 1L)"), doubles({4, 5}))).shape, (Shape{2, 1}));  // Python 2
}

TEST_F(NpyTest, RefusesTruncatedData) {
  EXPECT_EQ(npy_refusal(npy(npy_dictionary("(100, 2)"), std::string(1200, 'x'))),
            "a.npy: truncated: 1600 bytes of data expected for 100 x 2, 1200 found; copy or save it again");
}

TEST_F(NpyTest, RefusesDataAfterTheEnd) {
  EXPECT_EQ(npy_refusal(npy(npy_dictionary("(1,)"), doubles({1, 2}))),
            "a.npy: 8 bytes after the end of its data (1); save one array per file");
}

TEST_F(NpyTest, RefusesEveryCutOfAFile) {
  const std::string whole = npy(npy_dictionary("(2,)"), doubles({1, 2}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(npy_refusal(whole.substr(0, size)), "") << size;
  }
}

TEST_F(NpyTest, RefusesWhatIsNotNpy) {
  EXPECT_EQ(npy_refusal("PK\x03\x04 not at all"), "a.npy: is not a .npy file; check its name or save it again");
  EXPECT_EQ(npy_refusal(""), "a.npy: is not a .npy file; check its name or save it again");
  EXPECT_EQ(npy_refusal(npy(npy_dictionary("(1,)"), doubles({1}), 4)),
            "a.npy: is .npy version 4.0, known are 1.0 to 3.0; save it again with NumPy");
  EXPECT_EQ(npy_refusal("\x93NUMPY"), "a.npy: truncated inside its header; copy or save it again");
}

TEST_F(NpyTest, RefusesOtherDtypesByName) {
  const auto with = [](const std::string& descr) { return npy_refusal(npy(npy_dictionary(descr, false, "(1,)"), "")); };
  EXPECT_EQ(with("<i8"), "a.npy: holds int64 (dtype '<i8'), not float64 or float32; save array.astype(float) instead");
  EXPECT_EQ(with("|b1"), "a.npy: holds bool (dtype '|b1'), not float64 or float32; save array.astype(float) instead");
  EXPECT_EQ(with("<c16"),
            "a.npy: holds complex128 (dtype '<c16'), not float64 or float32; save array.real or array.imag instead");
  EXPECT_EQ(with("|O"),
            "a.npy: holds Python objects (dtype '|O'), not float64 or float32; save array.astype(float) instead");
  EXPECT_NE(with("|u1").find("uint8"), std::string::npos);
  EXPECT_NE(with("<f2").find("float16"), std::string::npos);
  EXPECT_NE(with("<U5").find("text"), std::string::npos);
  EXPECT_NE(with("").find("an unknown dtype (dtype '')"), std::string::npos);
  EXPECT_EQ(npy_refusal(npy("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,), }", "")),
            "a.npy: holds a structured dtype; save a plain array of float64");
}

TEST_F(NpyTest, RefusesTooManyAxes) {
  EXPECT_EQ(npy_refusal(npy(npy_dictionary("(1, 1, 1, 1)"), doubles({1}))),
            "a.npy: has 4 axes, at most 3 have a meaning; reshape it");
}

TEST_F(NpyTest, LyingHeadersCostNoMemory) {
  for (const char* shape : {"(4611686018427387904, 4)", "(18446744073709551615,)", "(0, 99999999999, 99999999999)"}) {
    EXPECT_NE(npy_refusal(npy(npy_dictionary(shape), "")).find("impossible shape"), std::string::npos) << shape;
  }
  EXPECT_NE(npy_refusal(npy(npy_dictionary("(1000000000000,)"), "")).find("truncated"), std::string::npos);
  EXPECT_NE(npy_refusal(npy(npy_dictionary("(99999999999999999999,)"), "")).find("no possible number"),
            std::string::npos);
}

TEST_F(NpyTest, RefusesDamagedDictionaries) {
  for (const char* dictionary :
       {"", "{", "{}", "[]", "{'descr'", "{'descr': '<f8}", "{'descr': '<f8', 'fortran_order': Maybe, 'shape': ()}",
        "{'descr': '<f8', 'fortran_order': False}", "{'descr': '<f8', 'descr': '<f8'}", "{'more': 1}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} and more"}) {
    EXPECT_EQ(npy_refusal(npy(dictionary, doubles({1}))).find("a.npy: damaged .npy header: "), 0) << dictionary;
  }
}

TEST_F(NpyTest, WritingSaysWhyItFailed) {
  EXPECT_EQ(error_of([&] { write_npy("/dev/full", Values(100000), {100000}); }),
            "/dev/full: cannot be written: No space left on device");
  const std::string nowhere = path("missing/a.npy");
  EXPECT_EQ(error_of([&] { write_npy(nowhere, Values{1}, {1}); }),
            nowhere + ": cannot be written: No such file or directory");
}

TEST_F(NpyTest, WritingChecksTheShape) {
  EXPECT_EQ(error_of<InvalidArgument>([&] {
              write_npy("a.npy", Values{1, 2, 3}, {2, 2});
            }),
            "a.npy: 3 values do not fill an array of shape 2 x 2");
  EXPECT_EQ(error_of<InvalidArgument>([&] {
              write_npy_complex("a.npy", Values{1, 2}, Values{1}, {2});
            }),
            "a.npy: 1 values do not fill an array of shape 2");
  EXPECT_FALSE(std::filesystem::exists("a.npy"));
}

}  // namespace
}  // namespace itomap::test
