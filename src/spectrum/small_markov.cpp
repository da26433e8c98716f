#include "spectrum/small_markov.hpp"

#include "core/dense_algebra.hpp"

namespace itomap::detail {
namespace {

/// A stationary distribution of a small Markov matrix: of all its left vectors of mu = 1, each of one sign wherever the
/// process may end.
Vector fixed_distribution(const Matrix& p) {
  const Index n = p.rows();
  const Matrix moved = (p - Matrix::Identity(n, n)).transpose();
  Index ends = 1;
  constexpr double fixed = 1e-12;
  while (ends < n && (moved * null_vectors(moved, ends + 1)).norm() < fixed) {
    ++ends;
  }
  const Vector sum = null_vectors(moved, ends).cwiseAbs().rowwise().sum();
  return sum / sum.sum();
}

/// All modes of a component but its zero mode, 1 and phi.
void add_modes(const std::vector<Index>& points, const Matrix& p, const Vector& phi, double tolerance,
               std::vector<SmallMarkovMode>& modes) {
  // The zero mode moved from mu = 1 to -2, where no other is: what remains is biorthogonal to it, even where the
  // component may end in several places and mu = 1 occurs again.
  const Matrix rest = p - 3.0 * Vector::Ones(p.rows()) * phi.transpose();
  const GeneralEigen pairs = general_pairs(rest);
  const ComplexMatrix left =
      solved(pairs.vectors, ComplexMatrix::Identity(p.rows(), p.cols())).transpose();  // biorthonormal columns
  // Vectors of a defective matrix have no left sides, whatever comes out for them.
  const ComplexMatrix defect = rest.transpose() * left - left * pairs.values.asDiagonal();
  for (Index n = 0; n < pairs.values.size(); ++n) {
    const bool two_sided = defect.col(n).norm() < tolerance * left.col(n).norm();
    const bool zero_mode = pairs.values[n].real() < -1.5;  // of a Markov matrix nothing else is beyond -1
    if (two_sided && !zero_mode) {
      modes.push_back({pairs.values[n], &points, {pairs.vectors.col(n), left.col(n)}});
    }
  }
}

}  // namespace

SmallMarkov small_markov(const SmallComponents& small, const LinearOperator& p, double tolerance) {
  SmallMarkov all{Vector::Zero(p.size), {}};
  if (small.none()) {
    return all;
  }
  const auto matrices = small.matrices(p);
  for (std::size_t c = 0; c < matrices.size(); ++c) {
    const std::vector<Index>& points = small.members()[c];
    const Vector phi = fixed_distribution(matrices[c]);
    all.stationary(points) = phi;
    add_modes(points, matrices[c], phi, tolerance, all.modes);
  }
  return all;
}

}  // namespace itomap::detail
