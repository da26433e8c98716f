// The loops over stored entries for processors with AVX2 and FMA; the flags are set in src/CMakeLists.txt.
#define ITOMAP_INSTRUCTION_SET avx2
#include "kernel/pairs/quad_kernels.inl"

const itomap::detail::QuadKernels itomap::detail::quad_kernels_avx2 = itomap::detail::avx2::kernels;
