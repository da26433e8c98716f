"""Points of built-in systems: what sample writes, that the maps take it, and what is refused."""

import json
import unittest

import numpy as np
from support import CliTest

ARRAYS = ["diffusion.npy", "drift.npy", "log_target.npy", "points.npy"]
WELL = ["sample", "--system", "double-well", "--beta", 6, "--dt", 0.01, "--steps", 2000]
SYSTEMS = ["double-well", "temperature-switch", "ornstein-uhlenbeck", "rotating", "ring", "mueller-brown"]


class Writes(CliTest):
    def test_points_target_drift_and_diffusion(self):
        text = self.succeed(*WELL, "--thin", 10, "--out", "s").stdout
        for part in "double-well at beta = 6", "200 in 2 dimensions", "rejected", "Written to s":
            self.assertIn(part, text)
        self.assertEqual(self.files("s"), [*ARRAYS, "sample.json"])
        x, y = self.load("s/points.npy").T
        np.testing.assert_allclose(self.load("s/log_target.npy"), -6 * ((x**2 - 1) ** 2 + y**2), atol=1e-12)
        np.testing.assert_allclose(self.load("s/drift.npy").T, [-24 * x * (x**2 - 1), -12 * y], atol=1e-11)
        np.testing.assert_array_equal(self.load("s/diffusion.npy"), [1.0])

    def test_json(self):
        done = self.succeed(*WELL, "--chains", 3, "--burn-in", 100, "--out", "s", "--json")
        self.assertEqual(done.stdout, (self.dir / "s/sample.json").read_text())
        sample = json.loads(done.stdout)
        self.assertEqual((sample["command"], sample["system"], sample["beta"]), ("sample", "double-well", 6))
        self.assertEqual((sample["points"], sample["dimension"], sample["steps"]), (6000, 2, 6300))
        self.assertEqual(sample["rejected"], sum(sample["rejected_of_chains"]))
        self.assertEqual(sample["box"], {"low": [-1.9, -1.9], "high": [1.9, 1.9]})
        self.assertEqual(sample["parameters"]["thin"], 1)
        self.assertTrue(sample["reversible"])

    def test_same_bits_for_any_number_of_threads(self):
        words = [*WELL, "--chains", 4, "--seed", 5, "--quiet", "--out", "s"]
        self.assertEqual(self.succeed(*words, "--threads", 1).stdout, "")
        first = (self.dir / "s/points.npy").read_bytes()
        self.refuse(*words, says=["'s' exists", "--force"])
        self.succeed(*words, "--threads", 3, "--force")
        self.assertEqual(first, (self.dir / "s/points.npy").read_bytes())

    def test_every_system_goes_into_the_maps(self):
        for name in SYSTEMS:
            dt = "0.0005" if name == "mueller-brown" else "0.01"
            self.succeed("sample", "--system", name, "--dt", dt, "--steps", 20000, "--thin", 100, "--out", name)
            self.succeed("tmd", "--points", f"{name}/points.npy", "--log-target", f"{name}/log_target.npy",
                         "--epsilon", "0.1", "--eigs", "2", "--drop-isolated", "--quiet")
            self.succeed("lkd", "--points", f"{name}/points.npy", "--drift", f"{name}/drift.npy",
                         "--diffusion", f"{name}/diffusion.npy", "--epsilon", "0.02", "--eigs", "2",
                         "--drop-isolated", "--quiet")

    def test_noise_that_depends_on_the_place(self):
        self.succeed("sample", "--system", "ring", "--dt", "0.01", "--steps", 50, "--out", "r")
        x = self.load("r/points.npy")
        np.testing.assert_allclose(self.load("r/diffusion.npy"), np.eye(2) / 4 + x[:, :, None] * x[:, None, :] / 2,
                                   atol=1e-12)

    def test_dimension_start_and_box(self):
        words = ["sample", "--system", "ornstein-uhlenbeck", "--dimension", 3, "--dt", "1e-10", "--steps", 1]
        self.succeed(*words, "--start", "-1,2,.5", "--out", "a")
        np.testing.assert_allclose(self.load("a/points.npy"), [[-1, 2, 0.5]], atol=1e-3)
        self.save("start.npy", np.arange(6.0).reshape(2, 3) / 10)
        self.succeed(*words, "--chains", 2, "--start", "start.npy", "--out", "b")
        np.testing.assert_allclose(self.load("b/points.npy"), self.load("start.npy"), atol=1e-3)
        self.succeed(*WELL, "--box=-1.2:1.3,-.5:.4", "--out", "c")
        points = self.load("c/points.npy")
        self.assertTrue((points >= [-1.2, -0.5]).all() and (points <= [1.3, 0.4]).all())
        sample = json.loads(self.succeed(*WELL, "--box", "none", "--out", "d", "--json").stdout)
        self.assertIsNone(sample["box"])

    def test_a_box_that_shapes_the_sample_is_a_warning(self):
        done = self.succeed(*WELL, "--box", "1.1", "--out", "s")
        self.assertIn("would have left the box", done.stderr)
        self.assertEqual(self.succeed(*WELL, "--out", "t").stderr, "")

    def test_list(self):
        text = self.succeed("sample", "--list").stdout
        self.assertEqual([line.split()[0] for line in text.splitlines()], SYSTEMS)
        self.assertLessEqual(max(map(len, text.splitlines())), 120)


