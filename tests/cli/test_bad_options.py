"""Options that are wrong whatever the files hold: refused before a file is touched."""

import unittest

from support import CliTest, gauss


class BadOptions(CliTest):
    def setUp(self):
        super().setUp()
        self.points = self.save("points.npy", gauss(30))

    def refuse_dmap(self, *words, says):
        return self.refuse("dmap", "--points", self.points, "--out", "result", *words, says=says)

    def test_epsilon(self):
        for value in "0", "-1", "nan", "inf", "small", "", "1e-3x":
            self.refuse_dmap("--epsilon", value, says=["--epsilon", "a number > 0, auto or steepest"])
        self.refuse("lkd", "--points", self.points, "--diffusion", "1", "--density-epsilon", "0",
                    says=["--density-epsilon 0", "a number > 0, auto or steepest"])

    def test_cutoff(self):
        for value in "0", "1", "-1e-8", "2", "nan":
            self.refuse_dmap("--cutoff", value, says=[f"--cutoff {value}", "between 0 and 1"])

    def test_counts(self):
        for name, value in ("eigs", "0"), ("eigs", "-3"), ("eigs", "2.5"), ("threads", "-1"), ("seed", "x"):
            self.refuse_dmap(f"--{name}", value, says=[f"--{name} {value}", "whole number"])

    def test_alpha_and_eta(self):
        self.refuse_dmap("--alpha", "inf", says=["--alpha inf", "a number"])
        self.refuse("lkd", "--points", self.points, "--diffusion", "1", "--eta", "-.5", says=["--eta -.5", ">= 0"])

    def test_memory(self):
        for value in "0", "many", "4X", "-1G", "1e400", "G":
            self.refuse_dmap("--memory", value, says=[f"--memory {value}", "500M, 4G"])

    def test_engine(self):
        self.refuse_dmap("--engine", "quick", says=["--engine quick", "sparse", "dense"])

    def test_the_grid_engine_has_one_width(self):
        for words in ["dmap"], ["lkd", "--diffusion", "1"]:
            self.refuse(*words, "--points", self.points, "--epsilon", "1", "--eigs", "2", "--engine", "grid", "--bandwidth",
                        "0.5", says=["engine: grid needs the same kernel width everywhere", "bandwidth varies it"])

    def test_period(self):
        for value in "1,,2", "1,2,", "-1,0", "one,two":
            self.refuse_dmap("--period", value, says=[f"--period {value}", "one per coordinate"])

    def test_force_without_out(self):
        self.refuse("dmap", "--points", self.points, "--force", says=["--force", "--out DIR"])

    def test_target_exactly_once(self):
        for words in [], ["--target", "a.npy", "--log-target", "b.npy"]:
            self.refuse("tmd", "--points", self.points, *words, says="exactly one of --log-target FILE and --target FILE")

    def test_options_come_before_files(self):
        self.refuse("dmap", "--points", "nowhere.npy", "--epsilon", "-1", says="--epsilon -1")
        self.refuse("dmap", "--points", "nowhere.npy", "--out", ".", says="exists")


class OutputDirectory(CliTest):
    def setUp(self):
        super().setUp()
        self.words = ["dmap", "--points", self.save("points.npy", gauss(30)), "--epsilon", "1", "--eigs", "2"]

    def test_existing_directory_is_kept(self):
        (self.dir / "result").mkdir()
        (self.dir / "result" / "precious.txt").write_text("data")
        self.refuse(*self.words, "--out", "result", says=["result", "exists", "--force"])
        self.assertEqual((self.dir / "result" / "precious.txt").read_text(), "data")

    def test_existing_file_is_kept(self):
        (self.dir / "result").write_text("data")
        self.refuse(*self.words, "--out", "result", says="result")
        self.assertEqual((self.dir / "result").read_text(), "data")

    def test_parent_is_missing_or_a_file(self):
        self.refuse(*self.words, "--out", "points.npy/result", says="points.npy")

    def test_force_replaces_the_whole_directory(self):
        self.succeed(*self.words, "--bandwidth", "0.5", "--out", "result")
        self.assertIn("bandwidth.npy", self.files("result"))
        self.succeed(*self.words, "--out", "result", "--force")
        self.assertNotIn("bandwidth.npy", self.files("result"))
        self.assertEqual(self.names(), ["points.npy", "result"])

    def test_force_with_bad_input_keeps_the_old_result(self):
        self.succeed(*self.words, "--out", "result")
        self.refuse("dmap", "--points", "nowhere.npy", "--out", "result", "--force", says="nowhere.npy")


if __name__ == "__main__":
    unittest.main()
