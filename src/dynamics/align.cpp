#include "itomap/dynamics/align.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

using Atoms = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Atom = Eigen::RowVector3d;
using Rotation = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using AtomsMap = Eigen::Map<const Atoms>;

AtomsMap atoms_of(const double* frame, Index dimension) { return {frame, dimension / 3, 3}; }

/// The reference, prepared once for all frames.
class Fit {
 public:
  explicit Fit(const Alignment& alignment) : atoms_(alignment.atoms), dimension_(alignment.reference.size()) {
    if (atoms_.empty()) {
      atoms_.resize(std::size_t(dimension_ / 3));
      std::iota(atoms_.begin(), atoms_.end(), Index{0});
    }
    const Atoms chosen = atoms_of(alignment.reference.data(), dimension_)(atoms_, Eigen::all);
    centre_ = chosen.colwise().mean();
    reference_ = chosen.rowwise() - centre_;
  }

  /// Two directions are needed to fix a rotation.
  bool is_flat() const {
    const Eigen::Matrix3d moments = reference_.transpose() * reference_;
    const Eigen::Vector3d squares = Eigen::JacobiSVD<Eigen::Matrix3d>(moments).singularValues();
    constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();  // of the largest, and some more
    return squares(1) <= rounding * squares(0);
  }

  Rotation move(const double* frame, double* moved) const {
    const AtomsMap x = atoms_of(frame, dimension_);
    const Atoms chosen = x(atoms_, Eigen::all);
    const Atom centre = chosen.colwise().mean();
    const Rotation rotation = kabsch((chosen.rowwise() - centre).transpose() * reference_);
    Eigen::Map<Atoms> y(moved, x.rows(), 3);
    y = ((x.rowwise() - centre) * rotation.transpose()).rowwise() + centre_;
    return rotation;
  }

 private:
  static Rotation kabsch(const Eigen::Matrix3d& correlation) {
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(correlation, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double mirrored = (svd.matrixV() * svd.matrixU().transpose()).determinant() < 0.0 ? -1.0 : 1.0;
    const Eigen::Vector3d signs(1.0, 1.0, mirrored);
    return svd.matrixV() * signs.asDiagonal() * svd.matrixU().transpose();
  }

  std::vector<Index> atoms_;
  Index dimension_;
  Atom centre_;
  Atoms reference_;  // chosen atoms about their centroid
};

}  // namespace

void Alignment::validate(Index dimension) const {
  if (dimension % 3 != 0 || dimension == 0) {
    throw InvalidArgument(
        fmt::format("align: {} coordinates are not 3 per atom; give x y z of every atom, or do not align", dimension));
  }
  if (reference.size() != dimension) {
    throw InvalidArgument(fmt::format("align: the reference has {} coordinates, the frames have {}; take one frame",
                                      reference.size(), dimension));
  }
  for (const Index atom : atoms) {
    if (atom < 0 || atom >= dimension / 3) {
      throw InvalidArgument(
          fmt::format("align: atom {} does not exist; there are {}, counted from 0", atom, dimension / 3));
    }
  }
  std::vector<Index> ascending = atoms;
  std::sort(ascending.begin(), ascending.end());
  const auto twice = std::adjacent_find(ascending.begin(), ascending.end());
  if (twice != ascending.end()) {
    throw InvalidArgument(fmt::format("align: atom {} is named twice; name it once", *twice));
  }
  const Index chosen = atoms.empty() ? dimension / 3 : Index(atoms.size());
  if (chosen < 3) {
    throw InvalidArgument(fmt::format("align: {} atoms do not fix a rotation; name at least 3", chosen));
  }
  if (!reference.allFinite()) {
    throw InvalidArgument("align: the reference holds NaN or infinity; take another frame");
  }
  if (Fit(*this).is_flat()) {
    throw InvalidArgument("align: the chosen atoms lie on a line in the reference; name others, or another reference");
  }
}

AlignedFrames align_frames(PointsView frames, const Alignment& alignment) {
  alignment.validate(frames.cols());
  const Fit fit(alignment);
  AlignedFrames aligned{Points(frames.rows(), frames.cols()), Points(frames.rows(), 9)};
  parallel_chunks(frames.rows(), row_chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Eigen::Map<Rotation>(aligned.rotations.row(i).data()) =
          fit.move(frames.row(i).data(), aligned.frames.row(i).data());
    }
  });
  return aligned;
}

void rotate_increment(const double* rotation, double* increment, Index dimension) {
  const Rotation r = Eigen::Map<const Rotation>(rotation);
  for (Index a = 0; a < dimension; a += 3) {
    Eigen::Map<Eigen::Vector3d> v(increment + a);
    v = (r * v).eval();
  }
}

}  // namespace itomap
