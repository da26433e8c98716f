#include "solvers/search_space.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "solvers/orthogonal.hpp"

namespace itomap::detail {

namespace {

/// A rough inverse at one of its own eigenvalues gives no direction. One such column would be in all that follows: the
/// search takes a random one instead, as it does for zero.
void clear_what_is_no_number(Block& w) {
  const Vector norms = column_norms(w);
  for (Index c = 0; c < w.cols(); ++c) {
    if (!std::isfinite(norms[c])) {
      w.col(c).setZero();
    }
  }
}

}  // namespace

SearchSpace::SearchSpace(const LinearOperator& a, PointsView locked, Index capacity, std::uint64_t seed)
    : a_(a), locked_(locked), capacity_(capacity), v_(a.size, capacity), image_(a.size, capacity), seed_(seed) {}

void SearchSpace::extend(Block w) {
  normalise_columns(w);
  clear_what_is_no_number(w);
  while (!appendable(w)) {
  }
  const Index b = w.cols();
  Block image = a_.apply(w);
  products_ += b;
  subtract_product(locked_, inner(locked_, image), image);
  Matrix h(size_ + b, size_ + b);
  h.topLeftCorner(size_, size_) = h_;
  if (!a_.symmetric) {
    h.bottomLeftCorner(b, size_) = inner(w, image_.leftCols(size_));
  }
  v_.middleCols(size_, b) = w;
  image_.middleCols(size_, b) = image;
  size_ += b;
  h.rightCols(b) = inner(v_.leftCols(size_), image);
  if (a_.symmetric) {
    h.bottomRows(b) = h.rightCols(b).transpose().eval();
  }
  h_ = std::move(h);
}

void SearchSpace::restart(const Matrix& q) {
  rotate(v_.leftCols(size_), q);
  rotate(image_.leftCols(size_), q);
  h_ = (q.transpose() * h_ * q).eval();
  size_ = q.cols();
}

Block SearchSpace::vectors(const Matrix& q) const { return product(v_.leftCols(size_), q); }
Block SearchSpace::images(const Matrix& q) const { return product(image_.leftCols(size_), q); }

/// One round of making w orthonormal to all there is; false if another is needed.
bool SearchSpace::appendable(Block& w) {
  project_out(locked_, w);
  project_out(v_.leftCols(size_), w);
  std::vector<Index> dependent;
  const Matrix r = orthonormalise(w, breakdown, dependent);
  for (const Index c : dependent) {
    w.col(c) = a_.random(1, seed_++).col(0) / std::sqrt(double(a_.dimension()) / 3.0);
  }
  // What little of V the projection left in w grows by the inverse of the smallest entry.
  return dependent.empty() && r.diagonal().minCoeff() > 1e-2;
}

}  // namespace itomap::detail
