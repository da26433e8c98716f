"""Values and sizes that do not fit: which file, which row, what is needed."""

import unittest

import numpy as np
from support import CliTest, gauss


class BadValues(CliTest):
    def setUp(self):
        super().setUp()
        self.points = self.save("points.npy", gauss(30, 2))

    def test_not_finite(self):
        for value in "nan", "inf", "-inf":
            points = gauss(30)
            points[17, 1] = float(value)
            self.save("broken.npy", points)
            self.refuse("dmap", "--points", "broken.npy",
                        says=["broken.npy", value, "row 17, column 1", "counted from 0"])

    def test_not_finite_in_csv(self):
        (self.dir / "broken.csv").write_text("x,y\n1,2\n3,nan\n5,6\n")
        self.refuse("dmap", "--points", "broken.csv", "--eigs", "1", says=["broken.csv", "nan"])

    def test_log_target(self):
        log_target = np.zeros(30)
        log_target[29] = np.inf
        self.save("log_target.npy", log_target)
        self.refuse("tmd", "--points", self.points, "--log-target", "log_target.npy", says=["log_target.npy", "row 29"])

    def test_target_without_logarithm(self):
        for value in 0.0, -1.0:
            target = np.ones(30)
            target[4] = value
            self.save("target.npy", target)
            self.refuse("tmd", "--points", self.points, "--target", "target.npy",
                        says=["target.npy", "row 4", "--log-target"])

    def test_lengths(self):
        self.save("short.npy", np.zeros(29))
        self.refuse("tmd", "--points", self.points, "--log-target", "short.npy",
                    says=["short.npy has 29 rows", "points.npy has 30", "--log-target"])
        self.save("square.npy", np.zeros((30, 2)))
        self.refuse("tmd", "--points", self.points, "--log-target", "square.npy",
                    says=["square.npy is 30 x 2", "one number per point"])

    def test_bandwidth(self):
        self.refuse("dmap", "--points", self.points, "--eigs", "3", "--bandwidth", "1.5", says=["strength of 1.5"])
        self.refuse("dmap", "--points", self.points, "--eigs", "3", "--bandwidth", "0.5", "--bandwidth-neighbours", "31",
                    says=["31 neighbours of 30 points"])
        self.refuse("dmap", "--points", self.points, "--eigs", "3", "--bandwidth", "0.5", "--manifold-dimension", "3",
                    says=["3 dimensions", "2 coordinates"])
        self.refuse("dmap", "--points", self.points, "--eigs", "3", "--bandwidth", "0.5", "--engine", "grid",
                    says=["engine: grid", "sparse"])

    def test_more_eigenpairs_than_points(self):
        self.refuse("dmap", "--points", self.points, "--eigs", "30",
                    says=["--eigs 30 needs at least 31 points", "points.npy has 30"])
        self.save("few.npy", gauss(5))
        self.refuse("dmap", "--points", "few.npy", says=["--eigs 10", "few.npy has 5 points"])

    def test_period(self):
        for value in "360", "1,2,3":
            self.refuse("dmap", "--points", self.points, "--period", value,
                        says=["--period has", "points.npy has 30 points in 2 dimensions", "give 2"])

    def test_a_period_that_coordinates_cannot_resolve(self):
        for m, dimension in (2, 1), (3, 3), (30, 2):
            self.save("few.npy", gauss(m, dimension))
            for length in "1e-320", "5e-324", "1e-160", "1e-14":
                for words in ["--epsilon", "1"], ["--epsilon", "auto"], ["--epsilon", "1e-20", "--engine", "grid"]:
                    with self.subTest(m, length=length, words=words):
                        self.refuse("dmap", "--points", "few.npy", "--eigs", "1", *words,
                                    "--period", ",".join([length] * dimension),
                                    says=["period: ", "for coordinate 0 is too short for the points"])
        self.refuse("scale", "--points", "few.npy", "--period", "0,1e-320", says="for coordinate 1 is too short")

    def test_too_little_memory(self):
        self.save("many.npy", gauss(20000, 3))
        self.refuse("dmap", "--points", "many.npy", "--epsilon", "1", "--engine", "sparse", "--memory", "1M",
                    "--out", "result", says="memory")
        self.refuse("dmap", "--points", "many.npy", "--epsilon", "1", "--memory", "1M", "--out", "result", says="memory")


if __name__ == "__main__":
    unittest.main()
