"""Sets of a result: what is written, what is said, and what is refused."""

import json
import unittest

import numpy as np
from support import CliTest, ring


def wells(m=400, seed=1):
    """Points of a rectangle, dense on the left, thinner on the right, and few between them: no outliers."""
    rng = np.random.default_rng(seed)
    x = rng.uniform([-2, -1], [2, 1], (10 * m, 2))
    share = np.select([x[:, 0] < -0.4, x[:, 0] > 0.4], [1, 0.4], 0.12)
    return x[rng.uniform(size=10 * m) < share][:m]


class Sets(CliTest):
    def setUp(self):
        super().setUp()
        self.x = wells()
        self.save("x.npy", self.x)
        self.succeed("dmap", "--points", "x.npy", "--epsilon", "0.03", "--eigs", "4", "--drop-isolated",
                     "--out", "result")
        self.result = json.loads((self.dir / "result/result.json").read_text())
        self.assertEqual(self.result["spurious"], [])

    def test_two_wells(self):
        done = self.succeed("cluster", "--result", "result", "--sets", "2")
        self.assertRegex(done.stdout, r"set +points +stationary weight +escape rate +mean exit time\n +0 +\d\d\d ")
        sets = self.load("result/sets.npy")
        self.assertEqual((sets.dtype, sets.shape), (np.int64, (400,)))
        kept = ~np.isnan(self.load("result/stationary.npy"))
        inside = kept & (np.abs(self.x[:, 0]) > 0.5)
        np.testing.assert_array_equal(sets[inside], (self.x[inside, 0] > 0).astype(int))
        memberships = self.load("result/memberships.npy")
        self.assertEqual(memberships.shape, (400, 2))
        np.testing.assert_allclose(memberships[kept].sum(axis=1), 1, atol=1e-14)
        np.testing.assert_array_equal(memberships[kept].argmax(axis=1), sets[kept])
        report = json.loads((self.dir / "result/cluster.json").read_text())
        self.assertEqual(report["method"], "pcca")
        self.assertEqual(report["functions"], [1])
        self.assertNotIn("crossing", done.stdout)
        self.assertEqual(sum(report["points"]), kept.sum())
        np.testing.assert_allclose(report["timescales"], [self.result["timescales"][1]], rtol=1e-6)
        weights = np.nan_to_num(self.load("result/stationary.npy"))
        np.testing.assert_allclose(report["stationary"], weights @ np.nan_to_num(memberships), rtol=1e-12)
        np.testing.assert_allclose(np.array(report["exit_times"]) * report["escape_rates"], 1, rtol=1e-12)

    def test_the_result_stays_as_it_was(self):
        before = {name: (self.dir / "result" / name).read_bytes() for name in self.files("result")}
        self.succeed("cluster", "--result", "result", "--sets", "2")
        for name, content in before.items():
            self.assertEqual((self.dir / "result" / name).read_bytes(), content, name)
        self.assertEqual(sorted(set(self.files("result")) - before.keys()),
                         ["cluster.json", "memberships.npy", "sets.npy"])
        self.assertEqual(self.names(), ["result", "x.npy"], "no hidden directory left")
        # Once more, with other sets: the earlier ones give way if told so. And a result with sets is still one for --force.
        again = ["cluster", "--result", "result", "--sets", "3", "--method", "kmeans"]
        self.refuse(*again, says=["result/cluster.json exists", "--force", "--out DIR"])
        self.assertEqual(self.load("result/memberships.npy").shape, (400, 2))
        self.assertIn("every crossing of a border counts", self.succeed(*again, "--force").stdout)
        self.assertEqual(self.load("result/memberships.npy").shape, (400, 3))
        self.succeed("dmap", "--points", "x.npy", "--epsilon", "0.03", "--out", "result", "--force")
        self.assertFalse((self.dir / "result/sets.npy").exists())

    def test_elsewhere(self):
        words = ["cluster", "--result", "result", "--sets", "3", "--method", "kmeans", "--functions", "1,2,3",
                 "--seed", "4", "--restarts", "3", "--out", "sets"]
        before = self.listing()
        done = self.succeed(*words, "--json")
        self.assertEqual(json.loads(done.stdout), json.loads((self.dir / "sets/cluster.json").read_text()))
        self.assertEqual(before, [entry for entry in self.listing() if "/sets" not in entry[0]])
        first = self.load("sets/sets.npy")
        self.refuse(*words, says="exists")
        for threads in "1", "2":
            self.succeed(*words, "--force", "--quiet", "--threads", threads)
            np.testing.assert_array_equal(self.load("sets/sets.npy"), first)

    def test_wrong_input(self):
        words = ["cluster", "--result", "result", "--sets"]
        self.refuse("cluster", "--result", "result", says="cluster needs --sets K")
        self.refuse(*words, "1", says="--sets 1: it must be a whole number from 2")
        self.refuse(*words, "-3", says="--sets")
        self.refuse(*words, "6", says=["sets: 6 need 5 functions", "there are 4"])
        self.refuse(*words, "3", "--functions", "1", says=["sets: 3 need 2 functions", "there are 1"])
        self.refuse(*words, "2", "--functions", "5", says="functions: 5 is not among the eigenfunctions 1 to 4")
        self.refuse(*words, "2", "--functions", "0", says="functions: 0 is not among")
        self.refuse(*words, "3", "--functions", "1,1", says="named twice")
        self.refuse(*words, "2", "--functions", "1,2", says="exactly 1")
        for bad in "1,x", "1,,2", "-1", "1.5":
            self.refuse(*words, "2", "--functions", bad, says=f"--functions {bad}: it must be whole numbers")
        self.refuse(*words, "2", "--method", "dbscan", says="--method dbscan: it must be pcca or kmeans")
        self.refuse(*words, "2", "--weights", "none", says="--weights none: it must be stationary or equal")
        self.refuse("cluster", "--result", "nowhere", "--sets", "2", says=["nowhere", "not a result directory"])
        self.refuse("cluster", "--result", ".", "--sets", "2", says="not a result directory")
        self.refuse("cluster", "--result", "x.npy", "--sets", "2", says="x.npy")


