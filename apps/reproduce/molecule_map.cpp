#include "reproduce/molecule_map.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "itomap/generator/local_kernel_map.hpp"
#include "reproduce/dihedral.hpp"
#include "reproduce/modes.hpp"

namespace itomap::reproduce {
namespace {

struct SlowDirection {
  double diffusion = 0.0;
  Vector direction;
};

SlowDirection slow_direction(const DynamicsEstimate& estimate, Index point) {
  const Index n = estimate.points.cols();
  const Eigen::Map<const Points> a(estimate.diffusion.row(point).data(), n, n);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver{Matrix(a)};
  return {solver.eigenvalues()[n - 1], solver.eigenvectors().col(n - 1)};
}

}  // namespace

Map molecule_map(const DynamicsEstimate& estimate, double lag, const Blur& blur, const Execution& execution) {
  return local_kernel_map(
      estimate.points, estimate.drift, Diffusion::matrices(estimate.diffusion),
      {.epsilon = lag, .density_epsilon = blur.density_epsilon, .eta = blur.eta, .execution = execution});
}

Conformations conformations(const DynamicsEstimate& estimate, double lag, const Blur& blur,
                            const Execution& execution) {
  const Map map = molecule_map(estimate, lag, blur, execution);
  const Spectrum spectrum = eigenpairs(map, {.count = 2});
  const auto modes = trusted_modes(spectrum);
  Conformations found{NAN, NAN, 0.0};
  if (modes.size() >= 2) {
    found.t_1 = spectrum.timescales[modes[0]];
    found.t_2 = spectrum.timescales[modes[1]];
  }
  const Vector angles = dihedral_angles(estimate.points);
  for (Index i = 0; i < angles.size(); ++i) {
    found.anti += angles[i] >= 120 && angles[i] < 240 ? spectrum.stationary[i] : 0.0;
  }
  return found;
}

DynamicsEstimate thinned(const DynamicsEstimate& estimate, Index points) {
  const Index all = estimate.points.rows();
  std::vector<Index> rows;
  for (Index k = 0; k < std::min(points, all); ++k) {
    rows.push_back(k * all / std::min(points, all));
  }
  DynamicsEstimate some;
  some.points = estimate.points(rows, Eigen::all);
  some.drift = estimate.drift(rows, Eigen::all);
  some.diffusion = estimate.diffusion(rows, Eigen::all);
  some.suggested_eta = estimate.suggested_eta;
  return some;
}

Vector slow_diffusion(const DynamicsEstimate& estimate) {
  Vector values(estimate.points.rows());
  for (Index i = 0; i < values.size(); ++i) {
    values[i] = slow_direction(estimate, i).diffusion;
  }
  return values;
}

DynamicsEstimate drift_of_blurred(DynamicsEstimate estimate, double eta) {
  for (Index i = 0; i < estimate.points.rows(); ++i) {
    const auto slow = slow_direction(estimate, i);
    const double along = estimate.drift.row(i).dot(slow.direction);
    estimate.drift.row(i) += eta / slow.diffusion * along * slow.direction.transpose();
  }
  return estimate;
}

}  // namespace itomap::reproduce
