"""Periodic coordinates, isolated points, duplicates, several components."""

import unittest

import numpy as np
from support import CliTest, gauss, ring, square


class Periodic(CliTest):
    def test_an_angle_is_a_circle(self):
        self.save("angle.npy", np.arange(0, 360, 1.0))
        words = ["dmap", "--points", "angle.npy", "--alpha", "1", "--epsilon", "20", "--eigs", "4"]
        degrees = np.pi / 180
        values = self.eigenvalues_of(*words, "--period", "360").real / degrees**2
        np.testing.assert_allclose(values[1:], [-1, -1, -4, -4], rtol=0.05)
        # Without it there are ends, and an interval has no pairs.
        free = self.eigenvalues_of(*words).real / degrees**2
        self.assertLess(abs(free[1]), 0.5)
        self.assertGreater(abs(free[2] - free[1]), 0.3)

    def test_zero_means_not_periodic(self):
        self.save("x.npy", gauss(50, 2))
        words = ["dmap", "--points", "x.npy", "--epsilon", "0.5", "--eigs", "3"]
        np.testing.assert_allclose(self.eigenvalues_of(*words, "--period", "0,0"), self.eigenvalues_of(*words), atol=1e-12)


class Isolated(CliTest):
    def setUp(self):
        super().setUp()
        x = square(200)
        x[77] = [100, 100]
        self.save("x.npy", x)
        self.save("clean.npy", np.delete(x, 77, axis=0))
        self.words = ["dmap", "--points", "x.npy", "--epsilon", "0.3", "--eigs", "3"]

    def test_they_are_told(self):
        done = self.succeed(*self.words, "--json")
        self.assertIn("itomap: warning: ", done.stderr)
        self.assertIn("77", done.stderr)
        result = self.json_of(*self.words)
        self.assertEqual(result["diagnostics"]["isolated_points"], 1)
        self.assertEqual(result["diagnostics"]["components"], 2)
        self.assertEqual(result["spurious"], [1])
        self.assertNotIn("nan", done.stdout.lower())

    def test_the_table_flags_them(self):
        self.assertRegex(self.succeed(*self.words).stdout, r"\n +1 .* spurious")

    def test_dropping_them(self):
        result = self.json_of(*self.words, "--drop-isolated", "--out", "result")
        self.assertEqual(result["points"], 200)
        clean = self.json_of("dmap", "--points", "clean.npy", *self.words[3:])
        np.testing.assert_allclose(result["eigenvalues"], clean["eigenvalues"], atol=1e-9)
        for name, shape in ("eigenfunctions", (200, 4)), ("stationary", (200,)), ("embedding", (200, 3)):
            array = self.load(f"result/{name}.npy")
            self.assertEqual(array.shape, shape)
            bad = np.isnan(array).reshape(200, -1).any(axis=1)
            self.assertEqual(list(np.flatnonzero(bad)), [77], name)


class Duplicates(CliTest):
    def test_number_and_order_are_kept(self):
        x = gauss(100, 2)
        x[40] = x[60] = x[3]
        self.save("x.npy", x)
        self.succeed("dmap", "--points", "x.npy", "--epsilon", "0.5", "--eigs", "3", "--out", "result")
        psi = self.load("result/eigenfunctions.npy")
        self.assertGreaterEqual(psi.shape[1], 4)  # and what is flagged
        np.testing.assert_allclose(psi[[40, 60]], psi[[3, 3]], atol=1e-9)
        self.assertGreater(np.abs(psi[41] - psi[3]).max(), 1e-3)

    def test_all_points_the_same(self):
        self.save("x.npy", np.ones((20, 2)))
        self.refuse("dmap", "--points", "x.npy", "--eigs", "2", says="coincide")


class DegenerateColumns(CliTest):
    """A column without extent, or with two values: all of its points lie at the ends of the grid."""

    def check(self, column):
        x = np.random.default_rng(0).normal(size=20000)
        self.save("line.npy", x)
        self.save("x.npy", np.c_[x, column])
        self.save("log_pi.npy", -x**2)
        for words in ["dmap"], ["tmd", "--log-target", "log_pi.npy"]:
            own = self.eigenvalues_of(*words, "--points", "x.npy", "--epsilon", "0.02", "--eigs", "3")
            line = self.eigenvalues_of(*words, "--points", "line.npy", "--epsilon", "0.02", "--eigs", "3")
            yield own, line
        self.succeed("dmap", "--points", "x.npy", "--eigs", "3")
        self.succeed("scale", "--points", "x.npy")

    def test_a_constant_column_says_nothing(self):
        for own, line in self.check(np.zeros(20000)):
            np.testing.assert_allclose(own, line, rtol=1e-6, atol=1e-9)

    def test_a_column_of_zeros_and_ones(self):
        for own, _ in self.check(np.arange(20000) % 2):
            self.assertTrue(np.isfinite(own).all())


class Components(CliTest):
    def test_three_rings(self):
        self.save("x.npy", np.concatenate([ring(60) + [10 * k, 0] for k in range(3)]))
        result = self.json_of("dmap", "--points", "x.npy", "--alpha", "1", "--epsilon", "0.03", "--eigs", "8")
        self.assertEqual(result["diagnostics"]["components"], 3)
        rates = np.array(result["eigenvalues"])[:, 0]
        np.testing.assert_allclose(rates[:3], 0, atol=1e-9)
        np.testing.assert_allclose(rates[3:], -1, rtol=0.05)


if __name__ == "__main__":
    unittest.main()
