#include "analysis/hitting.hpp"

#include <algorithm>
#include <cmath>

#include "core/dense_algebra.hpp"
#include "core/scaled_rows.hpp"
#include "spectrum/symmetric_form.hpp"

namespace itomap::detail {
namespace {

using Iterations = std::vector<std::unique_ptr<Iteration>>;

/// So few points may be eliminated, at the cost of so many times their number in products.
constexpr Index most_eliminated = 1000;
constexpr Index worth_of_elimination = 5;

CommittorOptions before_elimination(CommittorOptions options, Index m) {
  if (m <= most_eliminated) {
    options.max_products = std::min(options.max_products, worth_of_elimination * m);
  }
  return options;
}

std::vector<HittingSolution> without_solution(const std::vector<HittingProblem>& problems) {
  std::vector<HittingSolution> solutions;
  for (const HittingProblem& problem : problems) {
    solutions.push_back({Vector::Zero(problem.system.b.size()), {.name = problem.name}});
  }
  return solutions;
}

/// What rounding leaves of a residual, relative to b: passage times over high barriers are so long that no solution has
/// less. A share of that size of the passage time at worst.
double rounding_limit(const Vector& x, double scale) {
  constexpr double rounding = 4e-15;
  constexpr double tolerable = 1e-3;
  return std::min(rounding * x.lpNorm<Eigen::Infinity>() / scale, tolerable);
}

/// b - (I - D P D) x of each system, in one product; sets residuals and statuses.
Block residuals(const Apply& markov, const std::vector<HittingProblem>& problems, double tolerance,
                std::vector<HittingSolution>& solutions) {
  Block x(problems[0].system.b.size(), Index(problems.size()));
  for (std::size_t k = 0; k < problems.size(); ++k) {
    x.col(Index(k)) = problems[k].system.inside.cwiseProduct(solutions[k].x);
  }
  Block defect = markov(x);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const RegionSystem& system = problems[k].system;
    const auto column = Index(k);
    defect.col(column) = system.inside.cwiseProduct(defect.col(column)) - solutions[k].x + system.b;
    const double scale = system.b.lpNorm<Eigen::Infinity>();
    SolveReport& report = solutions[k].report;
    report.residual = scale > 0.0 ? defect.col(column).lpNorm<Eigen::Infinity>() / scale : 0.0;
    const double attainable = scale > 0.0 ? rounding_limit(solutions[k].x, scale) : 0.0;
    // Solutions are not negative, as b and P are not: those of systems that are singular but for rounding may be.
    const bool possible = solutions[k].x.minCoeff() >= -1e-6 * solutions[k].x.lpNorm<Eigen::Infinity>();
    report.status = !possible                       ? SolveStatus::NotConverged
                    : report.residual <= tolerance  ? SolveStatus::Converged
                    : report.residual <= attainable ? SolveStatus::RoundingLimit
                                                    : SolveStatus::NotConverged;
    ++report.products;
  }
  return defect;
}

/// Real and imaginary parts of the eigenfunctions, one of each conjugate pair.
Block slow_functions(const Spectrum& spectrum) {
  const Index count = spectrum.eigenvalues.size();
  std::vector<Index> first, complex;
  for (Index n = 0; n < count; ++n) {
    if (spectrum.eigenvalues[n].imag() >= 0.0) {
      first.push_back(n);
    }
    if (spectrum.eigenvalues[n].imag() > 0.0) {
      complex.push_back(n);
    }
  }
  Block slow(spectrum.eigenfunctions.rows(), Index(first.size() + complex.size()));
  slow.leftCols(Index(first.size())) = spectrum.eigenfunctions.re(Eigen::all, first);
  if (!complex.empty()) {
    slow.rightCols(Index(complex.size())) = spectrum.eigenfunctions.im(Eigen::all, complex);
  }
  return slow;
}

/// Goes on from the solutions at hand until the residual is small at every point. Where rounding may be what is left of
/// it, as much effort again as it has taken shall tell.
void improve(const Apply& markov, const Block& slow, const std::vector<HittingProblem>& problems,
             const CommittorOptions& options, Reporter& reporter, std::vector<HittingSolution>& solutions) {
  constexpr int most_rounds = 3;  // one, and more where the residual drifted from what was updated step by step
  Block defect = residuals(markov, problems, options.tolerance, solutions);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    SolveReport& report = solutions[k].report;
    if (report.status == SolveStatus::Converged) {
      continue;
    }
    const Index before = report.products;
    const Deflation known = deflation(markov, problems[k].system.inside, slow);
    report.products += known.basis.cols();
    Vector residual = defect.col(Index(k));
    for (int round = 0; round < most_rounds && report.status != SolveStatus::Converged; ++round) {
      const Index most = report.status == SolveStatus::RoundingLimit ? 2 * before : options.max_products;
      Iterations iteration;
      iteration.push_back(
          conjugate_residuals(problems[k].system, solutions[k].x, residual, known, 0.5 * options.tolerance));
      const Index left = std::max<Index>(std::min(most, options.max_products) - report.products, 0);
      report.products += advance_together(markov, iteration, left, reporter)[0];
      std::vector<HittingSolution> one{{iteration[0]->solution(), report}};
      const Vector reached = residuals(markov, {problems[k]}, options.tolerance, one).col(0);
      report.products = one[0].report.products;
      if (!(one[0].report.residual < report.residual)) {
        break;
      }
      solutions[k] = one[0];
      residual = reached;
    }
  }
}

