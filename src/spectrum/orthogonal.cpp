#include "spectrum/orthogonal.hpp"

#include <cmath>
#include <vector>

#include "core/parallel.hpp"

namespace itomap {

Matrix inner(PointsView v, PointsView w, int threads) {
  return parallel_sum(v.rows(), row_chunk, threads, v.cols(), w.cols(), [&](Index begin, Index end) -> Matrix {
    return v.middleRows(begin, end - begin).transpose() * w.middleRows(begin, end - begin);
  });
}

void subtract_product(PointsView v, const Matrix& h, BlockRef w, int threads) {
  parallel_chunks(v.rows(), row_chunk, threads, [&](Index begin, Index end) {
    w.middleRows(begin, end - begin).noalias() -= v.middleRows(begin, end - begin) * h;
  });
}

Block product(PointsView v, const Matrix& q, int threads) {
  Block result(v.rows(), q.cols());
  parallel_chunks(v.rows(), row_chunk, threads, [&](Index begin, Index end) {
    result.middleRows(begin, end - begin).noalias() = v.middleRows(begin, end - begin) * q;
  });
  return result;
}

void rotate(BlockRef v, const Matrix& q, int threads) {
  parallel_chunks(v.rows(), row_chunk, threads, [&](Index begin, Index end) {
    const Block rows = v.block(begin, 0, end - begin, q.rows());
    v.block(begin, 0, end - begin, q.cols()).noalias() = rows * q;
  });
}

Vector column_norms(PointsView v, int threads) {
  return parallel_sum(v.rows(), row_chunk, threads, v.cols(), 1,
                      [&](Index begin, Index end) -> Matrix {
                        return v.middleRows(begin, end - begin).colwise().squaredNorm().transpose();
                      })
      .cwiseSqrt();
}

Matrix project_out(PointsView v, BlockRef w, int threads) {
  Matrix coefficients = Matrix::Zero(v.cols(), w.cols());
  if (v.cols() == 0) {
    return coefficients;
  }
  for (int pass = 0; pass < 2; ++pass) {
    const Matrix h = inner(v, w, threads);
    subtract_product(v, h, w, threads);
    coefficients += h;
  }
  return coefficients;
}

Matrix orthonormalise(BlockRef w, double tolerance, int threads, std::vector<Index>& dependent) {
  Matrix r = Matrix::Zero(w.cols(), w.cols());
  for (Index c = 0; c < w.cols(); ++c) {
    r.col(c).head(c) = project_out(w.leftCols(c), w.middleCols(c, 1), threads);
    const double norm = column_norms(w.middleCols(c, 1), threads)[0];
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

}  // namespace itomap
