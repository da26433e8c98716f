// The loops of the fast Gauss transform for any processor, and the choice between the two forms.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/grid/spreading_loops.inl"
// Behind the loops whose windows they use:
#include "kernel/grid/moment_loops.inl"

#include "core/instruction_set.hpp"

namespace itomap::detail {

#ifdef ITOMAP_AVX2_KERNELS
namespace avx2 {
SpreadingLoops spreading_loops(int dimension, int width);
MomentLoops moment_loops(int width);
}  // namespace avx2
#endif

SpreadingLoops spreading_loops(int dimension, int width) {
#ifdef ITOMAP_AVX2_KERNELS
  if (runs_avx2()) {
    return avx2::spreading_loops(dimension, width);
  }
#endif
  return baseline::spreading_loops(dimension, width);
}

MomentLoops moment_loops(int width) {
#ifdef ITOMAP_AVX2_KERNELS
  if (runs_avx2()) {
    return avx2::moment_loops(width);
  }
#endif
  return baseline::moment_loops(width);
}

}  // namespace itomap::detail
