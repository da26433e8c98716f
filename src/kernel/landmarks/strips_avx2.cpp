// The loops for processors with AVX2 and FMA; compiled for them alone.
#define ITOMAP_INSTRUCTION_SET avx2
#include "kernel/landmarks/strip_loops.inl"
