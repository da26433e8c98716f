#include "kernel/pairs/pair_kernels.hpp"

namespace itomap::detail {

const PairKernels& pair_kernels() {
#ifdef ITOMAP_AVX2_KERNELS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return pair_kernels_avx2;
  }
#endif
  return pair_kernels_baseline;
}

}  // namespace itomap::detail
