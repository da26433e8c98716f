// The loops over pairs for any processor.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/pairs/pair_kernels.inl"

const itomap::detail::PairKernels itomap::detail::pair_kernels_baseline = itomap::detail::baseline::kernels;
