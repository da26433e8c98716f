"""Outliers, far pairs and traps: they are named, and the process on the rest is found."""

import unittest

import numpy as np
from support import CliTest


def van_der_pol(runs, frames, dt=0.01, noise=0.15, seed=3):
    """dx = y, dy = (1 - x^2) y - x with noise: runs x frames x 2, by ten Euler steps a frame."""
    rng = np.random.default_rng(seed)
    step = dt / 10
    x = rng.uniform(-2, 2, (runs, 2))
    result = np.empty((runs, frames, 2))
    for k in range(-100, frames):
        if k >= 0:
            result[:, k] = x
        for _ in range(10):
            drift = np.column_stack([x[:, 1], (1 - x[:, 0] ** 2) * x[:, 1] - x[:, 0]])
            x = x + step * drift + np.sqrt(2 * noise * step) * rng.standard_normal(x.shape)
    return result


def two_wells(m, seed=3):
    """Points of exp(-U), U = 2 (x^2 - 1)^2 + y^2, in [-2, 2]^2."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, (20 * m, 2))
    return x[rng.uniform(size=len(x)) < np.exp(-potential(x))][:m]


def potential(x):
    return 2 * (x[:, 0] ** 2 - 1) ** 2 + x[:, 1] ** 2


class Oscillator(CliTest):
    """From trajectories to the rotation: outlying frames would be traps."""

    def setUp(self):
        super().setUp()
        runs = van_der_pol(20, 2000)
        files = [self.save(f"run{k}.npy", run) for k, run in enumerate(runs)]
        self.succeed("estimate", "--trajectory", ",".join(files), "--dt", "0.01", "--lag", "0.01", "--neighbours", "400",
                     "--query-count", "2000", "--out", "km", "--quiet")

    def test_the_rotation_is_found_whatever_epsilon(self):
        for epsilon in "0.05", "0.02":
            result = self.json_of("lkd", "--points", "km/points.npy", "--drift", "km/drift.npy", "--diffusion",
                                  "km/diffusion.npy", "--epsilon", epsilon, "--eigs", "4", "--out", "map" + epsilon)
            values = np.array(result["eigenvalues"]) @ [1, 1j]
            pairs = [v for n, v in enumerate(values) if v.imag > 0 and n not in result["spurious"]]
            # The period is 6.7 for little noise: 0.94 in angle a time; few frames and the density's bias slow it.
            self.assertTrue(0.4 < pairs[0].imag < 1.1, values)
            self.assertTrue(-0.3 < pairs[0].real < -0.05, values)
            self.assertGreater(1 / np.sum(self.load(f"map{epsilon}/stationary.npy") ** 2), 200)
            self.assertGreater(result["diagnostics"]["trap_points"], 0)
            self.assertTrue(any("hold the process" in w for w in result["diagnostics"]["warnings"]))

    def test_kept_traps_are_flagged(self):
        result = self.json_of("lkd", "--points", "km/points.npy", "--drift", "km/drift.npy", "--diffusion",
                              "km/diffusion.npy", "--epsilon", "0.02", "--eigs", "4", "--keep-traps")
        self.assertEqual(result["diagnostics"]["trap_points"], 0)
        self.assertIn(1, result["spurious"])


class LightOutliers(CliTest):
    def test_the_wells_are_the_sets(self):
        x = np.vstack([two_wells(1500), [[0.1, 2.9], [3.4, 0]]])
        self.save("x.npy", x)
        self.save("t.npy", -2 * potential(x))
        result = self.json_of("tmd", "--points", "x.npy", "--log-target", "t.npy", "--epsilon", "0.02", "--eigs", "4",
                              "--out", "map")
        self.assertEqual(result["spurious"][:2], [1, 2])
        self.succeed("cluster", "--result", "map", "--sets", "2", "--quiet")
        sets = self.load("map/sets.npy")
        right = x[:1500, 0] > 0
        agree = np.mean((sets[:1500] == sets[np.argmax(x[:1500, 0])]) == right)
        self.assertGreater(agree, 0.97)


class ManyComponents(CliTest):
    def test_one_line_stands_for_the_zeros_of_lone_points(self):
        lone = [[20 * np.cos(k), 20 * np.sin(k)] for k in range(9)]
        self.save("x.npy", np.vstack([two_wells(400), lone]))
        text = self.succeed("dmap", "--points", "x.npy", "--epsilon", "0.05", "--eigs", "3").stdout
        self.assertIn("2 to 9: the same, spurious", text)

    def test_both_residuals_of_irreversible_maps_are_shown(self):
        self.save("x.npy", two_wells(300))
        text = self.succeed("lkd", "--points", "x.npy", "--diffusion", "1", "--epsilon", "0.05", "--eigs", "3").stdout
        self.assertRegex(text, r"residual +left +condition\n")


if __name__ == "__main__":
    unittest.main()
