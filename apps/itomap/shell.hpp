// Words as a shell takes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace itomap::cli {

/// "itomap tmd --points 'my points.npy'": what to paste to run the same again.
std::string shell_command(std::string_view command, const std::vector<std::string>& words);

}  // namespace itomap::cli
