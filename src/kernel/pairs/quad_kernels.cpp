#include "kernel/pairs/quad_kernels.hpp"

namespace itomap::detail {

const QuadKernels& quad_kernels() {
#ifdef ITOMAP_AVX2_KERNELS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return quad_kernels_avx2;
  }
#endif
  return quad_kernels_baseline;
}

}  // namespace itomap::detail
