// Vectors of numbers of the GCC kind, as long as the processor's registers: for files that are compiled for one
// instruction set each, in a namespace of its own.
namespace itomap::detail::ITOMAP_INSTRUCTION_SET {
namespace {

#ifdef __AVX__
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif
typedef double Pack __attribute__((vector_size(lanes * 8)));
typedef long long Bits __attribute__((vector_size(lanes * 8)));

inline Pack load(const double* p) { return *reinterpret_cast<const Pack*>(p); }
inline void store(double* p, Pack v) { *reinterpret_cast<Pack*>(p) = v; }
inline Pack all(double v) { return v - Pack{}; }
inline double sum(Pack v) {
  double total = v[0];
  for (int l = 1; l < lanes; ++l) {
    total += v[l];
  }
  return total;
}

}  // namespace
}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
