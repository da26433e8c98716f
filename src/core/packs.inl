// Vectors of numbers of the GCC kind, never longer than the processor's registers: the compiler would take longer ones
// apart through memory. For files that are compiled for one instruction set each, in a namespace of its own.
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

/// Four doubles from anywhere in memory, in one register or in two.
struct Four {
  Pack part[4 / lanes];
};

#define ITOMAP_INLINE [[gnu::always_inline]] inline

ITOMAP_INLINE Four load_four(const double* memory) {
  typedef double Unaligned __attribute__((vector_size(lanes * 8), aligned(8), may_alias));
  Four v;
  for (int q = 0; q < 4 / lanes; ++q) {
    v.part[q] = *reinterpret_cast<const Unaligned*>(memory + q * lanes);
  }
  return v;
}

ITOMAP_INLINE void store_four(double* memory, const Four& v) {
  typedef double Unaligned __attribute__((vector_size(lanes * 8), aligned(8), may_alias));
  for (int q = 0; q < 4 / lanes; ++q) {
    *reinterpret_cast<Unaligned*>(memory + q * lanes) = v.part[q];
  }
}

ITOMAP_INLINE Four& operator+=(Four& a, const Four& b) {
  for (int q = 0; q < 4 / lanes; ++q) {
    a.part[q] += b.part[q];
  }
  return a;
}

ITOMAP_INLINE Four operator+(Four a, const Four& b) { return a += b; }

ITOMAP_INLINE Four operator-(Four a, const Four& b) {
  for (int q = 0; q < 4 / lanes; ++q) {
    a.part[q] -= b.part[q];
  }
  return a;
}

ITOMAP_INLINE Four operator*(Four a, double b) {
  for (int q = 0; q < 4 / lanes; ++q) {
    a.part[q] *= b;
  }
  return a;
}

#undef ITOMAP_INLINE

}  // namespace
}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
