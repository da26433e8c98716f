"""The three maps on processes whose spectrum is known."""

import unittest

import numpy as np
from support import CliTest, gauss, ring

# Tolerances: with m = 2000 points, epsilon = 0.05 in one dimension the bias is O(epsilon) = 5 % and the statistical
# error of the low modes about as large; 20 % separates right from wrong and leaves room for the draw.
TOLERANCE = 0.2


class Maps(CliTest):
    def assert_slow_rates(self, eigenvalues, rates):
        self.assertAlmostEqual(abs(eigenvalues[0]), 0, delta=1e-9)
        found = eigenvalues.real[1:len(rates) + 1]
        np.testing.assert_allclose(found, rates, rtol=TOLERANCE)

    def test_dmap_ornstein_uhlenbeck(self):
        self.save("x.npy", gauss(2000, 1))
        self.assert_slow_rates(self.eigenvalues_of("dmap", "--points", "x.npy", "--epsilon", "0.05"), [-1, -2])

    def test_dmap_circle_has_pairs(self):
        self.save("x.npy", ring(400))
        values = self.eigenvalues_of("dmap", "--points", "x.npy", "--alpha", "1", "--epsilon", "0.01", "--eigs", "4")
        self.assert_slow_rates(values, [-1, -1, -4, -4])

    def test_tmd_forgets_the_sampling(self):
        x = np.random.default_rng(5).uniform(-4, 4, 2000)
        self.save("x.npy", x)
        self.save("log_target.npy", -x**2 / 2 + 1000)
        self.save("target.npy", np.exp(-x**2 / 2))
        words = ["tmd", "--points", "x.npy", "--epsilon", "0.05", "--eigs", "3"]
        by_log = self.eigenvalues_of(*words, "--log-target", "log_target.npy")
        self.assert_slow_rates(by_log, [-1, -2])
        np.testing.assert_allclose(self.eigenvalues_of(*words, "--target", "target.npy"), by_log, atol=1e-9)

    def test_bandwidth_tells_the_process_from_outliers(self):
        x = gauss(2000, 2)
        self.save("x.npy", x)
        self.save("b.npy", -x)
        words = ["lkd", "--points", "x.npy", "--drift", "b.npy", "--diffusion", "1", "--epsilon", "0.03", "--eigs", "2"]
        self.assertGreater(self.eigenvalues_of(*words, "--keep-traps")[1].real, -0.5)  # an outlier, not a process
        self.assert_slow_rates(self.eigenvalues_of(*words, "--bandwidth", "0.5"), [-1, -1])

    def test_lkd_rotation_is_a_complex_pair(self):
        x = np.random.default_rng(2).uniform(-2.5, 2.5, (2500, 2))  # even, so that the rim has neighbours too
        self.save("x.npy", x)
        self.save("drift.npy", x @ np.array([[-1, -2], [2, -1]]).T)
        values = self.eigenvalues_of("lkd", "--points", "x.npy", "--drift", "drift.npy", "--diffusion", "0.5",
                                     "--epsilon", "0.04", "--eigs", "2")
        np.testing.assert_allclose(values[1:], [-1 + 2j, -1 - 2j], atol=0.3)

    def test_lkd_diffusion_in_every_form(self):
        x = gauss(200, 2)
        self.save("x.npy", x)
        self.save("drift.npy", -x)
        shapes = {"number.npy": np.array([0.5]), "scalars.npy": np.full(200, 0.5), "column.npy": np.full((200, 1), 0.5),
                  "diagonals.npy": np.full((200, 2), 0.5), "matrix.npy": 0.5 * np.eye(2),
                  "matrices.npy": np.tile(0.5 * np.eye(2), (200, 1, 1)),
                  "flat.npy": np.tile(0.5 * np.eye(2).ravel(), (200, 1))}
        words = ["lkd", "--points", "x.npy", "--drift", "drift.npy", "--epsilon", "0.2", "--eigs", "3", "--diffusion"]
        expected = self.eigenvalues_of(*words, "0.5")
        for name, values in shapes.items():
            np.testing.assert_allclose(self.eigenvalues_of(*words, self.save(name, values)), expected, atol=1e-7)

    def test_lkd_without_drift_is_the_laplacian(self):
        self.save("x.npy", gauss(300, 2))
        common = ["--points", "x.npy", "--epsilon", "0.3", "--eigs", "3"]
        plain = self.eigenvalues_of("lkd", *common, "--diffusion", "1", "--keep-traps")
        np.testing.assert_allclose(plain, self.eigenvalues_of("dmap", *common, "--alpha", "1"), atol=1e-6)

    def test_lkd_biased_and_density_epsilon_matter(self):
        self.save("x.npy", gauss(300, 2))
        words = ["lkd", "--points", "x.npy", "--diffusion", "1", "--epsilon", "0.3", "--eigs", "1"]
        results = [self.json_of(*words, *more) for more in ([], ["--biased"], ["--density-epsilon", "0.1"],
                                                            ["--density-epsilon", "steepest"])]
        slowest = [result["eigenvalues"][1][0] for result in results]
        self.assertEqual(len(set(slowest)), 4, slowest)
        self.assertEqual(results[0]["density_epsilon"], 0.3)
        self.assertEqual(results[2]["density_epsilon"], 0.1)
        self.assertNotIn(results[3]["density_epsilon"], [0.1, 0.3])

    def test_eta_widens(self):
        self.save("x.npy", gauss(200, 2))
        words = ["lkd", "--points", "x.npy", "--epsilon", "0.3", "--eigs", "2"]
        np.testing.assert_allclose(self.eigenvalues_of(*words, "--diffusion", "0.5", "--eta", "0.5"),
                                   self.eigenvalues_of(*words, "--diffusion", "1"), atol=1e-7)

    def test_engines_agree(self):
        self.save("x.npy", gauss(400, 2))
        words = ["dmap", "--points", "x.npy", "--epsilon", "0.02", "--eigs", "4", "--engine"]
        sparse, grid, dense = (self.json_of(*words, engine) for engine in ("sparse", "grid", "dense"))
        self.assertEqual((sparse["engine"], grid["engine"], dense["engine"]), ("sparse", "grid", "dense"))
        np.testing.assert_allclose(sparse["eigenvalues"], dense["eigenvalues"], atol=1e-5)
        np.testing.assert_allclose(grid["eigenvalues"], dense["eigenvalues"], atol=1e-5)
        self.assertIn("asked for", grid["plan"]["reason"])
        self.save("many.npy", gauss(100, 4))
        self.refuse("dmap", "--points", "many.npy", "--engine", "grid", says=["grid", "at most three coordinates"])


if __name__ == "__main__":
    unittest.main()
