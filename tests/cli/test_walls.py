"""--normalization and --step: what they change, what they are kept as, and what is refused."""

import json
import unittest

import numpy as np
from support import CliTest


def box(m, seed=1):
    """Points of density 1/2 + x on the unit square."""
    x = np.random.default_rng(seed).random((m, 2))
    x[:, 0] = 0.5 * (np.sqrt(1 + 8 * x[:, 0]) - 1)
    return x


class Walls(CliTest):
    def setUp(self):
        super().setUp()
        x = box(6000)
        self.save("x.npy", x)
        self.save("flat.npy", np.zeros(len(x)))
        self.words = ["tmd", "--points", "x.npy", "--log-target", "flat.npy", "--epsilon", "0.002", "--eigs", "3"]

    def slowest(self, *words):
        return self.json_of(*words)["rates_log"][1]

    def test_bistochastic_weights_reflect(self):
        exact = -np.pi**2  # of cos(pi x), a constant target
        self.assertGreater(self.slowest(*self.words) / exact, 0.8)
        self.assertLess(self.slowest(*self.words) / exact, 0.93)
        # Noise of the slowest of two equal eigenvalues out of 6,000 points: some 2 %.
        self.assertAlmostEqual(self.slowest(*self.words, "--normalization", "bistochastic") / exact, 1, delta=0.06)

    def test_alpha_1_is_the_flat_target(self):
        dmap = ["dmap", *self.words[1:3], *self.words[5:], "--alpha", "1", "--normalization", "bistochastic"]
        tmd = [*self.words, "--normalization", "bistochastic"]
        np.testing.assert_allclose(self.eigenvalues_of(*dmap), self.eigenvalues_of(*tmd), rtol=1e-5, atol=1e-8)

    def test_the_paper_s_weights_are_the_default_and_warn(self):
        done = self.succeed(*self.words, "--json")
        result = json.loads(done.stdout)
        self.assertEqual(result["definition"]["normalization"], "paper")
        self.assertGreater(result["diagnostics"]["wall_points"], 300)
        self.assertIn("warning: walls: ", done.stderr)
        self.assertNotIn("warning", self.succeed(*self.words, "--normalization", "bistochastic", "--json").stderr)

    def test_a_result_keeps_both(self):
        self.save("b.npy", np.zeros((6000, 2)))
        lkd = ["lkd", "--points", "x.npy", "--drift", "b.npy", "--diffusion", "1", "--epsilon", "0.002", "--eigs", "2"]
        self.succeed(*lkd, "--normalization", "bistochastic", "--step", "heun", "--out", "r", "--quiet")
        kept = json.loads((self.dir / "r" / "result.json").read_text())
        self.assertEqual(kept["definition"]["normalization"], "bistochastic")
        self.assertEqual(kept["definition"]["step"], "heun")
        self.assertEqual(kept["parameters"]["step"], "heun")
        at = ["--points", "x.npy", "--drift", "b.npy", "--diffusion", "1"]
        self.succeed("extend", "--result", "r", *at, "--out", "e", "--quiet")  # builds the map again

    def test_heun_turns_with_the_drift(self):
        """A rotation by 2 radians a unit of time: an Euler step of 0.1 turns by atan 0.2, a Heun step by almost 0.2."""
        x = np.random.default_rng(2).standard_normal((3000, 2))
        self.save("x.npy", x)
        self.save("b.npy", x @ np.array([[-1.0, -2.0], [2.0, -1.0]]).T)
        lkd = ["lkd", "--points", "x.npy", "--drift", "b.npy", "--diffusion", "1", "--epsilon", "0.1", "--eigs", "2"]
        turn = lambda *more: abs(np.angle(1 + 0.1 * self.eigenvalues_of(*lkd, *more)[1])) / 0.1
        self.assertLess(abs(turn("--step", "heun") - 2), 0.5 * abs(turn() - 2))

    def test_refusals(self):
        self.refuse(*self.words, "--normalization", "sinkhorn", says=["normalization", "paper or bistochastic"])
        self.refuse(*self.words, "--step", "heun", says="step")
        lkd = ["lkd", "--points", "x.npy", "--diffusion", "1", "--epsilon", "0.002"]
        self.refuse(*lkd, "--step", "midpoint", says=["step", "euler or heun"])
        self.refuse(*lkd, "--biased", "--normalization", "bistochastic", says="normalization: the biased kernel")


if __name__ == "__main__":
    unittest.main()
