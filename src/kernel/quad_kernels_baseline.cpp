// The loops over stored entries for any processor.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/quad_kernels.inl"

const itomap::QuadKernels itomap::quad_kernels_baseline = itomap::baseline::kernels;
