"""itomap extend beyond the data: bounded values, and points that are said to be there."""

import json
import unittest

import numpy as np
from support import CliTest, gauss, square

RADII = np.array([0.0, 1, 2, 3.5, 4, 4.5, 5, 6, 8, 10, 20, 50, 1000])


class BeyondTheData(CliTest):
    def setUp(self):
        super().setUp()
        x, y = gauss(1500), np.column_stack([RADII, 0 * RADII])
        self.save("x.npy", x)
        self.save("log_pi.npy", -0.5 * (x**2).sum(axis=1))
        self.save("drift.npy", -x)
        self.save("y.npy", y)
        self.save("new_drift.npy", -y)
        self.farthest = np.linalg.norm(x, axis=1).max()

    def map_and_extension(self, method, bandwidth):
        more = {"tmd": ["--log-target", "log_pi.npy"], "lkd": ["--drift", "drift.npy", "--diffusion", "1"]}[method]
        self.succeed(method, "--points", "x.npy", *more, "--epsilon", "0.1", "--bandwidth", bandwidth, "--eigs", "6",
                     "--out", "map", "--force", "--quiet")
        coefficients = ["--drift", "new_drift.npy", "--diffusion", "1"] if method == "lkd" else []
        done = self.succeed("extend", "--result", "map", "--points", "y.npy", *coefficients, "--out", "new", "--force",
                            "--json")
        return json.loads(done.stdout), done.stderr

    def test_values_are_bounded_and_places_are_told(self):
        for method in "tmd", "lkd":
            for bandwidth in 0, 0.5, 1:
                with self.subTest(method=method, bandwidth=bandwidth):
                    facts, told = self.map_and_extension(method, bandwidth)
                    psi = abs(self.load("new/eigenfunctions.npy"))
                    largest = abs(self.load("map/eigenfunctions.npy")).max(axis=0)
                    self.assertTrue((np.nan_to_num(psi) <= largest * (1 + 1e-12)).all(), psi / largest)
                    places = self.load("new/places.npy")
                    np.testing.assert_array_equal(np.isnan(psi).any(axis=1), places == 2)
                    self.assertTrue((places[RADII < 3] == 0).all(), places)
                    self.assertTrue((places[RADII > self.farthest + 1] > 0).all(), places)
                    self.assertEqual(facts["outside"], (places == 2).sum())
                    self.assertEqual(facts["beyond"], (places == 1).sum())
                    self.assertIn("beyond the data", told)

    def test_nothing_is_told_of_the_points_of_the_map(self):
        self.map_and_extension("tmd", 0.5)
        done = self.succeed("extend", "--result", "map", "--points", "x.npy", "--out", "same", "--quiet")
        self.assertEqual(done.stderr, "")
        self.assertFalse(self.load("same/places.npy").any())

    def test_a_euler_step_out_of_the_data_is_told(self):
        self.succeed("lkd", "--points", "x.npy", "--diffusion", "1", "--epsilon", "0.1", "--eigs", "2", "--out", "map",
                     "--keep-traps", "--quiet")
        # Half the way to the data: nearer to it than to where the step began, and far from both.
        self.save("start.npy", np.array([[0.0, 0], [1000, 0]]))
        self.save("step.npy", np.array([[0.0, 0], [-6000, 0]]))
        self.succeed("extend", "--result", "map", "--points", "start.npy", "--drift", "step.npy", "--diffusion", "1",
                     "--out", "new", "--quiet")
        np.testing.assert_array_equal(self.load("new/places.npy"), [0, 1])


class Table(CliTest):
    def test_both_parts_of_complex_eigenvalues_are_shown(self):
        x = square(800)
        self.save("x.npy", x)
        self.save("drift.npy", -x + 3 * x[:, ::-1] * [-1, 1])
        self.succeed("lkd", "--points", "x.npy", "--drift", "drift.npy", "--diffusion", "1", "--epsilon", "0.1", "--eigs",
                     "2", "--out", "map", "--quiet")
        re, im = json.loads((self.dir / "map/result.json").read_text())["eigenvalues"][1]
        self.assertNotEqual(im, 0)
        text = self.succeed("extend", "--result", "map", "--points", "x.npy", "--drift", "drift.npy", "--diffusion", "1",
                            "--out", "new").stdout
        self.assertIn(f"{re:.5g} {'-' if im < 0 else '+'} {abs(im):.5g}i", text)


if __name__ == "__main__":
    unittest.main()
