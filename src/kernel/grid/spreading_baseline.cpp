// The loops of the fast Gauss transform for any processor, and the choice between the two forms.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/grid/spreading_loops.inl"
// Behind the loops whose windows they use:
#include "kernel/grid/moment_loops.inl"

namespace itomap::detail {

#ifdef ITOMAP_AVX2_KERNELS
namespace avx2 {
SpreadingLoops spreading_loops(int dimension, int width);
MomentLoops moment_loops(int width);

static bool runs() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
}  // namespace avx2
#endif

SpreadingLoops spreading_loops(int dimension, int width) {
#ifdef ITOMAP_AVX2_KERNELS
  if (avx2::runs()) {
    return avx2::spreading_loops(dimension, width);
  }
#endif
  return baseline::spreading_loops(dimension, width);
}

MomentLoops moment_loops(int width) {
#ifdef ITOMAP_AVX2_KERNELS
  if (avx2::runs()) {
    return avx2::moment_loops(width);
  }
#endif
  return baseline::moment_loops(width);
}

}  // namespace itomap::detail
