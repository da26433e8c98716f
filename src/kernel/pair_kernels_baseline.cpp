// The loops over pairs for any processor.
#include "kernel/pair_kernels.inl"

const itomap::PairKernels itomap::pair_kernels_baseline = {itomap::whiten, itomap::entries, itomap::rows,
                                                           itomap::columns, itomap::single};
