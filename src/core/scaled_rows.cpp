#include "core/scaled_rows.hpp"

#include "core/parallel.hpp"

namespace itomap::detail {

Block scaled_rows(const Vector& s, PointsView x) {
  Block result(x.rows(), x.cols());
  parallel_chunks(x.rows(), row_chunk, Operations{double(x.size())}, [&](Index begin, Index end) {
    result.middleRows(begin, end - begin) =
        s.segment(begin, end - begin).asDiagonal() * x.middleRows(begin, end - begin);
  });
  return result;
}

void scale_rows(const Vector& s, Eigen::Ref<Block> x) {
  parallel_chunks(x.rows(), row_chunk, Operations{double(x.size())}, [&](Index begin, Index end) {
    x.middleRows(begin, end - begin) = s.segment(begin, end - begin).asDiagonal() * x.middleRows(begin, end - begin);
  });
}

}  // namespace itomap::detail
