#include "core/instruction_set.hpp"

namespace itomap::detail {

bool runs_avx2() {
#ifdef ITOMAP_AVX2_KERNELS
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

const char* simd_level() { return runs_avx2() ? "avx2" : "baseline"; }

}  // namespace itomap::detail
