// The loops over pairs for processors with AVX2 and FMA; the flags are set in src/CMakeLists.txt.
#include "kernel/pair_kernels.inl"

const itomap::PairKernels itomap::pair_kernels_avx2 = {itomap::whiten, itomap::entries, itomap::rows, itomap::columns,
                                                       itomap::single};
