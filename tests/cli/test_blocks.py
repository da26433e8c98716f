"""Points in blocks: --checkpoint survives kills, --write and --float32 choose what is written, and what is refused."""
import json
import random
import subprocess
import time
import unittest

import numpy as np

from support import PROGRAM, CliTest, square


class Blocks(CliTest):
    def setUp(self):
        super().setUp()
        self.x = square(300_000)
        self.save("x.npy", self.x)
        self.save("log_pi.npy", -(self.x ** 2).sum(axis=1))
        self.tmd = ["tmd", "--points", "x.npy", "--log-target", "log_pi.npy", "--epsilon", "0.01", "--eigs", "5"]

    def arrays(self, folder):
        return {name: (self.dir / folder / name).read_bytes() for name in self.files(folder) if name.endswith(".npy")}

    def test_a_killed_run_goes_on_to_the_same_bits(self):
        self.succeed(*self.tmd, "--out", "undisturbed", "--checkpoint", "c0")
        self.assertNotIn("c0", self.names())
        moments = random.Random(5)
        command = [PROGRAM, *self.tmd, "--out", "out", "--checkpoint", "c"]
        for _ in range(4):
            run = subprocess.Popen(command, cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moments.uniform(0.05, 1.0))
            run.kill()
            run.wait()
        if not (self.dir / "out").exists():
            self.succeed(*self.tmd, "--out", "out", "--checkpoint", "c")
        self.assertEqual(self.arrays("out"), self.arrays("undisturbed"))
        self.assertNotIn("c", self.names())

    def test_eigenvalues_are_those_in_memory(self):
        blocks = self.eigenvalues_of(*self.tmd, "--checkpoint", "c")
        np.testing.assert_allclose(blocks, self.eigenvalues_of(*self.tmd), atol=1e-5, rtol=1e-6)

    def test_arrays_are_chosen_with_and_without_blocks(self):
        for more in ([], ["--checkpoint", "c"]):
            self.succeed(*self.tmd, *more, "--write", "eigenfunctions,density", "--float32", "--out", "out", "--force")
            self.assertEqual(self.files("out"), ["density.npy", "eigenfunctions.npy", "eigenvalues.npy", "result.json"])
            self.assertEqual(self.load("out/eigenfunctions.npy").dtype, np.float32)
            self.assertEqual(self.load("out/density.npy").shape, (300_000,))
            self.assertEqual(self.load("out/eigenvalues.npy").dtype, np.float64)

    def test_a_whole_result_can_be_used_again(self):
        self.succeed(*self.tmd, "--checkpoint", "c", "--out", "out")
        self.succeed("cluster", "--result", "out", "--sets", "2")
        self.assertEqual(json.loads((self.dir / "out" / "result.json").read_text())["points"], 300_000)

    def test_float32_input_is_read_as_it_is(self):
        self.save("x4.npy", self.x.astype(np.float32))
        self.save("x8.npy", self.x.astype(np.float32).astype(np.float64))
        dmap = ["dmap", "--epsilon", "0.01", "--eigs", "3", "--checkpoint", "c"]
        four = self.eigenvalues_of(*dmap, "--points", "x4.npy")
        self.assertTrue((four == self.eigenvalues_of(*dmap, "--points", "x8.npy")).all())

    def test_refusals(self):
        self.refuse(*self.tmd, "--write", "eigenvectors", says=["no array eigenvectors", "left_eigenfunctions"])
        self.refuse(*self.tmd, "--checkpoint", "c", "--error-bars", "4", says="--checkpoint")
        self.refuse(*self.tmd[:-4], "--checkpoint", "c", says="epsilon has to be a number")
        self.save("short.npy", np.zeros(10))
        self.refuse("tmd", "--points", "x.npy", "--log-target", "short.npy", "--epsilon", "0.01", "--checkpoint", "c",
                    says=["short.npy", "10 rows"])

    def test_a_checkpoint_of_another_run_is_refused(self):
        (self.dir / "c").mkdir()
        (self.dir / "c" / "run.txt").write_text("another\n")
        self.refuse(*self.tmd, "--checkpoint", "c", says="holds sums of another run")


if __name__ == "__main__":
    unittest.main()
