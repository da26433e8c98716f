// Stored kernels whose rows several processes hold: to the bit what one process has.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "core/context.hpp"
#include "kernel/pairs/sparse_operator.hpp"
#include "support/same_bits.hpp"
#include "support/samples.hpp"
#include "support/thread_ranks.hpp"

namespace itomap {
using namespace detail;
namespace {

using test::same_bits;

/// Three clusters of different density, beyond each other's reach, and a point by itself.
Points uneven_clusters(Index m, Index dimension) {
  Points x = samples::normal(m, dimension, 3);
  for (Index i = 0; i < m; ++i) {
    x.row(i) *= 0.1 * double(1 + i % 3);
    x(i, 0) += 20.0 * double(i % 3);
  }
  x.row(m / 2).setConstant(500.0);
  return x;
}

struct SharedCase {
  const char* name;
  Index dimension;
  bool symmetric;
  KernelOptions options{};
};

KernelGeometry geometry_of(const SharedCase& c, const Points& x) {
  return c.symmetric ? KernelGeometry::isotropic(x, 0.02, c.options)
                     : KernelGeometry::local(x, -0.5 * x.array().sin().matrix(), Diffusion::constant(0.7), 0.02, 0.0,
                                             c.options);
}

/// All that a kernel is asked for.
struct Answers {
  std::vector<Block> products;
  KernelGraph graph;
  Vector sums;
  std::size_t memory = 0;
};

Answers answers_of(const SharedCase& c, const Points& x, const Ranks* ranks, int threads) {
  const Execution execution{.threads = threads, .ranks = ranks};
  const ExecutionScope scope(execution);
  const KernelGeometry geometry = geometry_of(c, x);
  const SparseOperator kernel(geometry, c.options);
  Answers a;
  for (const Index width : {1, 3, 4, 7, 12, 17}) {
    const Block f = samples::normal(x.rows(), width, 7);
    Block y(x.rows(), width);
    kernel.apply(f, y);
    a.products.push_back(y);
    kernel.apply_transpose(f, y);
    a.products.push_back(y);
    const std::vector<Index> rows{x.rows() - 1, 0, x.rows() / 2, 17, 0};
    Block some(Index(rows.size()), width);
    kernel.apply_rows(rows, f, some);
    a.products.push_back(some);
  }
  a.graph = kernel.graph();
  a.sums = geometry.row_sums();
  a.memory = kernel.memory();
  return a;
}

void expect_same(const Answers& a, const Answers& b) {
  for (std::size_t k = 0; k < a.products.size(); ++k) {
    EXPECT_TRUE(same_bits(a.products[k], b.products[k])) << k;
  }
  EXPECT_EQ(a.graph.component, b.graph.component);
  EXPECT_EQ(a.graph.components, b.graph.components);
  EXPECT_EQ(a.graph.isolated, b.graph.isolated);
  EXPECT_EQ(a.graph.stranded, b.graph.stranded);
  EXPECT_EQ(a.graph.mean_neighbours, b.graph.mean_neighbours);
  EXPECT_EQ(a.sums, b.sums);
}

class SharedRows : public testing::TestWithParam<SharedCase> {};

TEST_P(SharedRows, HaveTheBitsOfOneProcess) {
  const Points x = uneven_clusters(3100, GetParam().dimension);
  const Answers alone = answers_of(GetParam(), x, nullptr, 2);
  EXPECT_GT(alone.graph.components, 3);
  for (const int size : {1, 2, 3, 4, 9}) {  // 9: more than there are blocks
    std::mutex one_at_a_time;
    std::vector<std::size_t> memory;
    test::ThreadRanks(size).run([&](const Ranks& ranks) {
      const Answers shared = answers_of(GetParam(), x, &ranks, 1 + size % 2);
      const std::scoped_lock lock(one_at_a_time);
      expect_same(alone, shared);
      memory.push_back(shared.memory);
    });
    EXPECT_EQ(memory, std::vector<std::size_t>(std::size_t(size), memory[0])) << "all take the same decisions";
    EXPECT_LE(memory[0], alone.memory);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SharedRows,
                         testing::Values(SharedCase{"plane", 2, true}, SharedCase{"space", 5, true},
                                         SharedCase{"drift", 2, false}, SharedCase{"drift5", 5, false},
                                         SharedCase{"floats", 2, true, {.single_precision = true}},
                                         SharedCase{"ring", 2, true, {.period = {60.0, 0.0}}},
                                         SharedCase{"whirl", 2, false, {.period = {60.0, 0.0}}}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(SharedRows, TakeLessMemoryTheMoreShareThem) {
  const SharedCase plane{"plane", 2, true};
  const Points x = 6.0 * samples::normal(12000, 2, 5);
  const std::size_t alone = answers_of(plane, x, nullptr, 1).memory;
  for (const int size : {2, 4}) {
    test::ThreadRanks(size).run([&](const Ranks& ranks) {
      const double share = double(answers_of(plane, x, &ranks, 1).memory) / double(alone);
      EXPECT_LT(share, 1.5 / double(size)) << "of one of " << size;
    });
  }
}

}  // namespace
}  // namespace itomap