class Dropped(CliTest):
    def setUp(self):
        super().setUp()
        x = wells()
        x[7] = [50, 50]
        self.save("x.npy", x)
        self.words = ["dmap", "--points", "x.npy", "--epsilon", "0.05", "--eigs", "3", "--out", "result"]

    def test_points_left_out_belong_to_no_set(self):
        self.succeed(*self.words, "--drop-isolated")
        self.succeed("cluster", "--result", "result", "--sets", "2")
        self.assertEqual(self.load("result/sets.npy")[7], -1)
        self.assertTrue(np.isnan(self.load("result/memberships.npy")[7]).all())
        self.assertEqual((self.load("result/sets.npy") == -1).sum(), np.isnan(self.load("result/stationary.npy")).sum())

    def test_spurious_functions_are_named(self):
        self.succeed(*self.words)
        spurious = json.loads((self.dir / "result/result.json").read_text())["spurious"]
        self.assertIn(1, spurious)
        done = self.succeed("cluster", "--result", "result", "--sets", "2")
        self.assertRegex(done.stderr, r"warning: function\(s\) 1.* spurious and were passed over")
        done = self.succeed("cluster", "--result", "result", "--sets", "2", "--functions", "1", "--force")
        self.assertRegex(done.stderr, r"warning: function\(s\) 1 are spurious: ")
        self.assertEqual(np.bincount(self.load("result/sets.npy")).tolist(), [399, 1])
        self.refuse("cluster", "--result", "result", "--sets", "5", "--force",
                    says=["not spurious", "name them as functions"])


class Closed(CliTest):
    def test_three_rings(self):
        self.save("x.npy", np.concatenate([ring(20 * (3 - k)) + [10 * k, 0] for k in range(3)]))
        self.succeed("dmap", "--points", "x.npy", "--alpha", "0", "--epsilon", "0.03", "--out", "result")
        report = self.json_of("cluster", "--result", "result", "--sets", "3")
        np.testing.assert_array_equal(self.load("result/sets.npy"), np.repeat([0, 1, 2], [60, 40, 20]))
        self.assertEqual(report["escape_rates"], [0, 0, 0])
        self.assertEqual(report["exit_times"], [None] * 3)
        self.assertIn("inf", self.succeed("cluster", "--result", "result", "--sets", "3", "--force").stdout)


class Rotation(CliTest):
    def test_pairs_are_taken_whole(self):
        x = np.random.default_rng(1).normal(0, 1, (400, 2))
        self.save("x.npy", x)
        self.save("b.npy", x @ np.array([[-1, 3], [-3, -1]]))
        self.succeed("lkd", "--points", "x.npy", "--drift", "b.npy", "--diffusion", "1", "--epsilon", "0.1",
                     "--drop-isolated", "--eigs", "4", "--out", "result")
        values = np.load(self.dir / "result/eigenvalues.npy")
        self.assertNotEqual(values[1].imag, 0)
        report = self.json_of("cluster", "--result", "result", "--sets", "2")
        self.assertEqual((report["method"], report["functions"]), ("kmeans", [1, 2]))
        again = ["cluster", "--result", "result", "--method", "pcca", "--force", "--sets"]
        self.refuse(*again, "2", says="half of the complex pair 1, 2")
        self.assertEqual(self.json_of(*again, "3")["functions"], [1, 2])


if __name__ == "__main__":
    unittest.main()
