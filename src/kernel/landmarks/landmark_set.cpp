#include "kernel/landmarks/landmark_set.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/vector_exp.hpp"
#include "itomap/core/error.hpp"
#include "kernel/graph_builder.hpp"

namespace itomap::detail {
namespace {

/// Added to the diagonal of K_zz, where landmarks so close together that rounding cannot tell them apart would make it
/// singular: the kernel is off by no more than this there.
constexpr double smallest_pivot = 1e-6;

/// The interpolation multiplies what is cut off by up to smallest_pivot^-1/2.
constexpr double largest_cutoff = 1e-8;

}  // namespace

LandmarkSet::LandmarkSet(double cutoff) : cutoff_(std::min(cutoff, largest_cutoff)), limit_(-std::log(cutoff_)) {}

void LandmarkSet::set_places(const Points& places) {
  places_ = places;
  strips_ = std::make_unique<const Strips>(places);
  UnionFind sets(size());
  for (Index l = 0; l < size(); ++l) {
    for (Index k = 0; k < l; ++k) {
      if ((places.row(l) - places.row(k)).squaredNorm() <= limit_) {
        sets.unite(l, k);
      }
    }
  }
  component_.resize(std::size_t(size()));
  for (Index l = 0; l < size(); ++l) {
    component_[std::size_t(l)] = sets.root(l);
  }
}

std::size_t LandmarkSet::memory() const {
  return strips_->memory() + std::size_t(factor_.size() + places_.size()) * sizeof(double);
}

void LandmarkSet::factorise() {
  const Index n = size();
  Matrix k(n, n);
  parallel_chunks(n, 64, [&](Index begin, Index end) {
    for (Index l = begin; l < end; ++l) {
      Vector u(n);
      for (Index j = 0; j < n; ++j) {
        const bool joined = component_[std::size_t(j)] == component_[std::size_t(l)];
        u[j] = joined ? (places_.row(l) - places_.row(j)).squaredNorm() : HUGE_VAL;
      }
      exp_of_negative(u.data(), n);
      k.col(l) = u;
    }
  });
  double pivot = smallest_pivot;
  Eigen::LLT<Matrix> llt;
  do {
    k.diagonal().setConstant(1.0 + pivot);
    llt.compute(k);
    pivot *= 10.0;
  } while (llt.info() != Eigen::Success && pivot < 1.0);
  if (llt.info() != Eigen::Success) {
    throw NumericalError("landmarks: their kernel matrix is singular; take fewer, or another engine");
  }
  factor_ = llt.matrixL();
}

Block LandmarkSet::whitened(PointsView u) const {
  if (u.cols() == 0) {
    return u;  // which the solver would look at
  }
  return factor_.triangularView<Eigen::Lower>().solve(Matrix(u));
}

Block LandmarkSet::unwhitened(PointsView u) const {
  if (u.cols() == 0) {
    return u;
  }
  return factor_.transpose().triangularView<Eigen::Upper>().solve(Matrix(u));
}

Matrix LandmarkSet::whitened_both(Matrix m, bool symmetric) const {
  constexpr Index columns = 64;
  const auto lower = factor_.triangularView<Eigen::Lower>();
  const auto solve_columns = [&] {
    parallel_chunks(size(), columns, [&](Index begin, Index end) {
      auto part = m.middleCols(begin, end - begin);
      lower.solveInPlace(part);
    });
  };
  solve_columns();
  m.transposeInPlace();
  solve_columns();
  m.transposeInPlace();
  return symmetric ? Matrix(0.5 * (m + m.transpose())) : m;
}

}  // namespace itomap::detail
