"""Distances instead of points: --distances of dmap, tmd, scale and extend."""

import json
import unittest

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, save_npz
from scipy.spatial.distance import cdist
from support import CliTest, gauss


class Distances(CliTest):
    def setUp(self):
        super().setUp()
        self.x = gauss(400)
        self.d = cdist(self.x, self.x)
        near = np.where(self.d < 3, self.d, 0)
        self.save("x.npy", self.x)
        self.save("d.npy", self.d)
        self.save("log_pi.npy", -0.5 * (self.x**2).sum(axis=1))
        np.savetxt(self.dir / "d.csv", self.d, delimiter=",")
        save_npz(self.dir / "near.npz", csr_matrix(np.triu(near)))  # one way alone

    def test_the_map_is_that_of_the_points(self):
        options = ["--epsilon", "0.05", "--eigs", "4", "--quiet"]
        expected = self.eigenvalues_of("dmap", "--points", "x.npy", "--engine", "sparse", *options)
        for file in "d.npy", "d.csv", "near.npz":
            with self.subTest(file):
                found = self.eigenvalues_of("dmap", "--distances", file, *options)
                np.testing.assert_allclose(found, expected, atol=1e-9)

    def test_a_result_is_whole_and_extends(self):
        self.succeed("tmd", "--points", "x.npy", "--log-target", "log_pi.npy", "--epsilon", "0.1", "--engine", "sparse",
                     "--out", "points", "--quiet")
        self.save("new_d.npy", cdist(self.x[:20] + 0.05, self.x))
        self.save("new_x.npy", self.x[:20] + 0.05)
        self.succeed("extend", "--result", "points", "--points", "new_x.npy", "--out", "expected", "--quiet")
        expected = abs(self.load("expected/eigenfunctions.npy"))
        for file in "d.npy", "near.npz":
            with self.subTest(file):
                self.succeed("tmd", "--distances", file, "--log-target", "log_pi.npy", "--epsilon", "0.1", "--out", "map",
                             "--quiet", "--force")
                self.succeed("extend", "--result", "map", "--distances", "new_d.npy", "--out", "new", "--quiet", "--force")
                np.testing.assert_allclose(abs(self.load("new/eigenfunctions.npy")), expected, atol=1e-6)
                self.succeed("cluster", "--result", "map", "--sets", "2", "--out", "sets", "--force")

    def test_the_scan_is_that_of_the_points(self):
        points = self.json_of("scale", "--points", "x.npy", "--quiet")
        distances = self.json_of("scale", "--distances", "d.npy", "--quiet")
        self.assertAlmostEqual(points["epsilon"] / distances["epsilon"], 1, 2)
        self.assertEqual(len(points["scan"]), len(distances["scan"]))

    def test_the_screen_says_what_was_given(self):
        done = self.succeed("dmap", "--distances", "d.npy", "--epsilon", "0.1")
        self.assertIn("400, by their distances", done.stdout)

    def test_what_does_not_fit_is_refused(self):
        asymmetric = self.d.copy()
        asymmetric[1, 2] += 1
        self.save("asymmetric.npy", asymmetric)
        self.save("rectangular.npy", self.d[:5])
        self.save("cube.npy", self.d.reshape(400, 20, 20))
        save_npz(self.dir / "coo.npz", coo_matrix(self.d))
        save_npz(self.dir / "csc.npz", csr_matrix(self.d[:5]).tocsc())
        for words, says in (
            (["dmap"], "needs --points FILE or --distances FILE"),
            (["dmap", "--points", "x.npy", "--distances", "d.npy"], "not both"),
            (["dmap", "--distances", "asymmetric.npy"], "from point 1 to 2, but"),
            (["dmap", "--distances", "rectangular.npy"], "5 x 400"),
            (["dmap", "--distances", "cube.npy"], "400 x 20 x 20"),
            (["dmap", "--distances", "coo.npz"], "COO"),
            (["dmap", "--distances", "csc.npz"], "CSR"),
            (["dmap", "--distances", "d.npy", "--period", "1,1"], "--period"),
            (["dmap", "--distances", "d.npy", "--engine", "grid"], "engine: grid needs points"),
            (["dmap", "--distances", "d.npy", "--eigs", "400"], "distances of 400 points"),
            (["tmd", "--distances", "d.npy"], "--log-target"),
            (["lkd", "--distances", "d.npy", "--diffusion", "1"], "--distances"),
            (["scale", "--distances", "d.npy", "--diffusion", "1"], "--points"),
        ):
            with self.subTest(" ".join(words)):
                self.refuse(*words, says=says)
        self.succeed("dmap", "--distances", "d.npy", "--epsilon", "0.1", "--out", "map", "--quiet")
        self.refuse("extend", "--result", "map", "--points", "x.npy", "--out", "new", says="needs --distances FILE")
        self.refuse("extend", "--result", "map", "--distances", "cube.npy", "--out", "new", says="matrix")

    def test_a_damaged_result_is_refused(self):
        self.succeed("dmap", "--distances", "near.npz", "--epsilon", "0.1", "--out", "map", "--quiet")
        self.save("new.npy", self.d[:3])
        extend = ["extend", "--result", "map", "--distances", "new.npy", "--out", "new"]
        columns = self.load("map/distance_columns.npy")
        for broken in columns[:-1], columns + 400, -columns, columns[::-1].copy():
            np.save(self.dir / "map/distance_columns.npy", broken)
            self.assertIn("map", self.refuse(*extend, says="distance", code=2))
        np.save(self.dir / "map/distance_columns.npy", columns)
        self.succeed(*extend, "--quiet")
        file = self.dir / "map/result.json"
        whole = json.loads(file.read_text())
        for value in "some", None, 3:
            broken = {**whole, "definition": {**whole["definition"], "distances": value}}
            file.write_text(json.dumps(broken))
            self.refuse(*extend, "--force", says="map")


if __name__ == "__main__":
    unittest.main()
