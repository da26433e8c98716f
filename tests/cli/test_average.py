"""Averages over the invariant measure of a result."""

import json
import unittest

import numpy as np
from support import CliTest, square


class Average(CliTest):
    def setUp(self):
        super().setUp()
        self.x = square(500)
        self.x[11] = [40, 40]
        self.save("x.npy", self.x)
        self.save("log_pi.npy", -0.5 * (self.x**2).sum(axis=1))
        self.succeed("tmd", "--points", "x.npy", "--log-target", "log_pi.npy", "--epsilon", "0.05", "--eigs", "2",
                     "--drop-isolated", "--out", "result")
        self.w = self.load("result/stationary.npy")
        self.words = ["average", "--result", "result", "--observable"]

    def test_numbers(self):
        f = np.column_stack([self.x[:, 0], self.x[:, 1] ** 2])
        f[11] = np.nan  # the map has dropped that point
        self.save("f.npy", f)
        result = self.json_of(*self.words, "f.npy")
        keep = ~np.isnan(self.w)
        self.assertEqual(result["points"], 499)
        w, f = self.w[keep], f[keep]
        mean = w @ f
        n = 1 / (w**2).sum()
        np.testing.assert_allclose(result["mean"], mean, rtol=1e-12)
        np.testing.assert_allclose(result["effective_points"], n, rtol=1e-12)
        np.testing.assert_allclose(result["standard_deviation"], np.sqrt(w @ (f - mean) ** 2), rtol=1e-12)

    def test_error_bars(self):
        f = np.column_stack([self.x[:, 0], self.x[:, 1] ** 2])
        self.save("f.npy", f)
        result = self.json_of(*self.words, "f.npy", "--error-bars", "6")
        self.assertEqual(result["error_bars"]["blocks"], 6)
        # 0 by symmetry
        self.assertLess(abs(result["extrapolated"][0]), 5 * result["extrapolated_errors"][0])
        self.assertLess(result["noise"][0], result["extrapolated_errors"][0])
        self.refuse(*self.words, "f.npy", "--error-bars", "1", says="at least 2 blocks")
        self.assertLessEqual(self.json_of(*self.words, "f.npy", "--error-bars", "100")["error_bars"]["blocks"], 49)

    def test_few_points_have_no_error_bars(self):
        self.save("few.npy", square(15))
        self.succeed("dmap", "--points", "few.npy", "--epsilon", "0.5", "--eigs", "2", "--out", "few")
        done = self.succeed("average", "--result", "few", "--observable", "few.npy", "--json")
        self.assertIn("15 points are too few for error bars", done.stderr)
        self.assertNotIn("noise", json.loads(done.stdout))

    def test_runs(self):
        self.save("f.npy", self.x[:, 0])
        plain = self.json_of(*self.words, "f.npy", "--error-bars", "5")
        runs = self.json_of(*self.words, "f.npy", "--error-bars", "5", "--runs", "100,100,100,100,100")
        self.assertEqual(runs["error_bars"]["blocks"], 5)
        self.save("lengths.npy", np.full(5, 100))
        from_file = self.json_of(*self.words, "f.npy", "--error-bars", "5", "--runs", "lengths.npy")
        self.assertEqual(from_file["noise"], runs["noise"])
        self.assertAlmostEqual(runs["noise"][0], plain["noise"][0], delta=0.2 * plain["noise"][0])
        self.refuse(*self.words, "f.npy", "--runs", "100,100", says=["runs", "200 rows", "500 points"])
        self.refuse(*self.words, "f.npy", "--runs", "500,0", says=["--runs 500,0", "one or more"])
        self.refuse(*self.words, "f.npy", "--runs", "none.npy", says="none.npy")

    def test_table_and_files(self):
        self.save("f.npy", self.x[:, 0])
        done = self.succeed(*self.words, "f.npy", "--out", "averages")
        self.assertRegex(done.stdout,
                         r"observable +mean +noise +extrapolated +error +standard deviation\n +0 +")
        self.assertRegex(done.stdout, r"error bars: 10 blocks, extrapolated from epsilon = 0.05, 0.1 and 0.2")
        report = json.loads((self.dir / "averages/average.json").read_text())
        again = self.json_of(*self.words, "f.npy")
        self.assertEqual(report, dict(again, parameters=report["parameters"]))
        plain = self.succeed(*self.words, "f.npy", "--error-bars", "0").stdout
        self.assertRegex(plain, r"observable +mean +standard deviation\n +0 +")
        self.refuse(*self.words, "f.npy", "--out", "averages", says="exists")
        self.assertEqual(self.succeed(*self.words, "f.npy", "--out", "averages", "--force", "--quiet").stdout, "")

    def test_units_do_not_matter(self):
        plain = self.json_of(*self.words, "log_pi.npy")
        for unit in 1e-200, 1e200:
            self.save("f.npy", unit * self.load("log_pi.npy"))
            scaled = self.json_of(*self.words, "f.npy")
            for name in "mean", "standard_deviation", "noise", "extrapolated", "extrapolated_errors":
                np.testing.assert_allclose(np.array(scaled[name]) / unit, plain[name], rtol=1e-8)

    def test_components_of_an_irreversible_map_are_told(self):
        x = np.concatenate([square(100), square(150) + [20, 0]])
        self.save("two.npy", x)
        self.succeed("lkd", "--points", "two.npy", "--diffusion", "1", "--epsilon", "0.05", "--eigs", "2", "--out", "two",
                     "--quiet")
        done = self.succeed("average", "--result", "two", "--observable", "two.npy")
        self.assertIn("the map falls into 2 components", done.stderr)

    def test_few_points_are_told(self):
        self.save("log_pi.npy", -200 * (self.x**2).sum(axis=1))
        self.succeed("tmd", "--points", "x.npy", "--log-target", "log_pi.npy", "--epsilon", "0.05", "--eigs", "2",
                     "--drop-isolated", "--out", "narrow")
        self.save("f.npy", self.x[:, 0])
        done = self.succeed("average", "--result", "narrow", "--observable", "f.npy")
        self.assertIn("warning: the effective number of points is", done.stderr)

    def test_wrong_input(self):
        f = self.x[:, 0].copy()
        self.save("short.npy", f[:-1])
        self.refuse(*self.words, "short.npy", says=["short.npy has 499 rows", "result has 500 points", "--observable"])
        f[3] = np.nan
        self.save("nan.npy", f)
        self.refuse(*self.words, "nan.npy", says=["nan in row 3", "nan.npy"])
        f[3] = np.inf
        self.save("inf.npy", f)
        self.refuse(*self.words, "inf.npy", "--out", "averages", says=["inf in row 3", "inf.npy"])
        self.refuse(*self.words, "none.npy", says="none.npy")
        self.refuse("average", "--result", "nowhere", "--observable", "x.npy", says="not a result directory")
        self.refuse("average", "--result", ".", "--observable", "x.npy", says="not a result directory")
        self.refuse("average", "--result", "result", says="average needs --observable FILE")
        self.refuse(*self.words, "x.npy", "--force", says="--force")


if __name__ == "__main__":
    unittest.main()
