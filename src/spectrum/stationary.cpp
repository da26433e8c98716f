#include "spectrum/solve.hpp"

namespace itomap::detail {

Vector solved_stationary(const Generator& generator) { return eigenpairs_of(generator, {.count = 1}).stationary; }

}  // namespace itomap::detail
