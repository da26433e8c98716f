#include "solvers/orthogonal.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "solvers/tall_loops.hpp"

namespace itomap::detail {

namespace {

/// Rows of V and W that stay in the second-level cache while all groups of columns pass over them.
constexpr Index slice = 256;

/// Some columns of a block by themselves, as wide as the loops take them.
using FewColumns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// How many of the columns that are left a loop takes together: eight, or four, the last of which may be zeros.
Index taken_together(Index left) { return left >= wide_lanes ? wide_lanes : tall_lanes; }

/// Columns [first, first + 4) of the rows, as far as there are any, filled up with zeros.
void take_columns(PointsView w, Index row, Index rows, Index first, FewColumns& few) {
  const Index width = std::min<Index>(tall_lanes, w.cols() - first);
  few.setZero(rows, tall_lanes);
  few.leftCols(width) = w.block(row, first, rows, width);
}

TallColumns<const double> tall(PointsView v, Index row) {
  return {v.data() + row * v.outerStride(), v.outerStride(), v.cols()};
}

/// For a loop over all rows that multiplies each by a matrix of so many entries.
Operations operations_over(Index rows, Index entries) { return {double(rows) * double(entries)}; }

/// W -= V H, by one thread.
void subtract_rows(PointsView v, const Matrix& h, BlockRef w) {
  const TallLoops loops = tall_loops();
  FewColumns few;
  FewColumns coefficients;
  for (Index first = 0; first < w.cols();) {
    const Index together = taken_together(w.cols() - first);
    const Index width = std::min(together, w.cols() - first);
    coefficients.setZero(h.rows(), together);
    coefficients.leftCols(width) = h.middleCols(first, width);
    for (Index row = 0; row < v.rows(); row += slice) {
      const Index rows = std::min(slice, v.rows() - row);
      if (width == together) {
        loops.subtract(tall(v, row), coefficients.data(), rows, {&w(row, first), w.outerStride(), together});
        continue;
      }
      take_columns(w, row, rows, first, few);
      loops.subtract(tall(v, row), coefficients.data(), rows, {few.data(), together, together});
      w.block(row, first, rows, width) = few.leftCols(width);
    }
    first += together;
  }
}

/// V^T W of rows [begin, end).
Matrix inner_of_rows(PointsView v, PointsView w, Index begin, Index end) {
  const TallLoops loops = tall_loops();
  Matrix result(v.cols(), w.cols());
  FewColumns few;
  for (Index first = 0; first < w.cols();) {
    const Index together = taken_together(w.cols() - first);
    const Index width = std::min(together, w.cols() - first);
    FewColumns sums = FewColumns::Zero(v.cols(), together);
    for (Index row = begin; row < end; row += slice) {
      const Index rows = std::min(slice, end - row);
      TallColumns<const double> columns{w.data() + row * w.outerStride() + first, w.outerStride(), together};
      if (width < together) {
        take_columns(w, row, rows, first, few);
        columns = {few.data(), together, together};
      }
      loops.inner(tall(v, row), columns, rows, sums.data());
    }
    result.middleCols(first, width) = sums.leftCols(width);
    first += together;
  }
  return result;
}

}  // namespace

Matrix inner(PointsView v, PointsView w) {
  const Operations useful = operations_over(v.rows(), v.cols() * w.cols());
  return parallel_sum(v.rows(), row_chunk, useful, v.cols(), w.cols(),
                      [&](Index begin, Index end) { return inner_of_rows(v, w, begin, end); });
}

void subtract_product(PointsView v, const Matrix& h, BlockRef w) {
  parallel_chunks(v.rows(), row_chunk, operations_over(v.rows(), h.size()), [&](Index begin, Index end) {
    subtract_rows(v.middleRows(begin, end - begin), h, w.middleRows(begin, end - begin));
  });
}

Block product(PointsView v, const Matrix& q) {
  Block result = Block::Zero(v.rows(), q.cols());
  subtract_product(v, -q, result);
  return result;
}

void rotate(BlockRef v, const Matrix& q) {
  const Matrix minus_q = -q;
  parallel_chunks(v.rows(), row_chunk, operations_over(v.rows(), q.size()), [&](Index begin, Index end) {
    const Block rows = v.block(begin, 0, end - begin, q.rows());
    auto rotated = v.block(begin, 0, end - begin, q.cols());
    rotated.setZero();
    subtract_rows(rows, minus_q, rotated);
  });
}

Vector column_norms(PointsView v) {
  return parallel_sum(v.rows(), row_chunk, operations_over(v.rows(), v.cols()), v.cols(), 1,
                      [&](Index begin, Index end) -> Matrix {
                        return v.middleRows(begin, end - begin).colwise().squaredNorm().transpose();
                      })
      .cwiseSqrt();
}

Block joined(const Block& a, const Block& b) {
  Block both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

void normalise_columns(BlockRef v) {
  const Vector norms = column_norms(v);
  const Vector factors = norms.unaryExpr([](double norm) { return norm > 0.0 ? 1.0 / norm : 1.0; });
  parallel_chunks(v.rows(), row_chunk, operations_over(v.rows(), v.cols()), [&](Index begin, Index end) {
    v.middleRows(begin, end - begin).array().rowwise() *= factors.transpose().array();
  });
}

Matrix project_out(PointsView v, BlockRef w) {
  Matrix coefficients = Matrix::Zero(v.cols(), w.cols());
  if (v.cols() == 0) {
    return coefficients;
  }
  // Rounding leaves a part of V in W that the second pass removes. What it must take out is summed while the first one
  // has the rows of V at hand.
  coefficients = inner(v, w);
  const Operations useful = operations_over(v.rows(), 2 * v.cols() * w.cols());
  const Matrix left =
      parallel_sum(v.rows(), row_chunk, useful, v.cols(), w.cols(), [&](Index begin, Index end) -> Matrix {
        Matrix sums = Matrix::Zero(v.cols(), w.cols());
        for (Index row = begin; row < end; row += slice) {
          const Index rows = std::min(slice, end - row);
          subtract_rows(v.middleRows(row, rows), coefficients, w.middleRows(row, rows));
          sums += inner_of_rows(v, w, row, row + rows);
        }
        return sums;
      });
  subtract_product(v, left, w);
  coefficients += left;
  return coefficients;
}

namespace {

/// W R^-1 for an upper triangular R.
void divide(BlockRef w, const Matrix& r) {
  const Matrix inverse = r.triangularView<Eigen::Upper>().solve(Matrix::Identity(r.rows(), r.cols()));
  parallel_chunks(w.rows(), row_chunk, operations_over(w.rows(), r.size()), [&](Index begin, Index end) {
    const Block rows = w.middleRows(begin, end - begin);
    w.middleRows(begin, end - begin).noalias() = rows * inverse;
  });
}

/// Two passes of Cholesky QR: reads W four times however wide it is. False, W unchanged, if the columns are so close to
/// dependent that it would lose digits.
bool cholesky_orthonormalise(BlockRef w, double tolerance, Matrix& r) {
  r = Matrix::Identity(w.cols(), w.cols());
  for (int pass = 0; pass < 2; ++pass) {
    const Matrix gram = inner(w, w);
    const Eigen::LLT<Matrix> factor(gram);
    const Matrix upper = factor.matrixU();
    const double largest = upper.diagonal().maxCoeff();
    const double smallest = upper.diagonal().minCoeff();
    // Squared in the Gram matrix, a ratio of 1e-5 still leaves the second pass six digits to work with.
    if (factor.info() != Eigen::Success || !(smallest > 1e-2 * largest) || !(smallest > tolerance)) {
      return false;
    }
    divide(w, upper);
    r = (upper * r).eval();
  }
  return true;
}

Matrix gram_schmidt(BlockRef w, double tolerance, std::vector<Index>& dependent) {
  Matrix r = Matrix::Zero(w.cols(), w.cols());
  for (Index c = 0; c < w.cols(); ++c) {
    r.col(c).head(c) = project_out(w.leftCols(c), w.middleCols(c, 1));
    const double norm = column_norms(w.middleCols(c, 1))[0];
    if (norm <= tolerance) {
      dependent.push_back(c);
      w.col(c).setZero();
    } else {
      r(c, c) = norm;
      w.col(c) /= norm;
    }
  }
  return r;
}

}  // namespace

Matrix orthonormalise(BlockRef w, double tolerance, std::vector<Index>& dependent) {
  Matrix r(0, 0);
  if (w.cols() == 0) {
    return r;
  }
  return cholesky_orthonormalise(w, tolerance, r) ? r : gram_schmidt(w, tolerance, dependent);
}

}  // namespace itomap::detail
