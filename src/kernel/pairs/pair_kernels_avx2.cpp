// The loops over pairs for processors with AVX2 and FMA; the flags are set in src/CMakeLists.txt.
#define ITOMAP_INSTRUCTION_SET avx2
#include "kernel/pairs/pair_kernels.inl"

const itomap::detail::PairKernels itomap::detail::pair_kernels_avx2 = itomap::detail::avx2::kernels;
