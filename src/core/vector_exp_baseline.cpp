// exp for any processor, and the choice between the two forms.
#define ITOMAP_INSTRUCTION_SET baseline
#include "core/vector_exp.inl"

#include "core/instruction_set.hpp"
#include "core/vector_exp.hpp"

namespace itomap::detail {
namespace avx2 {
void exp_of_negative(double* values, std::ptrdiff_t count);
}

void exp_of_negative(double* values, Index count) {
#ifdef ITOMAP_AVX2_KERNELS
  static const bool fast = runs_avx2();
  if (fast) {
    return avx2::exp_of_negative(values, count);
  }
#endif
  baseline::exp_of_negative(values, count);
}

}  // namespace itomap::detail
