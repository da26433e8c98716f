#include "spectrum/invariant_subspace.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "spectrum/block_krylov.hpp"
#include "spectrum/orthogonal.hpp"
#include "spectrum/projected.hpp"

namespace itomap {
namespace {

constexpr Index block = 4;

/// Small problems: all eigenpairs of the matrix itself, in the complement of what is known.
InvariantSubspace direct_subspace(const LinearOperator& a, PointsView known, const SubspaceOptions& options) {
  const Matrix q = Eigen::HouseholderQR<Matrix>(known).householderQ() * Matrix::Identity(a.size, a.size);
  const Matrix complement = q.rightCols(a.size - known.cols());
  const Matrix projected = complement.transpose() * a.apply(complement);
  InvariantSubspace result;
  result.basis = complement * projected_pairs(projected, a.symmetric).leading_basis(options.wanted);
  result.products = complement.cols();
  result.converged = result.complete = true;
  return result;
}

/// What has been found so far: vectors, and the real parts of their eigenvalues.
class Found {
 public:
  explicit Found(PointsView known) : known_(known.cols()), basis_(known) {}

  void add(const KrylovResult& result) {
    basis_.conservativeResize(Eigen::NoChange, basis_.cols() + result.basis.cols());
    basis_.rightCols(result.basis.cols()) = result.basis;
    for (Index n = 0; n < result.ritz.size(); ++n) {
      leading_.push_back(result.ritz[n].real());
    }
    std::sort(leading_.begin(), leading_.end(), std::greater<>());
  }

  const Block& all() const { return basis_; }
  Block beyond_known() const { return basis_.rightCols(basis_.cols() - known_); }
  double last_wanted(Index wanted) const {
    return leading_[std::min<std::size_t>(std::size_t(wanted), leading_.size()) - 1];
  }

 private:
  Index known_;
  Block basis_;
  std::vector<double> leading_;
};

/// Runs the solver and its sweeps, keeping count of the products.
class SubspaceSearch {
 public:
  SubspaceSearch(const LinearOperator& a, PointsView known, const SubspaceOptions& options)
      : a_(a), options_(options), found_(known), seed_(options.seed) {}

  InvariantSubspace run() {
    const KrylovResult first = solve(options_.wanted, options_.tolerance, options_.start);
    found_.add(first);
    InvariantSubspace result;
    result.converged = first.converged;
    result.complete = first.converged && sweep_until_nothing_is_new();
    result.basis = found_.beyond_known();
    result.products = products_;
    return result;
  }

 private:
  KrylovResult solve(Index wanted, double tolerance, const Block& start = {}) {
    KrylovOptions krylov;
    krylov.wanted = wanted;
    krylov.block = block;
    krylov.tolerance = tolerance;
    krylov.max_products = std::max<Index>(options_.max_products - products_, 2 * block);
    krylov.seed = seed_;
    krylov.start = start;
    krylov.progress = [&](Index converged, Index products) {
      if (options_.progress) {
        options_.progress(sweeping_ ? options_.wanted : converged, products_ + products);
      }
    };
    seed_ += 0x9E3779B9U;
    const KrylovResult result = block_krylov(a_, found_.all(), krylov);
    products_ += result.products;
    return result;
  }

  bool room_for(Index wanted) const {
    return found_.all().cols() + krylov_basis_size(wanted, block) + 2 * block <= a_.size;
  }

  bool sweep_until_nothing_is_new() {
    sweeping_ = true;
    while (room_for(block)) {
      const double last = found_.last_wanted(options_.wanted);
      if (!exceeds(last)) {
        return true;
      }
      const KrylovResult missed = solve(block, options_.tolerance);
      found_.add(missed);
      if (!missed.converged) {
        return false;
      }
    }
    return false;
  }

  /// Whether the complement holds an eigenvalue above `last`. A rough answer is enough unless it is too close to call.
  bool exceeds(double last) {
    const double rough = std::max(options_.tolerance, 0.02 * std::abs(1.0 - last));
    for (const double tolerance : {rough, options_.tolerance}) {
      const KrylovResult sweep = solve(1, tolerance);
      const double top = sweep.ritz[0].real();
      if (!sweep.converged || top + sweep.residuals[0] <= last) {
        return false;
      }
      if (top - sweep.residuals[0] > last) {
        return true;
      }
    }
    return false;  // equal to the last one: a copy that was not asked for
  }

  const LinearOperator& a_;
  const SubspaceOptions& options_;
  Found found_;
  std::uint64_t seed_;
  Index products_ = 0;
  bool sweeping_ = false;
};

}  // namespace

Index subspace_columns(Index wanted) { return krylov_basis_size(wanted, block) + 2 * wanted + 4 * block; }

InvariantSubspace leading_subspace(const LinearOperator& a, PointsView known, const SubspaceOptions& options) {
  if (known.cols() + krylov_basis_size(options.wanted, block) + 4 * block > a.size) {
    return direct_subspace(a, known, options);
  }
  return SubspaceSearch(a, known, options).run();
}

}  // namespace itomap
