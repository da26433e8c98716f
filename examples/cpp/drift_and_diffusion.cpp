// A process that is not reversible: a rotating Ornstein-Uhlenbeck process by LKDmap, with its complex eigenvalues.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>

namespace {

// A regular lattice on [-4, 4]^2: where the points come from does not matter, only that they cover the process.
itomap::Points lattice(itomap::Index side) {
  const itomap::Vector axis = itomap::Vector::LinSpaced(side, -4.0, 4.0);
  itomap::Points points(side * side, 2);
  for (itomap::Index i = 0; i < points.rows(); ++i) {
    points.row(i) << axis(i / side), axis(i % side);
  }
  return points;
}

}  // namespace

int main() {
  const itomap::Points points = lattice(50);

  // dX = B X dt + sqrt(2) dW with B = (-1, 2; -2, -1): drift b = B x, diffusion A = I.
  const itomap::Matrix B{{-1.0, 2.0}, {-2.0, -1.0}};
  const itomap::Points drift = points * B.transpose();

  const auto map = itomap::local_kernel_map(points, drift, itomap::Diffusion::constant(1.0), {.epsilon = 0.02});
  const auto spectrum = itomap::eigenpairs(map, {.count = 2});
  const auto lambda = spectrum.eigenvalues(1);
  std::printf("lambda_1 = %.3f %+.3f i (exact -1 +2 i)\n", lambda.real(), lambda.imag());

  return std::abs(lambda - std::complex<double>(-1.0, 2.0)) < 0.2 ? 0 : 1;
}
