// The loops over stored entries for any processor.
#include "kernel/quad_kernels.inl"

const itomap::QuadKernels itomap::quad_kernels_baseline = itomap::kernels;
