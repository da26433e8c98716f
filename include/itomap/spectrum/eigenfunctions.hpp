// Functions on the points, real or complex, one column each: right and left eigenfunctions, and their extensions.
//
//   spectrum.eigenfunctions.col(1);          // psi_1 of a reversible map, all of it; of the others its real part
//   spectrum.eigenfunctions.complex(1);      // psi_1 of any map
#pragma once

#include "itomap/core/types.hpp"

namespace itomap {

struct Eigenfunctions {
  Block re{};  ///< m x (K+1)
  Block im{};  ///< the same, or no columns: all functions are real

  bool is_real() const { return im.cols() == 0; }
  Index rows() const { return re.rows(); }
  Index cols() const { return re.cols(); }

  /// The real part of function n.
  auto col(Index n) const { return re.col(n); }
  Eigen::VectorXcd complex(Index n) const;
  /// |psi|^2 of all of them.
  Block squared() const { return is_real() ? Block(re.cwiseAbs2()) : Block(re.cwiseAbs2() + im.cwiseAbs2()); }
};

}  // namespace itomap
