#include <algorithm>
#include <kissfft/kissfft.hh>

#include "kernel/grid/fft_lines.hpp"

namespace itomap::detail {
namespace {

using Complex = std::complex<double>;

/// Lines that are taken out together: so many numbers are a cache line.
constexpr Index lines_at_once = 4;

}  // namespace

struct FftLines::Plan {
  kissfft<double> line;  // for one line after the other, not in place
  Index n;
  Index count;
  Index stride;

  /// Lines side by side at x to lines one after the other.
  void take_out(const Complex* x, Index lines, Complex* taken) const {
    for (Index i = 0; i < n; ++i) {
      for (Index l = 0; l < lines; ++l) {
        taken[l * n + i] = x[i * stride + l];
      }
    }
  }

  void put_back(const Complex* done, Index lines, Complex* x) const {
    for (Index i = 0; i < n; ++i) {
      for (Index l = 0; l < lines; ++l) {
        x[i * stride + l] = done[l * n + i];
      }
    }
  }
};

const char* FftLines::library() { return "KISS FFT"; }

FftLines::FftLines(Index n, Index count, Index stride, Direction direction)
    : plan_(new Plan{kissfft<double>(std::size_t(n), direction == Direction::Backward), n, count, stride}) {}

FftLines::~FftLines() = default;

void FftLines::execute(Complex* x) const {
  const Index n = plan_->n;
  const auto taken = std::make_unique_for_overwrite<Complex[]>(std::size_t(2 * lines_at_once * n));
  Complex* const done = taken.get() + lines_at_once * n;
  for (Index first = 0; first < plan_->count; first += lines_at_once) {
    const Index lines = std::min(lines_at_once, plan_->count - first);
    plan_->take_out(x + first, lines, taken.get());
    for (Index l = 0; l < lines; ++l) {
      plan_->line.transform(taken.get() + l * n, done + l * n);
    }
    plan_->put_back(done, lines, x + first);
  }
}

}  // namespace itomap::detail
