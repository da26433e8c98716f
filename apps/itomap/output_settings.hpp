// The options of every command that writes a directory.
#pragma once

#include <string>
#include <vector>

#include "option.hpp"

namespace itomap::cli {

struct OutputSettings {
  std::string out;
  bool force = false;
  bool quiet = false;
  bool json = false;

  /// Throws InvalidArgument or IoError if the directory cannot be written; leaves nothing behind.
  void check_output() const;
};

std::vector<Option> output_options(OutputSettings& settings, bool required);

}  // namespace itomap::cli
