#include <fftw3.h>

#include <mutex>
#include <new>

#include "core/aligned.hpp"
#include "kernel/grid/fft_lines.hpp"

namespace itomap::detail {
namespace {

/// FFTW's planner, unlike its transforms, is not thread safe.
std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

fftw_complex* raw(std::complex<double>* x) { return reinterpret_cast<fftw_complex*>(x); }

}  // namespace

struct FftLines::Plan {
  fftw_plan made;
};

const char* FftLines::library() { return fftw_version; }

FftLines::FftLines(Index n, Index count, Index stride, Direction direction) : plan_(std::make_unique<Plan>()) {
  // FFTW looks at the alignment of what it will transform, and at nothing else: estimated plans are the same in every
  // run, and so are the bits of the results.
  CacheAligned<std::complex<double>> memory;
  std::complex<double>* like = memory.allocate(std::size_t(n * stride));
  const int length = int(n);
  const int sign = direction == Direction::Forward ? FFTW_FORWARD : FFTW_BACKWARD;
  {
    const std::scoped_lock lock(planner_mutex());
    plan_->made = fftw_plan_many_dft(1, &length, int(count), raw(like), nullptr, int(stride), 1, raw(like), nullptr,
                                     int(stride), 1, sign, FFTW_ESTIMATE);
  }
  memory.deallocate(like, std::size_t(n * stride));
  if (plan_->made == nullptr) {
    throw std::bad_alloc();
  }
}

FftLines::~FftLines() {
  const std::scoped_lock lock(planner_mutex());
  fftw_destroy_plan(plan_->made);
}

void FftLines::execute(std::complex<double>* x) const { fftw_execute_dft(plan_->made, raw(x), raw(x)); }

}  // namespace itomap::detail
