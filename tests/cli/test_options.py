"""Options that change how, or how much, is computed."""

import unittest

import numpy as np
from support import CliTest, gauss, square


class Options(CliTest):
    def setUp(self):
        super().setUp()
        self.save("x.npy", square(600))
        self.words = ["dmap", "--points", "x.npy", "--epsilon", "0.05", "--eigs", "4"]

    def files(self, name, *words):
        self.succeed(*words, "--out", name, "--quiet")
        return {p.name: p.read_bytes() for p in (self.dir / name).glob("*.npy")}

    def test_threads_give_the_same_bytes(self):
        x = square(2500)  # more than one chunk of every threaded loop
        self.save("x.npy", x)
        self.save("drift.npy", x @ np.array([[-1, -2], [2, -1]]).T)
        lkd = ["lkd", *self.words[1:], "--drift", "drift.npy", "--diffusion", "0.5"]
        for words in [*self.words, "--engine", "sparse"], [*self.words, "--engine", "dense"], lkd:
            one, two = (self.files(f"{words[0]}{words[-1]}-{t}", *words, "--threads", t) for t in "12")
            self.assertGreater(len(one), 6)  # the inputs are there as well
            for name in one:
                self.assertEqual(one[name], two[name], name)

    def test_the_same_run_twice_is_the_same(self):
        self.assertEqual(self.files("a", *self.words), self.files("b", *self.words))

    def test_seed_changes_rounding_only(self):
        a, b = (self.eigenvalues_of(*self.words, "--seed", seed) for seed in "17")
        np.testing.assert_allclose(a, b, atol=1e-6)

    def test_eigs(self):
        for eigs in 1, 7:
            self.assertEqual(len(self.json_of(*self.words[:-1], eigs)["eigenvalues"]), eigs + 1)

    def test_as_many_as_there_are(self):
        self.save("few.npy", gauss(6))
        self.assertEqual(len(self.json_of("dmap", "--points", "few.npy", "--epsilon", "1", "--eigs", "5")["eigenvalues"]), 6)

    def test_auto_epsilon_is_a_sensible_scale(self):
        result = self.json_of("dmap", "--points", "x.npy", "--eigs", "1")
        self.assertTrue(0.001 < result["epsilon"] < 10, result["epsilon"])
        self.assertEqual(result["diagnostics"]["components"], 1)
        self.assertAlmostEqual(result["diagnostics"]["intrinsic_dimension"], 2, delta=0.5)

    def test_auto_epsilon_of_lkd_is_a_time(self):
        words = ["lkd", "--points", "x.npy", "--eigs", "1", "--diffusion"]
        slow, fast = (self.json_of(*words, a) for a in ("0.1", "10"))
        self.assertAlmostEqual(slow["epsilon"] / fast["epsilon"], 100, delta=1)
        self.assertAlmostEqual(slow["density_epsilon"] / fast["density_epsilon"], 1, delta=0.01)

    def test_cutoff_is_a_tolerance(self):
        neighbours = [self.json_of(*self.words, "--cutoff", c)["diagnostics"]["mean_neighbours"] for c in ("1e-3", "1e-12")]
        self.assertLess(neighbours[0], neighbours[1])

    def test_alpha_may_be_negative(self):
        for alpha in "-1", "-.5", "=-1.5e0":
            words = [f"--alpha{alpha}"] if alpha[0] == "=" else ["--alpha", alpha]
            self.assertEqual(self.json_of(*self.words, *words)["parameters"]["alpha"], float(alpha.strip("=")))

    def test_memory_large_enough(self):
        for size, number in ("500M", 5 * 10**8), ("0.5GiB", 2**29), ("100000000", 10**8), ("2gb", 2 * 10**9):
            self.assertEqual(self.json_of(*self.words, "--memory", size)["parameters"]["memory"], number)


if __name__ == "__main__":
    unittest.main()
