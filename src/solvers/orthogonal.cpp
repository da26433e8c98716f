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

using FourColumns = Eigen::Matrix<double, Eigen::Dynamic, tall_lanes, Eigen::RowMajor>;

/// Columns [first, first + 4) of the rows, filled up with zeros.
void take_columns(PointsView w, Index row, Index rows, Index first, FourColumns& four) {
  const Index width = std::min<Index>(tall_lanes, w.cols() - first);
  four.setZero(rows, tall_lanes);
  four.leftCols(width) = w.block(row, first, rows, width);
}

/// Whether W is four columns and nothing else, as the loops want them.
bool is_four_columns(PointsView w) { return w.cols() == tall_lanes && w.outerStride() == tall_lanes; }

/// For a loop over all rows that multiplies each by a matrix of so many entries.
Operations operations_over(Index rows, Index entries) { return {double(rows) * double(entries)}; }

/// W -= V H, by one thread.
void subtract_rows(PointsView v, const Matrix& h, BlockRef w) {
  const TallLoops loops = tall_loops();
  FourColumns four;
  FourColumns coefficients;
  for (Index first = 0; first < w.cols(); first += tall_lanes) {
    take_columns(h, 0, h.rows(), first, coefficients);
    const Index width = std::min<Index>(tall_lanes, w.cols() - first);
    for (Index row = 0; row < v.rows(); row += slice) {
      const Index rows = std::min(slice, v.rows() - row);
      const double* row_of_v = v.data() + row * v.outerStride();
      if (is_four_columns(w)) {
        loops.subtract(row_of_v, v.outerStride(), v.cols(), coefficients.data(), rows, &w(row, 0));
        continue;
      }
      take_columns(w, row, rows, first, four);
      loops.subtract(row_of_v, v.outerStride(), v.cols(), coefficients.data(), rows, four.data());
      w.block(row, first, rows, width) = four.leftCols(width);
    }
  }
}

}  // namespace

Matrix inner(PointsView v, PointsView w) {
  const TallLoops loops = tall_loops();
  const Operations useful = operations_over(v.rows(), v.cols() * w.cols());
  return parallel_sum(v.rows(), row_chunk, useful, v.cols(), w.cols(), [&](Index begin, Index end) -> Matrix {
    Matrix result(v.cols(), w.cols());
    FourColumns four;
    for (Index first = 0; first < w.cols(); first += tall_lanes) {
      FourColumns sums = FourColumns::Zero(v.cols(), tall_lanes);
      for (Index row = begin; row < end; row += slice) {
        const Index rows = std::min(slice, end - row);
        const double* columns = w.data() + row * w.outerStride();
        if (!is_four_columns(w)) {
          take_columns(w, row, rows, first, four);
          columns = four.data();
        }
        loops.inner(v.data() + row * v.outerStride(), v.outerStride(), v.cols(), columns, rows, sums.data());
      }
      const Index width = std::min<Index>(tall_lanes, w.cols() - first);
      result.middleCols(first, width) = sums.leftCols(width);
    }
    return result;
  });
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
  // Rounding leaves a part of V in W that the second pass removes.
  for (int pass = 0; pass < 2; ++pass) {
    const Matrix h = inner(v, w);
    subtract_product(v, h, w);
    coefficients += h;
  }
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
