// The loops over stored entries for any processor, and the choice between the two forms.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/pairs/quad_kernels.inl"

#include "core/instruction_set.hpp"

namespace itomap::detail {

const QuadKernels quad_kernels_baseline = baseline::kernels;

const QuadKernels& quad_kernels() {
#ifdef ITOMAP_AVX2_KERNELS
  if (runs_avx2()) {
    return quad_kernels_avx2;
  }
#endif
  return quad_kernels_baseline;
}

}  // namespace itomap::detail
