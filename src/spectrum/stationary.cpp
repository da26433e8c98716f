#include "generator/generator.hpp"
#include "spectrum/solve.hpp"

namespace itomap {

Vector detail::solved_stationary(const Generator& generator) {
  return eigenpairs_of(generator, {.count = 1}).stationary;
}

}  // namespace itomap