/// Where the iteration found no end and the points are few: elimination.
void eliminate(const Apply& markov, const std::vector<HittingProblem>& problems, const CommittorOptions& options,
               std::vector<HittingSolution>& solutions) {
  const Index m = problems[0].system.b.size();
  Matrix p;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (solutions[k].report.status != SolveStatus::NotConverged ||
        m > std::min(most_eliminated, options.max_products)) {
      continue;
    }
    if (p.size() == 0) {
      p = markov(Block::Identity(m, m));
    }
    const RegionSystem& system = problems[k].system;
    const Matrix matrix = Matrix::Identity(m, m) - system.inside.asDiagonal() * p * system.inside.asDiagonal();
    std::vector<HittingSolution> one{{solved(matrix, system.b).col(0), solutions[k].report}};
    one[0].report.products += m;
    residuals(markov, {problems[k]}, options.tolerance, one);
    if (one[0].report.residual < solutions[k].report.residual) {
      solutions[k] = one[0];
    }
  }
}

/// x = y / root, whose error grows where root is next to nothing. Solutions are not negative, as b and P are not, and
/// there no larger than elsewhere: a start for improve().
Vector divided(const Vector& y, const Vector& root) {
  constexpr double negligible = 1e-4;  // root of a weight, relative to the mean, that costs four digits
  const double limit = negligible / std::sqrt(double(root.size()));
  double largest = 0.0;
  for (Index i = 0; i < y.size(); ++i) {
    largest = root[i] > limit ? std::max(largest, y[i] / root[i]) : largest;
  }
  return y.binaryExpr(root, [=](double yi, double ri) { return ri > 0.0 ? std::clamp(yi / ri, 0.0, largest) : 0.0; });
}

/// The systems in the symmetric form: unknowns y = root x, right-hand sides root b.
std::vector<HittingSolution> solve_symmetric(const Generator& g, const Block& slow,
                                             const std::vector<HittingProblem>& problems,
                                             const CommittorOptions& options, Reporter& reporter) {
  const Vector root = stationary_root(g);
  const Vector scaling = symmetric_scaling(g);
  const LinearOperator s = symmetric_form(g, scaling);
  constexpr double smallest = 1e-12;  // a point that sees next to nothing but itself
  const Vector diagonal = (1.0 - s.diagonal.array()).max(smallest);
  const Block known = scaled_rows(root, slow);
  std::vector<HittingSolution> solutions = without_solution(problems);
  Iterations iterations;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const RegionSystem& system = problems[k].system;
    Deflation functions = deflation(s.apply, system.inside, known);
    solutions[k].report.products += functions.basis.cols();
    iterations.push_back(conjugate_gradients({system.inside, root.cwiseProduct(system.b)}, diagonal,
                                             std::move(functions), 0.1 * options.tolerance));
  }
  const auto steps = advance_together(s.apply, iterations, options.max_products, reporter);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    solutions[k].report.products += steps[k];
    solutions[k].x = divided(iterations[k]->solution(), root);
  }
  return solutions;
}

}  // namespace

std::vector<HittingSolution> solve_forward(const Generator& generator, const Spectrum& spectrum,
                                           const std::vector<HittingProblem>& problems, const CommittorOptions& options,
                                           Reporter& reporter) {
  const Block slow = slow_functions(spectrum);
  const Apply markov = [&generator](PointsView x) { return generator.markov(x); };
  const CommittorOptions limited = before_elimination(options, generator.size());
  auto solutions =
      generator.reversible ? solve_symmetric(generator, slow, problems, limited, reporter) : without_solution(problems);
  improve(markov, slow, problems, limited, reporter, solutions);
  eliminate(markov, problems, options, solutions);
  return solutions;
}

std::vector<HittingSolution> solve_hitting(const Apply& markov, const Block& slow,
                                           const std::vector<HittingProblem>& problems, const CommittorOptions& options,
                                           Reporter& reporter) {
  auto solutions = without_solution(problems);
  improve(markov, slow, problems, before_elimination(options, slow.rows()), reporter, solutions);
  eliminate(markov, problems, options, solutions);
  return solutions;
}

}  // namespace itomap::detail
