#include "solvers/sparse_factor.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace itomap::detail {
namespace {

template <class Decomposition>
class Factored final : public SparseFactor {
 public:
  explicit Factored(const SparseMatrix& a) {
    decomposition_.analyzePattern(a);
    decomposition_.factorize(a);
  }

  bool regular() const { return decomposition_.info() == Eigen::Success; }
  Matrix solved(const Matrix& b) const override { return decomposition_.solve(b); }

 private:
  Decomposition decomposition_;
};

template <class Decomposition>
std::unique_ptr<const SparseFactor> factored(const SparseMatrix& a) {
  auto factor = std::make_unique<const Factored<Decomposition>>(a);
  return factor->regular() ? std::move(factor) : nullptr;
}

}  // namespace

std::unique_ptr<const SparseFactor> SparseFactor::general(const SparseMatrix& a) {
  return factored<Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<int>>>(a);
}

std::unique_ptr<const SparseFactor> SparseFactor::positive(const SparseMatrix& a) {
  return factored<Eigen::SimplicialLLT<SparseMatrix>>(a);
}

}  // namespace itomap::detail
