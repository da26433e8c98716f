// The loops over pairs for any processor, and the choice between the two forms.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/pairs/pair_kernels.inl"

#include "core/instruction_set.hpp"

namespace itomap::detail {

const PairKernels pair_kernels_baseline = baseline::kernels;

const PairKernels& pair_kernels() {
#ifdef ITOMAP_AVX2_KERNELS
  if (runs_avx2()) {
    return pair_kernels_avx2;
  }
#endif
  return pair_kernels_baseline;
}

}  // namespace itomap::detail
