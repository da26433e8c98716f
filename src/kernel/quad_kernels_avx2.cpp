// The loops over stored entries for processors with AVX2 and FMA; the flags are set in src/CMakeLists.txt.
#define ITOMAP_INSTRUCTION_SET avx2
#include "kernel/quad_kernels.inl"

const itomap::QuadKernels itomap::quad_kernels_avx2 = itomap::avx2::kernels;
