// The options that the commands which start from a result directory share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "itomap/io/result.hpp"
#include "option.hpp"

namespace itomap::cli {

struct ResultSettings {
  std::string result;
  std::uint64_t threads = 0;
  std::optional<std::size_t> memory;

  std::string out;
  bool force = false;
  bool quiet = false;
  bool json = false;

  /// Throws InvalidArgument for what is wrong whatever the files hold.
  void check() const;
  /// The same for a command whose files, of these names at most, join the result directory unless --out is given. The
  /// last one says that the others are there.
  void check_joining(std::span<const std::string> names) const;
  Execution execution(Progress progress) const;
};

/// A command must not replace what it starts from. Throws InvalidArgument.
void check_not_result(const std::string& out, const std::string& result);

/// --result, which comes first in the help.
std::vector<Option> leading_options(ResultSettings& settings);
/// Resources and output; `out_help` says what is written and where without --out.
std::vector<Option> trailing_options(ResultSettings& settings, std::string_view out_help);

}  // namespace itomap::cli
