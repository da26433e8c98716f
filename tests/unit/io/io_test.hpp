// What the tests of files share: a scratch directory, raw bytes, and the text of an error.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "io/bytes.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap::test {

/// A new directory for each test, removed with everything in it.
class IoTest : public ::testing::Test {
 protected:
  IoTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "itomap-io-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("no scratch directory");
    }
    directory_ = std::filesystem::canonical(pattern);
  }
  ~IoTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  std::filesystem::path directory_;
};

inline std::string slurp(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A copy of the text as the content of a file, aligned as memory from new is.
inline detail::SharedBytes shared_bytes(const std::string& content) {
  const auto owner = std::make_shared<const std::vector<char>>(content.begin(), content.end());
  return {owner, std::as_bytes(std::span(*owner))};
}

/// The bytes of a number, least significant first.
template <class Number>
std::string little(Number value) {
  std::string bytes(sizeof(Number), '\0');
  std::memcpy(bytes.data(), &value, sizeof(Number));
  return bytes;
}

template <class Number>
std::string big(Number value) {
  const std::string bytes = little(value);
  return {bytes.rbegin(), bytes.rend()};
}

/// A .npy file with this dictionary and data.
inline std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  const std::string header = dictionary + "\n";
  const std::string length = version == 1 ? little(static_cast<std::uint16_t>(header.size()))
                                          : little(static_cast<std::uint32_t>(header.size()));
  return std::string("\x93NUMPY") + version + '\0' + length + header + data;
}

inline std::string npy_dictionary(const std::string& descr, bool fortran_order, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': " + shape +
         ", }";
}

inline std::string npy_dictionary(const std::string& shape) { return npy_dictionary("<f8", false, shape); }

inline std::string doubles(const std::vector<double>& values) {
  std::string bytes;
  for (const double value : values) {
    bytes += little(value);
  }
  return bytes;
}

inline std::vector<double> values_of(const Array& array) { return {array.data.get(), array.data.get() + array.size()}; }

using Shape = std::vector<std::size_t>;
using Values = std::vector<double>;

/// The message of the Error that `call` throws; the test fails if it throws none.
template <class ErrorType = IoError, class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const ErrorType& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "more than one line";
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace itomap::test
