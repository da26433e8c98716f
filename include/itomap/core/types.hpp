// The array types that every other header speaks.
//
// A point cloud is a row-major m x N matrix: one row a point, as NumPy and C store it. A block of functions on the
// points is a row-major m x b matrix: the b values at one point lie side by side, which is what products with a kernel
// want. Views take any such memory without a copy, a memory-mapped file included.
#pragma once

#include <Eigen/Core>

namespace itomap {

using Index = Eigen::Index;

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Points = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Block = Points;

using VectorView = Eigen::Ref<const Vector>;
using PointsView = Eigen::Ref<const Points>;

}  // namespace itomap
