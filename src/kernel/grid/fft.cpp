#include "kernel/grid/fft.hpp"

#include <algorithm>

#include "core/aligned.hpp"
#include "core/parallel.hpp"
#include "kernel/grid/fft_lines.hpp"

namespace itomap::detail {
namespace {

/// Lines along an axis that are transformed together: neighbours in memory share cache lines.
constexpr Index lines_per_batch = 16;

bool has_fast_factors(Index n) {
  for (const Index factor : {2, 3, 5}) {
    while (n % factor == 0) {
      n /= factor;
    }
  }
  return n == 1;
}

}  // namespace

const char* fft_library() { return FftLines::library(); }

Index fast_size(Index n) {
  n += n % 2;
  while (!has_fast_factors(n)) {
    n += 2;
  }
  return n;
}

/// Plans for whole batches of lines and for the remaining ones, forward and backward, for every axis.
struct FourierFilter::Plans {
  struct Axis {
    Index stride = 1;  // between points of a line, in complex numbers
    Index lines = 1;   // side by side in memory
    std::unique_ptr<FftLines> whole[2];
    std::unique_ptr<FftLines> rest[2];
  };
  std::array<Axis, 3> axes;
};

FourierFilter::FourierFilter(const GridShape& shape, std::array<std::vector<double>, 3> factors)
    : shape_(shape), factors_(std::move(factors)), plans_(std::make_unique<Plans>()) {
  Index stride = shape.interleaved;
  for (int a = shape.dimension - 1; a >= 0; --a) {
    Plans::Axis& axis = plans_->axes[a];
    const bool last = a == shape.dimension - 1;
    axis.stride = stride;
    // Along the last axis only the numbers at one grid point lie side by side, otherwise everything behind the axis.
    axis.lines = stride;
    const Index batch = last ? shape.interleaved : lines_per_batch;
    for (const int direction : {0, 1}) {
      const auto make = [&](Index lines) {
        const auto way = direction == 0 ? FftLines::Direction::Forward : FftLines::Direction::Backward;
        return std::make_unique<FftLines>(shape.size[a], lines, stride, way);
      };
      axis.whole[direction] = make(std::min(batch, axis.lines));
      if (axis.lines % batch != 0) {
        axis.rest[direction] = make(axis.lines % batch);
      }
    }
    stride *= shape.stored[a];
  }
}

FourierFilter::~FourierFilter() = default;

void FourierFilter::Free::operator()(std::complex<double>* memory) const {
  CacheAligned<std::complex<double>>().deallocate(memory, 0);
}

FourierFilter::Buffer FourierFilter::zeros() const {
  const auto count = std::size_t(shape_.total());
  Buffer memory(CacheAligned<std::complex<double>>().allocate(count));
  std::fill_n(memory.get(), count, std::complex<double>(0.0));
  return memory;
}

void FourierFilter::transform_axis(std::complex<double>* grid, int axis, bool forward) const {
  const Plans::Axis& plan = plans_->axes[axis];
  const int direction = forward ? 0 : 1;
  Index outer = 1;
  for (int a = 0; a < axis; ++a) {
    outer *= shape_.stored[a];
  }
  const Index batches = (plan.lines + lines_per_batch - 1) / lines_per_batch;
  parallel_chunks(outer * batches, 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Index first = k % batches * lines_per_batch;
      auto* line = grid + (k / batches * shape_.stored[axis] + shape_.offset[axis]) * plan.stride + first;
      const bool whole = plan.rest[direction] == nullptr || first + lines_per_batch <= plan.lines;
      (whole ? plan.whole : plan.rest)[direction]->execute(line);
    }
  });
}

void FourierFilter::filter_lines(std::complex<double>* grid) const {
  const int last = shape_.dimension - 1;
  const Plans::Axis& plan = plans_->axes[last];
  const Index rows = last > 0 ? shape_.size[0] : 1;
  const Index layers = last > 1 ? shape_.size[1] : 1;
  parallel_chunks(rows * layers, 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Index i = k / layers;
      const Index j = k % layers;
      double outer = 1.0;
      Index start = 0;
      if (last > 0) {
        outer = factors_[0][i];
        start = i + shape_.offset[0];
      }
      if (last > 1) {
        outer *= factors_[1][j];
        start = start * shape_.stored[1] + j + shape_.offset[1];
      }
      auto* line = grid + (start * shape_.stored[last] + shape_.offset[last]) * plan.stride;
      plan.whole[0]->execute(line);
      for (Index l = 0; l < shape_.size[last]; ++l) {
        const double factor = outer * factors_[last][l];
        for (Index c = 0; c < plan.stride; ++c) {
          line[l * plan.stride + c] *= factor;
        }
      }
      plan.whole[1]->execute(line);
    }
  });
}

void FourierFilter::apply(std::complex<double>* grid) const {
  for (int a = 0; a < shape_.dimension - 1; ++a) {
    transform_axis(grid, a, true);
  }
  filter_lines(grid);
  for (int a = shape_.dimension - 2; a >= 0; --a) {
    transform_axis(grid, a, false);
  }
}

}  // namespace itomap::detail
