// Laplace-Beltrami spectra with their multiplicities, by the diffusion map with alpha = 1, from non-uniform samples.
//
// Compared are rates_log: P is close to the heat semigroup exp(epsilon Laplacian), so that the time-discretisation
// drops out. Chords are shorter than arcs, which makes every rate larger by the factor 1 + epsilon on circle, sphere
// and embedded torus (the asymptotics of I_n and i_l at 1 / (2 epsilon), to first order); periodic coordinates are
// flat. C = 1 is left for the density estimate.
#include <gtest/gtest.h>

#include <functional>
#include <numbers>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "itomap/generator/diffusion_map.hpp"
#include "support/samples.hpp"
#include "support/spectrum_check.hpp"
#include "support/systems.hpp"

namespace itomap::science_laplacians {

struct Manifold {
  const char* name;
  std::function<Points(std::uint64_t)> sample;
  std::function<Vector(Index)> spectrum;
  Index count;  // beyond 0: whole multiplets
  double epsilon;
  double curvature;  // 1 if embedded
  std::vector<double> period;

  friend std::ostream& operator<<(std::ostream& out, const Manifold& m) { return out << m.name; }
};

constexpr double turn = 2.0 * std::numbers::pi;

const Manifold circle{
    .name = "Circle",
    .sample = [](std::uint64_t seed) { return samples::on_circle(samples::skewed_angles(2000, seed)); },
    .spectrum = exact::circle_spectrum,
    .count = 6,
    .epsilon = 0.008,
    .curvature = 1.0,
    .period = {}};
const Manifold sphere{.name = "Sphere",
                      .sample = [](std::uint64_t seed) { return samples::skewed_sphere(4000, seed); },
                      .spectrum = exact::sphere_spectrum,
                      .count = 8,
                      .epsilon = 0.03,
                      .curvature = 1.0,
                      .period = {}};
const Manifold torus{
    .name = "FlatTorusInR4",
    .sample = [](std::uint64_t seed) { return samples::on_flat_torus(samples::skewed_torus(4000, seed)); },
    .spectrum = exact::torus_spectrum,
    .count = 8,
    .epsilon = 0.04,
    .curvature = 1.0,
    .period = {}};
const Manifold periodic{.name = "PeriodicCoordinates",
                        .sample = [](std::uint64_t seed) { return samples::skewed_torus(4000, seed); },
                        .spectrum = exact::torus_spectrum,
                        .count = 8,
                        .epsilon = 0.04,
                        .curvature = 0.0,
                        .period = {turn, turn}};

class Laplacian : public testing::TestWithParam<std::tuple<Manifold, std::uint64_t>> {
 protected:
  double share_of_budget(double alpha) const {
    const auto& [manifold, seed] = GetParam();
    const Map map = diffusion_map(
        manifold.sample(seed),
        {.epsilon = manifold.epsilon, .alpha = alpha, .kernel = {.engine = Engine::Sparse, .period = manifold.period}});
    const Spectrum s = eigenpairs(map, {.count = manifold.count});
    const Vector expected = manifold.spectrum(manifold.count + 1) * (1.0 + manifold.curvature * manifold.epsilon);
    return statistics::worst_share_of_budget(map, s, s.rates_log.cast<std::complex<double>>(),
                                             expected.cast<std::complex<double>>(), 1.5);
  }
};

TEST_P(Laplacian, AlphaOne) { EXPECT_LE(share_of_budget(1.0), 1.0); }

// Control: the sampling density shows for any other alpha.

class LaplacianControl : public Laplacian {};

TEST_P(LaplacianControl, AlphaOneHalfFails) { EXPECT_GT(share_of_budget(0.5), 1.0); }

const auto manifolds = testing::Values(circle, sphere, torus, periodic);

std::string name_of(const testing::TestParamInfo<std::tuple<Manifold, std::uint64_t>>& test) {
  return std::get<0>(test.param).name + ("_seed" + std::to_string(std::get<1>(test.param)));
}
INSTANTIATE_TEST_SUITE_P(Seeds, Laplacian, testing::Combine(manifolds, testing::Values(1, 2, 3, 4, 5)), name_of);
INSTANTIATE_TEST_SUITE_P(Seeds, LaplacianControl, testing::Combine(manifolds, testing::Values(1)), name_of);

}  // namespace itomap::science_laplacians
