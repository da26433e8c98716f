"""Drift and diffusion of lkd that do not fit or are not legal."""

import unittest

import numpy as np
from support import CliTest, gauss


class BadDynamics(CliTest):
    def setUp(self):
        super().setUp()
        self.points = self.save("points.npy", gauss(30, 2))

    def refuse_lkd(self, *words, says):
        self.refuse("lkd", "--points", self.points, "--epsilon", "0.1", "--eigs", "2", "--out", "result", *words, says=says)

    def test_drift(self):
        self.save("drift.npy", np.zeros((29, 2)))
        self.refuse_lkd("--diffusion", "1", "--drift", "drift.npy",
                        says=["drift.npy has 29 rows", "points.npy has 30", "--drift"])
        self.save("drift.npy", np.zeros((30, 3)))
        self.refuse_lkd("--diffusion", "1", "--drift", "drift.npy",
                        says=["drift.npy has 3 columns", "points.npy has 2", "--drift"])
        self.save("drift.npy", np.zeros((30, 2, 2)))
        self.refuse_lkd("--diffusion", "1", "--drift", "drift.npy", says=["drift.npy is 30 x 2 x 2"])
        self.save("drift.npy", np.full((30, 2), np.nan))
        self.refuse_lkd("--diffusion", "1", "--drift", "drift.npy", says=["drift.npy", "nan", "row 0, column 0"])

    def test_a_step_that_numbers_cannot_follow(self):
        drift = np.zeros((30, 2))
        drift[7] = 1e100
        self.save("drift.npy", drift)
        for engine in "sparse", "dense", "grid":
            for period in "0,0", "6,6":
                self.refuse_lkd("--diffusion", "1", "--drift", "drift.npy", "--engine", engine, "--period", period,
                                says=["drift", "point 7", "units"])

    def test_diffusion_shapes(self):
        for shape, text in ((29,), "29"), ((30, 3), "30 x 3"), ((30, 2, 3), "30 x 2 x 3"), ((3, 3), "3 x 3"):
            self.save("diffusion.npy", np.ones(shape))
            self.refuse_lkd("--diffusion", "diffusion.npy", says=[f"diffusion.npy is {text}", "30 x 2 x 2"])

    def test_one_matrix_or_a_vector_each(self):
        self.save("two.npy", gauss(2, 2))
        self.save("diffusion.npy", np.eye(2))
        self.refuse("lkd", "--points", "two.npy", "--diffusion", "diffusion.npy", "--eigs", "1",
                    says=["diffusion.npy is 2 x 2", "m x N x N"])

    def test_not_positive(self):
        for number in "0", "-1", "nan":
            self.refuse_lkd("--diffusion", number, says=["diffusion", "positive"] if number != "nan" else "diffusion")
        numbers = np.ones(30)
        numbers[13] = 0
        self.save("diffusion.npy", numbers)
        self.refuse_lkd("--diffusion", "diffusion.npy", says=["diffusion.npy", "13"])
        self.save("diffusion.npy", numbers[:, None] * [1, 1])
        self.refuse_lkd("--diffusion", "diffusion.npy", says=["diffusion.npy", "13"])

    def test_not_symmetric(self):
        matrices = np.tile(np.eye(2), (30, 1, 1))
        matrices[21, 0, 1] = 0.25
        self.save("diffusion.npy", matrices)
        self.refuse_lkd("--diffusion", "diffusion.npy", says=["diffusion.npy", "symmetric", "21"])

    def test_not_positive_definite(self):
        matrices = np.tile(np.eye(2), (30, 1, 1))
        matrices[8] = [[1, 2], [2, 1]]
        self.save("diffusion.npy", matrices)
        self.refuse_lkd("--diffusion", "diffusion.npy", says=["diffusion.npy", "positive definite", "8"])

    def test_eta_repairs_a_degenerate_matrix(self):
        self.save("diffusion.npy", np.array([[1.0, 0], [0, 0]]))
        self.refuse_lkd("--diffusion", "diffusion.npy", says=["diffusion.npy", "positive definite"])
        self.succeed("lkd", "--points", self.points, "--diffusion", "diffusion.npy", "--eta", "0.5", "--epsilon", "0.5",
                     "--eigs", "2", "--quiet")

    def test_a_file_named_like_a_number(self):
        self.save("2.npy", np.ones(30))
        (self.dir / "2.npy").rename(self.dir / "2")
        self.refuse_lkd("--diffusion", "./2", says="./2")


if __name__ == "__main__":
    unittest.main()
