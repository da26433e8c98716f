// What SLEPc finds of the diffusion map of equispaced points on a circle, where every eigenvalue but 0 is there twice.
//
//   mpirun -n P slepc_circle [-points 800] [-epsilon 0.01] [-wanted 8] [options of SLEPc, -eps_...]
//
// The symmetric form S = W K W of a diffusion map with alpha = 1, rows dealt out as PETSc does it (MPIAIJ). Prints, for
// each of its solvers, the eigenvalues (mu - 1) / epsilon that it calls converged, how many of the exact ones it did
// not return, and the products with S that this took. docs/decisions/0013-own-solver-over-ranks.md has the figures.
#include <slepceps.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// S times a vector, counted.
struct Counted {
  Mat matrix;
  long products = 0;
};

PetscErrorCode multiply(Mat shell, Vec x, Vec y) {
  Counted* counted = nullptr;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(shell, &counted));
  PetscCall(MatMult(counted->matrix, x, y));
  ++counted->products;
  PetscFunctionReturn(0);
}

/// k(0, d) on the circle, points in distance d along it.
double kernel(PetscInt d, PetscInt points, double epsilon) {
  const double chord = 2.0 * std::sin(M_PI * double(d) / double(points));
  return std::exp(-chord * chord / (4.0 * epsilon));
}

/// All points have the same row: the Markov matrix is symmetric, and its eigenvalues are those of a circulant.
std::vector<double> exact(PetscInt points, double epsilon, double sum) {
  std::vector<double> values;
  for (PetscInt n = 0; n < points; ++n) {
    double mu = 0.0;
    for (PetscInt d = 0; d < points; ++d) {
      mu += kernel(d, points, epsilon) / sum * std::cos(2.0 * M_PI * double(n * d) / double(points));
    }
    values.push_back((mu - 1.0) / epsilon);
  }
  std::sort(values.rbegin(), values.rend());
  return values;
}

/// A preconditioner by blocks would ask for the matrix.
PetscErrorCode take_no_preconditioner(EPS eps) {
  ST st = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  PetscFunctionBeginUser;
  PetscCall(EPSGetST(eps, &st));
  PetscCall(STSetType(st, STPRECOND));
  PetscCall(STGetKSP(st, &ksp));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCNONE));
  PetscFunctionReturn(0);
}

/// How many of the first values are not among those that were found.
std::size_t missing(const std::vector<double>& expected, std::vector<double> found) {
  std::size_t without = 0;
  for (const double value : expected) {
    const auto match = std::find_if(found.begin(), found.end(), [&](double f) { return std::abs(f - value) < 1e-5; });
    if (match == found.end()) {
      ++without;
    } else {
      found.erase(match);
    }
  }
  return without;
}

PetscErrorCode solve(const char* name, EPSType type, PetscInt wanted, double epsilon, const std::vector<double>& truth,
                     Counted& counted, Mat shell) {
  EPS eps = nullptr;
  PetscFunctionBeginUser;
  counted.products = 0;
  PetscCall(EPSCreate(PETSC_COMM_WORLD, &eps));
  PetscCall(EPSSetOperators(eps, shell, nullptr));
  PetscCall(EPSSetProblemType(eps, EPS_HEP));
  PetscCall(EPSSetType(eps, type));
  PetscCall(EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL));
  PetscCall(EPSSetDimensions(eps, wanted, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(EPSSetTolerances(eps, 1e-9, 5000));
  if (std::string(type) == EPSLOBPCG) {
    PetscCall(EPSLOBPCGSetBlockSize(eps, wanted));
  }
  if (std::string(type) == EPSLOBPCG || std::string(type) == EPSGD) {
    PetscCall(take_no_preconditioner(eps));
  }
  PetscCall(EPSSetFromOptions(eps));
  PetscCall(EPSSolve(eps));
  PetscInt converged = 0;
  PetscCall(EPSGetConverged(eps, &converged));
  std::vector<double> found;
  for (PetscInt k = 0; k < std::min(converged, wanted); ++k) {
    double mu = 0.0;
    PetscCall(EPSGetEigenvalue(eps, k, &mu, nullptr));
    found.push_back((mu - 1.0) / epsilon);
  }
  std::string list;
  for (const double value : found) {
    char text[32];
    std::snprintf(text, sizeof text, " %.3f", value + 0.0);
    list += text;
  }
  const std::vector<double> expected(truth.begin(), truth.begin() + wanted);
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%-18s %zu of %d missing, %ld products:%s\n", name, missing(expected, found),
                        int(wanted), counted.products, list.c_str()));
  PetscCall(EPSDestroy(&eps));
  PetscFunctionReturn(0);
}

PetscErrorCode run() {
  PetscInt points = 800;
  PetscInt wanted = 8;
  double epsilon = 0.01;
  PetscFunctionBeginUser;
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-points", &points, nullptr));
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-wanted", &wanted, nullptr));
  PetscCall(PetscOptionsGetReal(nullptr, nullptr, "-epsilon", &epsilon, nullptr));
  double sum = 0.0;
  for (PetscInt d = 0; d < points; ++d) {
    sum += kernel(d, points, epsilon);
  }
  Counted counted{};
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, points, points, points, nullptr, points, nullptr,
                         &counted.matrix));
  PetscInt begin = 0;
  PetscInt end = 0;
  PetscCall(MatGetOwnershipRange(counted.matrix, &begin, &end));
  for (PetscInt i = begin; i < end; ++i) {
    for (PetscInt j = 0; j < points; ++j) {
      const double value = kernel(j - i, points, epsilon);
      if (value >= 1e-8) {
        PetscCall(MatSetValue(counted.matrix, i, j, value / sum, INSERT_VALUES));
      }
    }
  }
  PetscCall(MatAssemblyBegin(counted.matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(counted.matrix, MAT_FINAL_ASSEMBLY));
  Mat shell = nullptr;
  PetscCall(MatCreateShell(PETSC_COMM_WORLD, end - begin, end - begin, points, points, &counted, &shell));
  PetscCall(MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)(void)>(multiply)));
  PetscCall(MatShellSetOperation(shell, MATOP_MULT_TRANSPOSE, reinterpret_cast<void (*)(void)>(multiply)));

  const std::vector<double> truth = exact(points, epsilon, sum);
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "exact:"));
  for (PetscInt k = 0; k < wanted; ++k) {
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, " %.3f", truth[std::size_t(k)] + 0.0));
  }
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "\n"));
  PetscCall(solve("Krylov-Schur", EPSKRYLOVSCHUR, wanted, epsilon, truth, counted, shell));
  PetscCall(solve("Arnoldi", EPSARNOLDI, wanted, epsilon, truth, counted, shell));
  PetscCall(solve("Davidson", EPSGD, wanted, epsilon, truth, counted, shell));
  PetscCall(solve("LOBPCG, a block", EPSLOBPCG, wanted, epsilon, truth, counted, shell));
  PetscCall(MatDestroy(&shell));
  PetscCall(MatDestroy(&counted.matrix));
  PetscFunctionReturn(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (SlepcInitialize(&argc, &argv, nullptr, nullptr) != 0) {
    return 1;
  }
  const PetscErrorCode error = run();
  return SlepcFinalize() != 0 || error != 0 ? 1 : 0;
}
