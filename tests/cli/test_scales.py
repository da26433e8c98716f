"""scale, extend, --epsilon auto and --error-bars: what they print and write, and what they refuse."""
import json
import unittest

import numpy as np

from support import CliTest


class Scales(CliTest):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(5)
        self.x = rng.normal(size=(600, 2))
        self.save("x.npy", self.x)
        self.save("log_pi.npy", -0.5 * (self.x ** 2).sum(axis=1))

    def test_scale_recommends_one_epsilon_with_its_reason(self):
        result = json.loads(self.succeed("scale", "--points", "x.npy", "--log-target", "log_pi.npy", "--json").stdout)
        self.assertGreater(result["epsilon"], 0)
        self.assertIn("time scales", result["reason"])
        usable = [row for row in result["scan"] if row["usable"] and row["bias"] is not None]
        best = min(usable, key=lambda row: row["bias"] ** 2 + row["few_points_bias"] ** 2 + row["noise"] ** 2)
        self.assertEqual(best["epsilon"], result["epsilon"])
        slopes = [row["dimension"] for row in result["kernel_sums"]]
        self.assertAlmostEqual(max(slopes), 2, delta=0.5)

    def test_the_range_is_kept(self):
        def scale(*words):
            return json.loads(self.succeed("scale", "--points", "x.npy", "--json", *words).stdout)
        free = scale()
        self.assertEqual(scale("--max", "1e6")["epsilon"], free["epsilon"])
        narrow = scale("--max", repr(free["epsilon"] / 3))
        self.assertLessEqual(narrow["epsilon"], free["epsilon"] / 3)
        one = scale("--min", "0.3", "--max", "0.4")
        self.assertTrue(0.3 <= one["epsilon"] <= 0.4, one["epsilon"])
        self.assertIn("too few scales", one["reason"])
        wide = scale("--diffusion", "1", "--min", "1000")
        self.assertEqual(wide["epsilon"], 1000)

    def test_auto_does_not_know_the_unit_of_length(self):
        epsilon = self.json_of("dmap", "--points", "x.npy", "--eigs", "3")["epsilon"]
        for unit in 1e-3, 1e6:
            self.save("y.npy", unit * self.x)
            other = self.json_of("dmap", "--points", "y.npy", "--eigs", "3")["epsilon"]
            self.assertAlmostEqual(other / (unit**2 * epsilon), 1, places=9)

    def test_the_plateau_is_drawn(self):
        text = self.succeed("scale", "--points", "x.npy", "--log-target", "log_pi.npy").stdout
        lines = text[text.index("time scales 1 to 3"):].splitlines()
        self.assertRegex(lines[6], r"^ +0   \|.*123")

    def test_the_error_is_that_of_the_map_recommended(self):
        self.save("drift.npy", -self.x)
        result = json.loads(self.succeed("scale", "--points", "x.npy", "--drift", "drift.npy", "--diffusion", "1",
                                         "--json").stdout)
        row, = [r for r in result["density_scan"] if r["density_epsilon"] == result["density_epsilon"]]
        self.assertIn(f"bias {100 * row['bias']:.2g} %", result["reason"])

    def test_auto_takes_the_recommendation(self):
        words = ["--points", "x.npy", "--log-target", "log_pi.npy", "--json"]
        scale = json.loads(self.succeed("scale", *words).stdout)
        result = json.loads(self.succeed("tmd", *words, "--eigs", "3").stdout)
        self.assertEqual(result["epsilon"], scale["epsilon"])
        self.assertEqual(result["epsilon_reason"], scale["reason"])

    def test_lkd_has_two_scales(self):
        self.save("drift.npy", -self.x)
        result = json.loads(self.succeed("scale", "--points", "x.npy", "--drift", "drift.npy", "--diffusion", "1",
                                         "--json").stdout)
        self.assertGreater(result["density_epsilon"], 0)
        self.assertEqual(len(result["density_scan"]), 6)

    def test_error_bars(self):
        result = json.loads(self.succeed("tmd", "--points", "x.npy", "--log-target", "log_pi.npy", "--epsilon", "0.2",
                                         "--eigs", "3", "--error-bars", "6", "--json").stdout)
        bars = result["error_bars"]
        self.assertEqual(bars["blocks"], 6)
        self.assertEqual(len(bars["extrapolated"]), 4)
        self.assertIn(bars["power"], (0.5, 1))
        self.assertGreaterEqual(bars["correlated_rows"], 1)
        self.assertGreater(bars["extrapolated_errors"][1][0], bars["eigenvalue_errors"][1][0] * 0.5)
        self.assertLess(bars["extrapolated"][1][0], result["eigenvalues"][1][0])  # the bias of epsilon makes it slow

    def test_extend_returns_what_was_there(self):
        self.succeed("tmd", "--points", "x.npy", "--log-target", "log_pi.npy", "--epsilon", "0.2", "--eigs", "3",
                     "--out", "map", "--quiet")
        self.succeed("extend", "--result", "map", "--points", "x.npy", "--out", "same", "--quiet")
        np.testing.assert_allclose(self.load("same/eigenfunctions.npy"), self.load("map/eigenfunctions.npy"), atol=1e-6)

    def test_extend_of_lkd_needs_its_coefficients(self):
        self.succeed("lkd", "--points", "x.npy", "--diffusion", "1", "--epsilon", "0.2", "--eigs", "2", "--out", "map",
                     "--quiet")
        self.refuse("extend", "--result", "map", "--points", "x.npy", "--out", "new", says="--diffusion")
        self.succeed("extend", "--result", "map", "--points", "x.npy", "--diffusion", "1", "--out", "new", "--quiet")
        self.save("drift.npy", -self.x)
        self.succeed("lkd", "--points", "x.npy", "--drift", "drift.npy", "--diffusion", "1", "--epsilon", "0.2", "--eigs",
                     "2", "--out", "pulled", "--quiet")
        words = ["extend", "--result", "pulled", "--points", "x.npy", "--diffusion", "1", "--quiet", "--out", "newer"]
        self.refuse(*words, says=["pulled", "--drift"])
        self.succeed(*words, "--drift", "drift.npy")
        np.testing.assert_allclose(self.load("newer/eigenfunctions.npy"), self.load("pulled/eigenfunctions.npy"),
                                   atol=1e-6)

    def test_no_command_replaces_the_map_it_starts_from(self):
        self.succeed("dmap", "--points", "x.npy", "--epsilon", "0.2", "--eigs", "2", "--out", "map", "--quiet")
        self.save("mask.npy", self.x[:, 0] > 0.5)
        self.save("other.npy", self.x[:, 0] < -0.5)
        for words in (["cluster", "--sets", "2"], ["average", "--observable", "log_pi.npy"],
                      ["extend", "--points", "x.npy"], ["committor", "--source", "mask.npy", "--sink", "other.npy"]):
            self.refuse(*words, "--result", "map", "--out", "./map", "--force", says="is the result directory itself")
            self.assertTrue((self.dir / "map/eigenfunctions.npy").exists())

    def test_wrong_input(self):
        self.save("bad.npy", np.full((3, 3), 1.0))
        self.succeed("dmap", "--points", "x.npy", "--epsilon", "0.2", "--eigs", "2", "--out", "map", "--quiet")
        for words, says in [
                (["extend", "--result", "nowhere", "--points", "x.npy", "--out", "new"], "nowhere"),
                (["extend", "--result", "map", "--points", "bad.npy", "--out", "new"], "bad.npy"),
                (["extend", "--result", "map", "--points", "x.npy"], "--out"),
                (["extend", "--result", "map", "--points", "x.npy", "--drift", "x.npy", "--out", "new"], "lkd"),
                (["scale", "--points", "x.npy", "--min", "2", "--max", "1"], "--min"),
                (["scale", "--points", "x.npy", "--drift", "x.npy"], "--diffusion"),
                (["scale", "--points", "x.npy", "--log-target", "log_pi.npy", "--diffusion", "1"], "one or the other"),
                (["dmap", "--points", "x.npy", "--epsilon", "0.2", "--error-bars", "1"], "error-bars")]:
            self.refuse(*words, says=says)
        self.assertFalse((self.dir / "new").exists())


if __name__ == "__main__":
    unittest.main()
