#include "itomap/analysis/cluster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "itomap/core/error.hpp"
#include "support/matrix_map.hpp"

namespace itomap {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<Index> sizes{3, 9, 5};
const std::vector<Index> alike{5, 6, 7};  // a cycle of states has a complex pair if its rates are not too different
constexpr double epsilon = 0.25;

test::Chain blocks(bool cyclic = false, std::uint64_t seed = 1) {
  return test::chain(test::block_kernel(cyclic ? alike : sizes, 0.01, cyclic, seed), epsilon);
}

std::vector<Index> sorted(std::vector<Index> values) {
  std::ranges::sort(values);
  return values;
}

/// sum_{i, j} pi_i f_i L_ij g_j, entry by entry.
double form(const test::Chain& chain, const Vector& f, const Vector& g) {
  double sum = 0.0;
  for (Index i = 0; i < f.size(); ++i) {
    for (Index j = 0; j < f.size(); ++j) {
      sum += chain.stationary[i] * f[i] * (chain.markov(i, j) - (i == j ? 1.0 : 0.0)) / epsilon * g[j];
    }
  }
  return sum;
}

std::string refusal(const test::Chain& chain, const ClusterOptions& options) {
  try {
    cluster(chain.map, chain.spectrum, options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Cluster, HardSetsLoseTheFluxOutOfThem) {
  for (const bool cyclic : {false, true}) {
    const auto chain = blocks(cyclic);
    const auto sets = cluster(chain.map, chain.spectrum, {.sets = 3, .method = ClusterMethod::Kmeans});
    const auto m = Index(sets.labels.size());
    EXPECT_EQ(sorted(sets.points), sorted(cyclic ? alike : sizes));
    for (Index k = 0; k < 3; ++k) {
      double flux = 0.0, weight = 0.0;
      for (Index i = 0; i < m; ++i) {
        if (sets.labels[i] != k) {
          continue;
        }
        weight += chain.stationary[i];
        for (Index j = 0; j < m; ++j) {
          if (sets.labels[j] != k) {
            flux += chain.stationary[i] * chain.markov(i, j) / epsilon;
          }
        }
      }
      EXPECT_NEAR(sets.rates.weights[k], weight, 1e-14);
      EXPECT_NEAR(sets.rates.escape_rates[k], flux / weight, 1e-12 * flux / weight);
      EXPECT_NEAR(sets.rates.exit_times[k], weight / flux, 1e-12 * weight / flux);
      EXPECT_NEAR(sets.rates.rate_matrix(k, k), -flux / weight, 1e-10 * flux / weight);
    }
  }
}

class ClusterSeeds : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ClusterSeeds, SoftSetsHaveTheRatesOfTheHeaderAndTheTimeScalesOfTheModes) {
  const auto chain = blocks(false, GetParam());
  const auto sets = cluster(chain.map, chain.spectrum, {.sets = 3});
  EXPECT_EQ(sets.method, ClusterMethod::Pcca);
  EXPECT_THAT(sets.functions, ElementsAre(1, 2));
  EXPECT_THAT(sets.points, ElementsAre(9, 5, 3));
  for (Index k = 0; k < 3; ++k) {
    const Vector chi = sets.memberships.col(k);
    const double rate = -form(chain, chi, chi) / chain.stationary.dot(chi.cwiseAbs2());
    EXPECT_NEAR(sets.rates.escape_rates[k], rate, 1e-10 * rate);
  }
  EXPECT_LT(sets.rates.rate_matrix.rowwise().sum().cwiseAbs().maxCoeff(), 1e-12);
  for (Index n = 1; n < 3; ++n) {
    const double timescale = -1.0 / chain.spectrum.eigenvalues[n].real();
    EXPECT_NEAR(sets.rates.timescales[n - 1], timescale, 1e-8 * timescale);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClusterSeeds, testing::Values(1, 2, 3, 4, 5));

TEST(Cluster, TheNumberOfSetsIsEnough) {
  const auto chain = blocks();
  const auto sets = cluster(chain.map, chain.spectrum, 3);
  const auto same = cluster(chain.map, chain.spectrum, {.sets = 3});
  EXPECT_EQ(sets.labels, same.labels);
  EXPECT_EQ(sets.memberships, same.memberships);
}

TEST(Cluster, AComplexPairEntersAsRealAndImaginaryPart) {
  const auto chain = blocks(true);
  ASSERT_NE(chain.spectrum.eigenvalues[1].imag(), 0.0);
  const auto hard = cluster(chain.map, chain.spectrum, {.sets = 3});
  EXPECT_EQ(hard.method, ClusterMethod::Kmeans);
  const auto soft = cluster(chain.map, chain.spectrum, {.sets = 3, .method = ClusterMethod::Pcca});
  EXPECT_EQ(sorted(soft.points), alike);
  EXPECT_EQ(soft.labels, hard.labels);
  const double timescale = -1.0 / chain.spectrum.eigenvalues[1].real();
  EXPECT_NEAR(soft.rates.timescales[1], timescale, 1e-8 * timescale);
  // Round and round: what leaves a block goes to the next one, and nothing the other way.
  const Index first = soft.labels[0], second = soft.labels[5];
  EXPECT_GT(soft.rates.rate_matrix(first, second), 20.0 * std::abs(soft.rates.rate_matrix(second, first)));
}

TEST(Cluster, HalfAPairIsCompletedOrRefused) {
  const auto chain = blocks(true);
  const auto hard = cluster(chain.map, chain.spectrum, {.sets = 2});
  EXPECT_THAT(hard.functions, ElementsAre(1, 2)) << "k-means takes the pair whole";
  EXPECT_THAT(refusal(chain, {.sets = 2, .method = ClusterMethod::Pcca}), HasSubstr("half of the complex pair 1, 2"));
  EXPECT_THAT(refusal(chain, {.sets = 2, .functions = {2}}), HasSubstr("half of the complex pair 1, 2"));
}

TEST(Cluster, SpuriousModesAreNeverUsedSilently) {
  auto chain = blocks();
  chain.spectrum.spurious = {1};
  const auto passed = cluster(chain.map, chain.spectrum, {.sets = 2});
  EXPECT_THAT(passed.functions, ElementsAre(2));
  EXPECT_THAT(passed.warnings, ElementsAre(HasSubstr("function(s) 1 are spurious and were passed over, 2 used")));
  const auto named = cluster(chain.map, chain.spectrum, {.sets = 2, .functions = {1}});
  EXPECT_THAT(named.warnings, ElementsAre(HasSubstr("function(s) 1 are spurious: ")));
  for (Index n = 2; n < 17; ++n) {
    chain.spectrum.spurious.push_back(n);
  }
  EXPECT_THAT(refusal(chain, {.sets = 2}), HasSubstr("name them as functions"));
}

TEST(Cluster, RefusesWhatDoesNotFit) {
  const auto chain = blocks();
  EXPECT_THAT(refusal(chain, {.sets = 1}), HasSubstr("sets: 1 is less than 2"));
  EXPECT_THAT(refusal(chain, {.sets = 18}), HasSubstr("sets: 18 need 17 functions, but there are 16"));
  EXPECT_THAT(refusal(chain, {.sets = 4, .functions = {1, 2}}), HasSubstr("sets: 4 need 3 functions, but there are 2"));
  EXPECT_THAT(refusal(chain, {.sets = 2, .functions = {17}}),
              HasSubstr("functions: 17 is not among the eigenfunctions 1 to 16"));
  EXPECT_THAT(refusal(chain, {.sets = 2, .functions = {0}}), HasSubstr("functions: 0 is not among"));
  EXPECT_THAT(refusal(chain, {.sets = 3, .functions = {2, 2}}), HasSubstr("functions: 2 is named twice"));
  EXPECT_THAT(refusal(chain, {.sets = 2, .functions = {1, 2}}), HasSubstr("pcca finds 2 sets from exactly 1"));
  EXPECT_EQ(refusal(chain, {.sets = 2, .method = ClusterMethod::Kmeans, .functions = {1, 2}}), "accepted");
}

TEST(SetRates, ClosedSetsNeverEnd) {
  const auto chain = test::chain(test::block_kernel({4, 6}, 0.0, false, 1), epsilon);
  Block memberships = Block::Zero(10, 2);
  memberships.col(0).head(4).setOnes();
  memberships.col(1).tail(6).setOnes();
  const Vector weights = chain.map.stationary();
  const auto rates = set_rates(chain.map, weights, memberships);
  EXPECT_EQ(rates.escape_rates, Vector::Zero(2));
  EXPECT_TRUE(std::isinf(rates.exit_times[0]) && std::isinf(rates.timescales[0]));
  EXPECT_THROW(set_rates(chain.map, weights, memberships.topRows(9)), InvalidArgument);
}

}  // namespace
}  // namespace itomap
