// The loops over stored entries for any processor.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/pairs/quad_kernels.inl"

const itomap::detail::QuadKernels itomap::detail::quad_kernels_baseline = itomap::detail::baseline::kernels;
