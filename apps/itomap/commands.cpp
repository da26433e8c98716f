#include "command.hpp"

namespace itomap::cli {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  for (const auto make : {make_sample, make_estimate, make_scale, make_dmap, make_tmd, make_lkd, make_extend,
                          make_cluster, make_committor, make_average, make_report, make_reproduce, make_info}) {
    commands.push_back(make());
  }
  return commands;
}

}  // namespace itomap::cli
