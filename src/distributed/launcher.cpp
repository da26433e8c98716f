#include "distributed/launcher.hpp"

#include <array>
#include <cstdlib>

namespace itomap::detail {

int launched_processes() {
  // Open MPI, MPICH and Intel MPI, and srun, whose steps may have one task only.
  constexpr std::array names{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  for (const char* name : names) {
    if (const char* value = std::getenv(name)) {
      return std::atoi(value);
    }
  }
  return 0;
}

}  // namespace itomap::detail
