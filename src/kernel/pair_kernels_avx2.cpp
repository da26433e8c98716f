// The loops over pairs for processors with AVX2 and FMA; the flags are set in src/CMakeLists.txt.
#define ITOMAP_INSTRUCTION_SET avx2
#include "kernel/pair_kernels.inl"

const itomap::PairKernels itomap::pair_kernels_avx2 = itomap::avx2::kernels;
