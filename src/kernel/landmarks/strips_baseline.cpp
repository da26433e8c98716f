// The loops for any processor, and the choice between the two forms.
#define ITOMAP_INSTRUCTION_SET baseline
#include "kernel/landmarks/strip_loops.inl"

#include "core/instruction_set.hpp"

namespace itomap::detail {

#ifdef ITOMAP_AVX2_KERNELS
namespace avx2 {
StripLoops strip_loops();
}
#endif

StripLoops strip_loops() {
#ifdef ITOMAP_AVX2_KERNELS
  if (runs_avx2()) {
    return avx2::strip_loops();
  }
#endif
  return baseline::strip_loops();
}

}  // namespace itomap::detail
