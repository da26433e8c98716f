// A scratch directory for results of points in blocks, and what is in their files.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "itomap/blocks/block_map.hpp"
#include "itomap/io/output_directory.hpp"
#include "support/thread_ranks.hpp"

namespace itomap::test {

/// Every file of a result, but for result.json, which holds times.
using BlockFiles = std::map<std::string, std::string>;

class BlockResults : public ::testing::Test {
 protected:
  BlockResults() {
    std::string pattern = (std::filesystem::temp_directory_path() / "itomap-blocks-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("no scratch directory");
    }
    directory_ = pattern;
  }
  ~BlockResults() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  BlockFiles files(const BlockInput& input, BlockOptions options, const std::string& name,
                   const SaveOptions& save = {}) {
    OutputDirectory out(path(name), false);
    map_in_blocks(input, options, out.path(""), save);
    out.commit();
    return read(name);
  }
  BlockFiles read(const std::string& name) const {
    BlockFiles content;
    for (const auto& entry : std::filesystem::directory_iterator(path(name))) {
      if (entry.path().extension() == ".npy") {
        std::ifstream stream(entry.path(), std::ios::binary);
        content[entry.path().filename().string()] = {std::istreambuf_iterator<char>(stream), {}};
      }
    }
    return content;
  }

  /// The same over ranks that are threads, one thread each.
  BlockFiles files_over_ranks(const BlockInput& input, BlockOptions options, int size, const std::string& name) {
    OutputDirectory out(path(name), false);
    const std::string folder = out.path("");
    options.execution.threads = 1;
    ThreadRanks(size).run([&](const Ranks& ranks) {
      BlockOptions own = options;
      own.ranks = &ranks;
      map_in_blocks(input, own, ranks.first() ? folder : "");
    });
    out.commit();
    return read(name);
  }

  std::filesystem::path directory_;
};

}  // namespace itomap::test
