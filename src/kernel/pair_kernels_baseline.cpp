// The loops over pairs for any processor.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/pair_kernels.inl"

const itomap::PairKernels itomap::pair_kernels_baseline = itomap::baseline::kernels;
