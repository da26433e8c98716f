// The loops of the fast Gauss transform for any processor, and the choice between the two forms.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/spreading_loops.hpp"

namespace itomap {

#ifdef ITOMAP_AVX2_KERNELS
namespace avx2 {
SpreadingLoops spreading_loops(int dimension, int width);
}
#endif

SpreadingLoops spreading_loops(int dimension, int width) {
#ifdef ITOMAP_AVX2_KERNELS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return avx2::spreading_loops(dimension, width);
  }
#endif
  return baseline::spreading_loops(dimension, width);
}

}  // namespace itomap
