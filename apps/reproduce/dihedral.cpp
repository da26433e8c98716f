#include "reproduce/dihedral.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace itomap::reproduce {
namespace {

constexpr double degree = std::numbers::pi / 180;

double dihedral_angle(const double* frame) {
  const auto atom = [&](Index a) { return Eigen::Vector3d(frame[3 * a], frame[3 * a + 1], frame[3 * a + 2]); };
  const Eigen::Vector3d axis = atom(2) - atom(1);
  const Eigen::Vector3d first = (atom(1) - atom(0)).cross(axis);
  const Eigen::Vector3d second = axis.cross(atom(3) - atom(2));
  const double angle = std::atan2(first.cross(second).dot(axis.normalized()), first.dot(second)) / degree;
  return angle < 0 ? angle + 360 : angle;
}

Vector harmonics_at(double angle, Index size) {
  Vector values(size);
  values[0] = 1;
  for (Index k = 1; k < size; ++k) {
    const Index harmonic = (k + 1) / 2;
    const double turns = double(harmonic) * angle * degree;
    values[k] = k % 2 == 1 ? std::cos(turns) : std::sin(turns);
  }
  return values;
}

}  // namespace

Vector dihedral_angles(PointsView frames) {
  Vector angles(frames.rows());
  for (Index i = 0; i < frames.rows(); ++i) {
    angles[i] = dihedral_angle(frames.row(i).data());
  }
  return angles;
}

double AngleFit::at(double angle) const { return coefficients.dot(harmonics_at(angle, coefficients.size())); }

Points angle_functions(VectorView angles, Index harmonics) {
  Points values(angles.size(), 2 * harmonics + 1);
  for (Index i = 0; i < angles.size(); ++i) {
    values.row(i) = harmonics_at(angles[i], values.cols());
  }
  return values;
}

AngleFit fit_by_angle(VectorView angles, VectorView values, Index harmonics) {
  const Points basis = angle_functions(angles, harmonics);
  AngleFit fit{Matrix(basis.transpose() * basis).fullPivLu().solve(Vector(basis.transpose() * values))};
  const double rest = (values - basis * fit.coefficients).squaredNorm();
  fit.explained = 1 - rest / (values.array() - values.mean()).matrix().squaredNorm();
  return fit;
}

}  // namespace itomap::reproduce
