// The same bits for any number of threads: kernels, products, eigenvalues, eigenfunctions.
#include <gtest/gtest.h>

#include "generator/generator.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/arbitrary_problem.hpp"
#include "support/problem_maps.hpp"
#include "support/same_bits.hpp"

namespace itomap::property_threads {

using samples::Problem;
using samples::ProblemShape;
using samples::random_problem;

using test::same_bits;

bool same_bits(const Eigenfunctions& a, const Eigenfunctions& b) {
  return same_bits(a.re, b.re) && same_bits(a.im, b.im);
}

bool same_bits(const Spectrum& a, const Spectrum& b) {
  return same_bits(a.eigenvalues, b.eigenvalues) && same_bits(a.eigenfunctions, b.eigenfunctions) &&
         same_bits(a.left_eigenfunctions, b.left_eigenfunctions) && same_bits(a.stationary, b.stationary) &&
         same_bits(a.residuals, b.residuals);
}

std::vector<Map> maps_with_threads(const Problem& problem, Engine engine, int threads) {
  return samples::all_maps(problem, problem.kernel(engine), {.threads = threads});
}

void check_threads(const ProblemShape& shape, Engine engine) {
  const Problem problem = random_problem(shape);
  const auto one = maps_with_threads(problem, engine, 1);
  const auto two = maps_with_threads(problem, engine, 2);
  for (std::size_t k = 0; k < one.size(); ++k) {
    RC_LOG() << samples::name_of(one[k]);
    RC_ASSERT(same_bits(one[k].density(), two[k].density()));
    RC_ASSERT(same_bits(detail::generator_of(one[k]).row_sums, detail::generator_of(two[k]).row_sums));
    RC_ASSERT(same_bits(one[k].backward(problem.function), two[k].backward(problem.function)));
    RC_ASSERT(same_bits(one[k].forward(problem.function), two[k].forward(problem.function)));
  }
}

RC_GTEST_PROP(Threads, SparseProductsHaveTheSameBits, (const ProblemShape& shape)) {
  check_threads(shape, Engine::Sparse);
}

RC_GTEST_PROP(Threads, DenseProductsHaveTheSameBits, (const ProblemShape& shape)) {
  check_threads(shape, Engine::Dense);
}

RC_GTEST_PROP(Threads, GridProductsHaveTheSameBits, (ProblemShape shape)) {
  shape.points += 500;  // dense enough for a grid
  shape.dimension = 1 + shape.dimension % 2;
  shape.diffusion_kind = 0;
  check_threads(shape, Engine::Grid);
}

// Loops are cut into chunks of some hundred points: fewer would never meet a second thread.
TEST(Threads, EigenpairsHaveTheSameBits) {
  for (const Engine engine : {Engine::Sparse, Engine::Grid, Engine::Dense}) {
    const Problem problem =
        random_problem({.points = 1300, .dimension = 2, .diffusion_kind = engine == Engine::Grid ? 3 : 4, .seed = 5});
    const auto one = maps_with_threads(problem, engine, 1);
    const auto two = maps_with_threads(problem, engine, 2);
    for (const std::size_t k : {1, 2}) {  // TMDmap and LKDmap: the symmetric and the general solver
      EXPECT_TRUE(same_bits(eigenpairs(one[k], {.count = 4}), eigenpairs(two[k], {.count = 4})))
          << samples::name_of(one[k]);
    }
  }
}

}  // namespace itomap::property_threads