class Refuses(CliTest):
    def refuse_sample(self, *words, says):
        self.refuse(*WELL, "--out", "s", *words, says=says)

    def test_what_is_missing(self):
        words = {"--system": "double-well", "--dt": "0.01", "--steps": "10", "--out": "s"}
        for left_out in words:
            rest = [word for option in words if option != left_out for word in (option, words[option])]
            self.refuse("sample", *rest, says=f"sample needs {left_out}")

    def test_system(self):
        self.refuse("sample", "--system", "double-wel", "--dt", 1, "--steps", 1, "--out", "s",
                    says=["--system double-wel", "did you mean double-well?"])
        self.refuse("sample", "--system", "x", "--dt", 1, "--steps", 1, "--out", "s", says="itomap sample --list")
        self.refuse_sample("--dimension", 3, says=["dimension: 3", "double-well has 2"])

    def test_numbers(self):
        for option, value in ("beta", 0), ("beta", "nan"), ("dt", -1), ("dt", "x"), ("steps", 0), ("steps", 1.5):
            words = ["sample", "--system", "ring", "--dt", 1, "--steps", 5, "--out", "s"]
            if f"--{option}" in words:
                words[words.index(f"--{option}") + 1] = value
            else:
                words += [f"--{option}", value]
            self.refuse(*words, says=f"--{option} {value}")
        for option, value in ("thin", 0), ("burn-in", -1), ("chains", 0), ("seed", -1), ("threads", "two"):
            self.refuse_sample(f"--{option}", value, says=[f"--{option} {value}", "whole number"])
        self.refuse_sample("--thin", 2001, says=["--steps 2000", "no point would be kept"])

    def test_start(self):
        self.refuse_sample("--start", "1,2,3", says=["--start 1,2,3", "2 coordinates"])
        self.refuse_sample("--start", "nowhere.npy", says="nowhere.npy: no such file")
        self.refuse_sample("--start", "5,5", says="outside the box")
        self.refuse_sample("--start", "nan,0", says="start")
        self.save("start.npy", np.zeros((3, 2)))
        self.refuse_sample("--chains", 2, "--start", "start.npy", says=["--start start.npy", "2 chains"])

    def test_box(self):
        for box in "wide", "0", "-1", "1:2", "2:1,0:1", "0:1,0:1,0:1", "nan", "0:x,0:1", "0:inf,0:1":
            self.refuse_sample(f"--box={box}", says="box")

    def test_a_chain_that_explodes(self):
        self.refuse("sample", "--system", "double-well", "--dt", "0.5", "--steps", 1000, "--box", "none", "--out", "s",
                    says=["dt: 0.5", "infinity at step", "box"])

    def test_more_than_fits(self):
        self.refuse("sample", "--system", "ring", "--dt", 1, "--steps", 10**12, "--out", "s",
                    says=["--steps 1000000000000", "--thin"])


if __name__ == "__main__":
    unittest.main()
