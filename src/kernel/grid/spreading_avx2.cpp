// The loops of the fast Gauss transform for processors with AVX2 and FMA; compiled for them alone.
#define ITOMAP_INSTRUCTION_SET avx2
#include "kernel/grid/spreading_loops.inl"
// Behind the loops whose windows they use:
#include "kernel/grid/moment_loops.inl"
