// The options of error bars, which maps, averages and committors share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "itomap/analysis/error_bars.hpp"
#include "json.hpp"
#include "option.hpp"

namespace itomap::cli {

struct ErrorBarSettings {
  std::uint64_t blocks = 0;  // 0: none
  std::string runs{};        // lengths with commas between them, or a file of them

  /// Reads the file, if there is one; replicates are shared by all processes. Throws InvalidArgument.
  ErrorBarOptions options() const;
};

/// `what` has error bars.
std::vector<Option> error_bar_options(ErrorBarSettings& settings, std::string_view help);

/// How they were found.
Json replication_json(const Replication& replication);

}  // namespace itomap::cli
