#include "support/matrix_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/dense_algebra.hpp"
#include "generator/generator.hpp"
#include "support/samples.hpp"

namespace itomap::test {
namespace {

class MatrixKernel final : public detail::KernelOperator {
 public:
  explicit MatrixKernel(Matrix kernel) : kernel_(std::move(kernel)) {}

  Index size() const override { return kernel_.rows(); }
  void apply(PointsView x, Eigen::Ref<Block> y) const override { y = kernel_ * x; }
  void apply_transpose(PointsView x, Eigen::Ref<Block> y) const override { y = kernel_.transpose() * x; }
  void apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      y.row(Index(i)) = kernel_.row(rows[i]) * x;
    }
  }
  bool symmetric() const override { return kernel_ == kernel_.transpose(); }
  bool cheap() const override { return false; }
  std::size_t memory() const override { return std::size_t(kernel_.size()) * sizeof(double); }
  detail::KernelGraph graph() const override { return {}; }

 private:
  Matrix kernel_;
};

Map map_of(const Matrix& kernel, double epsilon) {
  const Index m = kernel.rows();
  detail::Generator g;
  g.epsilon = epsilon;
  g.kernel = std::make_shared<MatrixKernel>(kernel);
  g.reversible = g.kernel->symmetric();
  g.density = Vector::Ones(m);
  g.right_weights = Vector::Ones(m);
  g.row_sums = kernel.rowwise().sum();
  g.component.assign(std::size_t(m), 0);
  g.kept.resize(std::size_t(m));
  std::iota(g.kept.begin(), g.kept.end(), Index(0));
  g.definition.points = Points::Zero(m, 1);
  g.definition.epsilon = epsilon;
  g.execution.threads = 1;
  return detail::map_of(std::move(g));
}

Vector stationary_of(const Matrix& markov) {
  const Matrix shifted = markov.transpose() - Matrix::Identity(markov.rows(), markov.cols());
  Matrix system(markov.rows() + 1, markov.cols());  // with the normalisation as one more equation
  system << shifted, Eigen::RowVectorXd::Ones(markov.cols());
  Vector right = Vector::Zero(markov.rows() + 1);
  right[markov.rows()] = 1.0;
  return detail::least_squares(system, right);
}

/// By descending real part; of a pair, the one with positive imaginary part first.
std::vector<Index> slowest_first(const Eigen::VectorXcd& mu) {
  std::vector<Index> order(std::size_t(mu.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::sort(order, [&](Index a, Index b) {
    const double gap = mu[a].real() - mu[b].real();
    return std::abs(gap) > 1e-13 ? gap > 0.0 : mu[a].imag() > mu[b].imag();
  });
  return order;
}

Spectrum spectrum_of(const Matrix& markov, const Vector& stationary, double epsilon, bool reversible) {
  const detail::GeneralEigen pairs = detail::general_pairs(markov);
  const std::vector<Index> order = slowest_first(pairs.values);
  Spectrum s;
  s.stationary = stationary;
  s.eigenvalues = (Eigen::VectorXcd(pairs.values(order)).array() - 1.0) / epsilon;
  Eigen::MatrixXcd psi = pairs.vectors(Eigen::all, order);
  for (Index n = 0; n < psi.cols(); ++n) {
    psi.col(n) /= std::sqrt(stationary.dot(psi.col(n).cwiseAbs2()));
  }
  s.eigenfunctions.re = psi.real();
  if (!reversible) {
    s.eigenfunctions.im = psi.imag();
  }
  s.status.assign(order.size(), PairStatus::Converged);
  return s;
}

}  // namespace

Chain chain(const Matrix& kernel, double epsilon) {
  const Matrix markov = kernel.rowwise().sum().cwiseInverse().asDiagonal() * kernel;
  const Vector stationary = stationary_of(markov);
  const Map map = map_of(kernel, epsilon);
  return {markov, stationary, map, spectrum_of(markov, stationary, epsilon, map.reversible())};
}

std::vector<Index> block_labels(const std::vector<Index>& sizes) {
  std::vector<Index> labels;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    labels.insert(labels.end(), std::size_t(sizes[b]), Index(b));
  }
  return labels;
}

Matrix block_kernel(const std::vector<Index>& sizes, double leak, bool cyclic, std::uint64_t seed) {
  samples::Random random(seed);
  const std::vector<Index> block = block_labels(sizes);
  const auto blocks = Index(sizes.size());
  Matrix kernel(Index(block.size()), Index(block.size()));
  for (Index i = 0; i < kernel.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      kernel(i, j) = kernel(j, i) = random.uniform(0.5, 1.5) * (block[i] == block[j] ? 1.0 : leak);
      if (!cyclic || block[i] == block[j]) {
        continue;
      }
      if ((block[i] + 1) % blocks != block[j]) {
        kernel(i, j) = 0.0;
      }
      if ((block[j] + 1) % blocks != block[i]) {
        kernel(j, i) = 0.0;
      }
    }
  }
  return kernel;
}

}  // namespace itomap::test
