#include "solvers/invariant_subspace.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/dense_algebra.hpp"
#include "core/random.hpp"
#include "solvers/block_krylov.hpp"
#include "solvers/coarse_davidson.hpp"
#include "solvers/coarse_space.hpp"
#include "solvers/condensation.hpp"
#include "solvers/davidson.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"
#include "solvers/rough_refinement.hpp"

namespace itomap::detail {
namespace {

constexpr Index block = 4;

/// Up to this size a matrix may be decomposed as a whole, at the cost of so many times its size in products.
constexpr Index direct_size = 1000;
constexpr Index worth_of_direct = 5;

std::vector<Index> present_points(const LinearOperator& a) {
  std::vector<bool> absent(std::size_t(a.size), false);
  for (const Index i : a.absent) {
    absent[std::size_t(i)] = true;
  }
  std::vector<Index> present;
  for (Index i = 0; i < a.size; ++i) {
    if (!absent[std::size_t(i)]) {
      present.push_back(i);
    }
  }
  return present;
}

/// Small problems: all eigenpairs of the matrix itself, in the complement of what is known.
InvariantSubspace direct_subspace(const LinearOperator& a, PointsView known, const SubspaceOptions& options) {
  const auto present = present_points(a);
  const Matrix q = orthogonal_factor(known(present, Eigen::all), a.dimension());
  Matrix complement = Matrix::Zero(a.size, a.dimension() - known.cols());
  complement(present, Eigen::all) = q.rightCols(complement.cols());
  const Matrix projected = complement.transpose() * a.apply(complement);
  InvariantSubspace result;
  result.basis = complement * projected_pairs(projected, a.symmetric).leading_basis(options.wanted);
  result.products = complement.cols();
  result.converged = result.complete = true;
  return result;
}

/// Several more values than wanted stay above the filter's cut: the gap that counts is then that behind them.
Index values_above_cut(Index wanted) { return wanted + std::max<Index>(4, wanted / 2); }

/// A filter for the first `wanted` of the Ritz values, which estimate eigenvalues from below.
ChebyshevFilter filter_for(const Eigen::VectorXcd& ritz, Index wanted, bool symmetric, const ChebyshevFilter& before) {
  if (ritz.size() <= values_above_cut(wanted)) {
    return before;
  }
  const Index beyond = values_above_cut(wanted);
  const double last = ritz[wanted - 1].real();
  const double cut = ritz[beyond].real();
  const double low = before.active() ? before.low : std::min(0.0, ritz.real().minCoeff()) - 0.01;
  ChebyshevFilter filter = ChebyshevFilter::above(low, cut, last);
  if (symmetric) {
    return filter;
  }
  // Complex values off the interval grow as well: they must neither be wanted nor overtake what is.
  if (ritz.head(beyond).imag().cwiseAbs().maxCoeff() > 0.0) {
    return {};
  }
  const auto overtaken = [&] {
    double largest = 1.0;
    for (Index n = beyond; n < ritz.size(); ++n) {
      largest = std::max(largest, std::abs(filter.value(ritz[n])));
    }
    return 2.0 * largest > filter.value(last).real();
  };
  while (filter.active() && overtaken()) {
    --filter.degree;
  }
  return filter;
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
  Index count() const { return basis_.cols() - known_; }
  Block beyond_known() const { return basis_.rightCols(count()); }
  /// A random block of b vectors holds b copies of an eigenvalue, however often it occurs, and of one that occurs less
  /// often all. Values that nearly agree count as copies: the solver may have been about to find one more.
  bool may_hide_copies(Index b, double tolerance) const {
    constexpr double alike = 1e-2;        // relative to the distance from 1
    constexpr double next_to_one = 1e-6;  // where copies of 1 itself differ by rounding
    const auto last_copy = std::size_t(b) - 1;
    for (std::size_t n = 0; n + last_copy < leading_.size(); ++n) {
      const double apart = leading_[n] - leading_[n + last_copy];
      if (apart < std::max({alike * std::abs(1.0 - leading_[n + last_copy]), next_to_one, tolerance})) {
        return true;
      }
    }
    return false;
  }
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
      : a_(a),
        options_(options),
        wanted_(options.wanted),
        start_(options.start),
        found_(known),
        // Other directions than those that led to what is known: of an eigenvalue's copies they have shown all they
        // hold.
        seed_(options.seed + 0x85EBCA77U * std::uint64_t(known.cols())),
        diagonal_(suits_davidson(a, options.wanted) &&
                  known.cols() + davidson_basis_size(options.wanted, block) + 2 * options.wanted <= a.dimension()) {}

  InvariantSubspace run() {
    InvariantSubspace result;
    result.converged = find_all_wanted();
    const bool sure =
        by_coarse_ ? nothing_beside_coarse() : !diagonal_ && !found_.may_hide_copies(block, options_.tolerance);
    result.complete = result.converged && (sure || sweep_until_nothing_is_new());
    result.basis = found_.beyond_known();
    result.products = products_;
    return result;
  }

 private:
  /// In rounds, each in the complement of what was found before: a copy that one of them missed is found by the next.
  bool find_all_wanted() {
    while (true) {
      const KrylovResult round = solve_leading(wanted_ - found_.count());
      found_.add(round);
      if (!round.converged) {
        return false;
      }
      const Index more = options_.more ? options_.more(found_.beyond_known()) : 0;
      if (more == 0 || !room_for(more)) {
        return true;
      }
      wanted_ = found_.count() + more;
      start_ = round.spare;
    }
  }

  /// A first look without a filter finds easy eigenvalues and says where to filter for the others.
  KrylovResult solve_leading(Index wanted) {
    if (diagonal_) {
      return solve_nearly_diagonal(wanted);
    }
    by_coarse_ = a_.coarse != nullptr;
    if (by_coarse_) {
      const KrylovResult result = solve(wanted, options_.tolerance, {.start = start_, .by = Method::Coarse});
      if (result.converged || products_ >= options_.max_products) {
        return result;
      }
      start_ = result.basis;
      by_coarse_ = false;
    }
    filter_ = {};
    Block start = start_.cols() > block ? mixed(start_) : start_;
    while (true) {
      ChebyshevFilter better = filter_;
      const auto found_better = [&](const Eigen::VectorXcd& ritz, double) {
        better = a_.cheap ? filter_for(ritz, wanted, a_.symmetric, filter_) : filter_;
        return better.degree >= 3 * filter_.degree;
      };
      const KrylovResult result = solve(wanted, options_.tolerance, {.start = start, .stop = found_better});
      if (result.converged || products_ >= options_.max_products) {
        return result;
      }
      filter_ = better;
      start = mixed(result.basis);
    }
  }

  /// Smooth modes, of which the diagonal knows nothing, come from one Krylov space, roughly.
  KrylovResult solve_nearly_diagonal(Index wanted) {
    if (found_.count() > 0) {
      return solve(wanted, options_.tolerance, {.start = start_, .by = Method::Diagonal});
    }
    const KrylovResult look =
        solve(wanted, options_.tolerance, {.start = start_, .most_products = krylov_basis_size(wanted, block)});
    return look.converged ? look : solve(wanted, options_.tolerance, {.start = look.basis, .by = Method::Diagonal});
  }

  /// A start block that holds something of every vector found so far.
  Block mixed(const Block& basis) {
    const Block weights = random_block(basis.cols(), std::min(block, basis.cols()), seed_);
    return product(basis, weights);
  }

  enum class Method { Krylov, Diagonal, Coarse };

  struct SolveOptions {
    Block start = {};
    std::function<bool(const Eigen::VectorXcd& ritz, double residual)> stop = {};
    Index most_products = std::numeric_limits<Index>::max();
    Method by = Method::Krylov;
  };

  KrylovResult solve(Index wanted, double tolerance, const SolveOptions& how) {
    KrylovOptions krylov;
    krylov.filter = filter_;
    krylov.stop = how.stop;
    krylov.wanted = wanted;
    krylov.block = block;
    krylov.tolerance = tolerance;
    krylov.max_products = std::clamp<Index>(options_.max_products - products_, 2 * block, how.most_products);
    krylov.seed = seed_;
    krylov.start = how.start;
    krylov.spare = options_.more && !sweeping_ ? wanted + block : 0;
    krylov.progress = [&](Index converged, Index products) {
      if (options_.progress) {
        options_.progress(sweeping_ ? wanted_ : found_.count() + converged, wanted_, products_ + products);
      }
    };
    seed_ += 0x9E3779B9U;
    const auto solver = how.by == Method::Krylov     ? block_krylov
                        : how.by == Method::Diagonal ? davidson
                                                     : coarse_davidson;
    const KrylovResult result = solver(a_, found_.all(), krylov);
    products_ += result.products;
    return result;
  }

  bool room_for(Index wanted) const {
    const Index columns =
        std::max(krylov_basis_size(wanted, block), diagonal_ ? davidson_basis_size(wanted, block) : 0);
    return found_.all().cols() + columns + 2 * block <= a_.dimension();
  }

  /// What the coarse space does not hold, A damps: unless some mode, on a few places, hides there. In a Krylov space of
  /// random directions it would grow against the rest by a known factor a step.
  bool nothing_beside_coarse() {
    const LinearOperator beside{.size = a_.size,
                                .apply = [this](PointsView x) { return a_.coarse->rough(a_.apply(x), a_.transposed); },
                                .absent = a_.absent};
    const double last = found_.last_wanted(wanted_);
    const double hidden = std::log(10.0 * std::sqrt(double(a_.dimension())));
    Index steps = 0;
    bool nothing = false;
    KrylovOptions krylov;
    krylov.block = 2;
    krylov.tolerance = 0.0;
    krylov.max_products = krylov_basis_size(1, krylov.block) + 2 * krylov.block;
    krylov.seed = seed_;
    krylov.stop = [&](const Eigen::VectorXcd& ritz, double residual) {
      ++steps;
      const double gain = std::acosh(std::max(last / ritz.cwiseAbs().maxCoeff(), 1.0));
      const bool below = ritz[0].real() + residual < last;
      nothing = below && gain * double(steps) > hidden;
      return nothing;
    };
    seed_ += 0x9E3779B9U;
    products_ += block_krylov(beside, Block(a_.size, 0), krylov).products;
    return nothing;
  }

  bool sweep_until_nothing_is_new() {
    sweeping_ = true;
    while (room_for(block)) {
      const double last = found_.last_wanted(wanted_);
      const KrylovResult sweep = look_beyond(last);
      if (sweep.ritz[0].real() - sweep.residuals[0] <= last) {
        return true;  // or undecided to the last digit: a copy of the last one, which was not asked for
      }
      const KrylovResult missed =
          solve(block, options_.tolerance, {.start = sweep.basis, .by = diagonal_ ? Method::Diagonal : Method::Krylov});
      found_.add(missed);
      if (!missed.converged) {
        return false;
      }
    }
    return false;
  }

  /// The leading eigenvalue in the complement of what was found, as well as it takes to tell it from `last`. A Krylov
  /// space looks first, whatever the solver: only what grows from random directions sees everything.
  KrylovResult look_beyond(double last) {
    // A start block is nearly orthogonal to every eigenvector: before the residual is small, it has seen nothing.
    const auto settled = [last](const Eigen::VectorXcd& ritz, double residual) {
      return residual < 0.05 * std::min(std::abs(1.0 - last), std::abs(ritz[0].real()));
    };
    const auto decided = [last, settled](const Eigen::VectorXcd& ritz, double residual) {
      return settled(ritz, residual) && std::abs(ritz[0].real() - last) > residual;
    };
    if (!diagonal_) {
      return solve(1, options_.tolerance, {.stop = decided});
    }
    // Among modes of single points it may not settle: then it has seen what is smooth, and the diagonal knows the rest.
    const Index enough_products = 10 * krylov_basis_size(1, block);
    const KrylovResult look = solve(1, options_.tolerance, {.stop = settled, .most_products = enough_products});
    return decided(look.ritz, look.residuals[0])
               ? look
               : solve(1, options_.tolerance, {.start = look.basis, .stop = decided, .by = Method::Diagonal});
  }

  const LinearOperator& a_;
  const SubspaceOptions& options_;
  Index wanted_;
  Block start_;
  Found found_;
  std::uint64_t seed_;
  bool diagonal_;
  bool by_coarse_ = false;
  ChebyshevFilter filter_;
  Index products_ = 0;
  bool sweeping_ = false;
};

/// Without columns that depend on those before them.
Block orthonormal(Block x) {
  std::vector<Index> dependent;
  orthonormalise(x, breakdown, dependent);
  std::vector<Index> independent;
  for (Index c = 0; c < x.cols(); ++c) {
    if (std::find(dependent.begin(), dependent.end(), c) == dependent.end()) {
      independent.push_back(c);
    }
  }
  return dependent.empty() ? x : Block(x(Eigen::all, independent));
}

/// By how much A maps the vectors out of the space that they span together with the known ones.
double defect(const LinearOperator& a, PointsView known, const Block& basis) {
  Block image = a.apply(basis);
  project_out(known, image);
  project_out(basis, image);
  return column_norms(image).maxCoeff();
}

InvariantSubspace condensed_subspace(const LinearOperator& a, PointsView known, const SubspaceOptions& options) {
  const Condensation condensation(a);
  SubspaceOptions small_options = options;
  small_options.start = options.start.cols() > 0 ? condensation.condense(options.start) : Block();
  // Vectors grow a little on their way back to the points, and errors with them.
  small_options.tolerance = 0.1 * options.tolerance;
  const auto on_points = [&](const Block& u) {
    Block basis = condensation.expand(u);
    normalise_columns(basis);
    project_out(known, basis);
    return orthonormal(std::move(basis));
  };
  if (options.more) {
    small_options.more = [&](const Block& found) { return options.more(on_points(found)); };
  }
  const Block small_known = orthonormal(condensation.condense(known));
  InvariantSubspace result = SubspaceSearch(condensation.small(), small_known, small_options).run();
  const Index found = result.basis.cols();
  result.basis = on_points(result.basis);
  result.condensed_products = std::exchange(result.products, result.basis.cols());
  // Vectors of mu = 0 may be nothing at all on the points: where there are more nodes than places.
  result.converged =
      result.converged && result.basis.cols() == found && defect(a, known, result.basis) <= options.tolerance;
  return result;
}

/// From a matrix that is near, whose leading vectors are searched for instead, and some more. By Weyl's inequality what
/// those lack is no larger than the last of them and the distance between the two: what is clearly larger is complete.
InvariantSubspace rough_subspace(const LinearOperator& a, PointsView known, const SubspaceOptions& options) {
  constexpr double rough_tolerance = 1e-5;
  LinearOperator near = a;
  near.condensed = a.rough;
  const Condensation condensation(near);
  const Index beyond = values_above_cut(options.wanted) - options.wanted;
  SubspaceOptions small_options = options;
  small_options.wanted = options.wanted + beyond;
  small_options.start = options.start.cols() > 0 ? condensation.condense(options.start) : Block();
  small_options.tolerance = std::max(options.tolerance, rough_tolerance);
  const auto on_points = [&](const Block& u) {
    Block basis = condensation.expand(u);
    normalise_columns(basis);
    project_out(known, basis);
    return orthonormal(std::move(basis));
  };
  if (options.more) {
    small_options.more = [&](const Block& found) {
      return options.more(on_points(found.leftCols(found.cols() - beyond)));
    };
  }
  const Block small_known = orthonormal(condensation.condense(known));
  const InvariantSubspace small = SubspaceSearch(condensation.small(), small_known, small_options).run();
  InvariantSubspace result;
  result.condensed_products = small.products;
  const Index wanted = small.basis.cols() - beyond;
  Block start = on_points(small.basis);
  if (!small.converged || !small.complete || wanted < 1 || start.cols() < small.basis.cols()) {
    return result;
  }
  const RefinedSubspace refined =
      refined_subspace(a, condensation, known, std::move(start), {wanted, options.tolerance});
  result.products = refined.products;
  const Index last = refined.ritz.size() - 1;
  result.complete = refined.ritz[wanted - 1] > refined.ritz[last] + 2.0 * refined.roughness;
  result.converged = result.complete && refined.residuals.head(wanted).maxCoeff() <= options.tolerance;
  result.basis = refined.basis.leftCols(wanted);
  return result;
}

/// By the solver; but where that takes more products than a small matrix has columns, several times over, by its
/// decomposition.
InvariantSubspace searched(const LinearOperator& a, PointsView known, const SubspaceOptions& options) {
  const Index worth = worth_of_direct * a.dimension();
  if (a.dimension() > direct_size || options.max_products <= worth) {
    return SubspaceSearch(a, known, options).run();
  }
  SubspaceOptions limited = options;
  limited.max_products = worth;
  InvariantSubspace found = SubspaceSearch(a, known, limited).run();
  if (found.converged && found.complete) {
    return found;
  }
  limited.wanted = std::max(options.wanted, found.basis.cols());
  InvariantSubspace direct = direct_subspace(a, known, limited);
  direct.products += found.products;
  return direct;
}

}  // namespace

double search_bytes(Index size, Index pairs, bool symmetric) {
  const double search = double(krylov_basis_size(pairs, block) + 2 * pairs + 4 * block) * (symmetric ? 1.0 : 1.5);
  const double results = double(pairs) * (symmetric ? 3.0 : 8.0);
  return (search + results) * double(size) * sizeof(double);
}

InvariantSubspace leading_subspace(const LinearOperator& a, PointsView known, const SubspaceOptions& options) {
  if (known.cols() + krylov_basis_size(options.wanted, block) + 4 * block > a.dimension()) {
    return direct_subspace(a, known, options);
  }
  if (a.condensed == nullptr && a.rough == nullptr) {
    return searched(a, known, options);
  }
  InvariantSubspace condensed =
      a.condensed != nullptr ? condensed_subspace(a, known, options) : rough_subspace(a, known, options);
  if (condensed.converged) {
    return condensed;
  }
  SubspaceOptions onward = options;
  onward.max_products = std::max<Index>(options.max_products - condensed.condensed_products, 1);
  onward.start = condensed.basis.leftCols(std::min(block, condensed.basis.cols()));
  InvariantSubspace result = searched(a, known, onward);
  result.products += condensed.products;
  result.condensed_products = condensed.condensed_products;
  return result;
}

}  // namespace itomap::detail
