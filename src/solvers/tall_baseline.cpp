// The loops for any processor, and the choice between the two forms.
#define ITOMAP_INSTRUCTION_SET baseline
#include "solvers/tall_loops.inl"

#include "core/instruction_set.hpp"

namespace itomap::detail {

#ifdef ITOMAP_AVX2_KERNELS
namespace avx2 {
TallLoops tall_loops();
}
#endif

TallLoops tall_loops() {
#ifdef ITOMAP_AVX2_KERNELS
  if (runs_avx2()) {
    return avx2::tall_loops();
  }
#endif
  return baseline::tall_loops();
}

}  // namespace itomap::detail
