// Which of the two forms of the innermost loops runs here: CONTRIBUTING.md, "Two instruction sets".
#pragma once

namespace itomap::detail {

/// Whether they are compiled for AVX2 with FMA, and the processor has both.
bool runs_avx2();

/// "avx2" or "baseline".
const char* simd_level();

}  // namespace itomap::detail
