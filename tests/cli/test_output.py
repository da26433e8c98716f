"""What comes out: the table, JSON, the result directory."""

import json
import subprocess
import unittest

import numpy as np
from support import PROGRAM, CliTest, ring, square

ARRAYS = ["density.npy", "eigenfunctions.npy", "eigenvalues.npy", "embedding.npy", "left_eigenfunctions.npy", "points.npy",
          "stationary.npy"]


class Output(CliTest):
    def setUp(self):
        super().setUp()
        self.points = square(150)
        self.save("x.npy", self.points)
        self.save("drift.npy", self.points @ np.array([[-1, -2], [2, -1]]).T)
        self.words = ["dmap", "--points", "x.npy", "--epsilon", "0.2", "--eigs", "3"]
        self.rotation = ["lkd", *self.words[1:], "--drift", "drift.npy", "--diffusion", "0.5"]
        self.save("ring.npy", ring(150))  # ends nowhere: nothing to be warned of
        self.unwarned = ["dmap", "--points", "ring.npy", "--epsilon", "0.02", "--eigs", "3"]

    def test_table(self):
        done = self.succeed(*self.unwarned)
        self.assertEqual(done.stderr, "")
        for part in "Diffusion map", "150 in 2 dimensions, from ring.npy", "epsilon", "0.02", "neighbours", "1 component":
            self.assertIn(part, done.stdout)
        self.assertRegex(done.stdout, r"\n +n +eigenvalue +rate_log +timescale +timescale_log +residual")
        for n in range(4):
            self.assertRegex(done.stdout, rf"\n +{n} +-?\d")
        self.assertIn("Add --out DIR", done.stdout)
        self.assertEqual(self.names(), ["drift.npy", "ring.npy", "x.npy"])

    def test_table_says_where_the_files_are(self):
        text = self.succeed(*self.words, "--out", "result").stdout
        self.assertIn("result", text.splitlines()[-1])
        self.assertNotIn("Add --out", text)

    def test_complex_pairs_in_the_table(self):
        self.assertRegex(self.succeed(*self.rotation).stdout, r"\n +1 +-[\d.]+ \+ [\d.]+i .*\n +2 +-[\d.]+ - [\d.]+i ")

    def test_json_is_result_json_and_nothing_else(self):
        done = self.succeed(*self.words, "--json", "--out", "result")
        self.assertEqual(done.stdout, (self.dir / "result/result.json").read_text())
        result = json.loads(done.stdout, parse_constant=lambda name: self.fail(f"{name} is not JSON"))
        for key in ["version", "command", "parameters", "points", "dimension", "epsilon", "density_epsilon", "engine",
                    "eigenvalues", "rates_log", "timescales", "residuals", "spurious", "diagnostics", "matvecs",
                    "seconds", "peak_memory_bytes"]:
            self.assertIn(key, result)
        self.assertEqual((result["command"], result["points"], result["dimension"]), ("dmap", 150, 2))
        self.assertEqual(set(result["seconds"]), {"read", "kernel", "eigenpairs", "write"})

    def test_parameters_hold_defaults(self):
        parameters = self.json_of("dmap", "--points", "x.npy")["parameters"]
        self.assertEqual(parameters, {
            "points": "x.npy", "distances": None, "alpha": 0.5, "period": None, "epsilon": "auto", "normalization": "paper", "bandwidth": 0.0, "bandwidth_neighbours": 0,
            "manifold_dimension": 0, "drop_isolated": False, "eigs": 10, "error_bars": 0, "runs": None,
            "engine": "auto", "cutoff": 1e-8, "threads": 0, "memory": None, "seed": 0, "single": False,
            "landmarks": "auto", "landmark_error": 0.02, "out": None, "write": None, "float32": False,
            "checkpoint": None, "force": False, "quiet": False, "json": True, "report": False})

    def test_parameters_hold_what_was_given(self):
        parameters = self.json_of(*self.rotation, "--memory", "1.5GiB", "--period", "0,0", "--eta", "1e-3",
                                  "--density-epsilon", "steepest", "--seed", "18446744073709551615")["parameters"]
        self.assertEqual(parameters["memory"], 1610612736)
        self.assertEqual(parameters["period"], [0, 0])
        self.assertEqual(parameters["eta"], 1e-3)
        self.assertEqual(parameters["density_epsilon"], "steepest")
        self.assertEqual(parameters["seed"], 18446744073709551615)
        self.assertEqual(parameters["diffusion"], "0.5")

    def test_arrays_of_a_reversible_map(self):
        self.succeed(*self.words, "--out", "result")
        self.assertEqual(self.files("result"), sorted([*ARRAYS, "result.json"]))
        arrays = {name: self.load(f"result/{name}") for name in ARRAYS}
        shapes = {"density.npy": (150,), "stationary.npy": (150,), "eigenvalues.npy": (4,), "embedding.npy": (150, 3),
                  "points.npy": (150, 2), "eigenfunctions.npy": (150, 4), "left_eigenfunctions.npy": (150, 4)}
        for name, array in arrays.items():
            self.assertEqual((array.shape, array.dtype), (shapes[name], np.dtype("float64")), name)
        psi, weights = arrays["eigenfunctions.npy"], arrays["stationary.npy"]
        self.assertAlmostEqual(weights.sum(), 1)
        np.testing.assert_allclose(weights @ psi**2, 1, rtol=1e-9)
        np.testing.assert_allclose(arrays["embedding.npy"], np.exp(arrays["eigenvalues.npy"][1:]) * psi[:, 1:], rtol=1e-9)
        kernel = np.exp(-((self.points[:, None] - self.points)**2).sum(-1) / 0.8)
        np.testing.assert_allclose(arrays["density.npy"], kernel.sum(1), rtol=1e-6)

    def test_arrays_of_lkd_are_complex(self):
        self.succeed(*self.rotation, "--out", "result", "--quiet")
        for name in "eigenvalues", "eigenfunctions", "left_eigenfunctions":
            self.assertEqual(self.load(f"result/{name}.npy").dtype, np.dtype("complex128"))
        self.assertEqual(self.load("result/embedding.npy").dtype, np.dtype("float64"))

    def test_quiet(self):
        done = self.succeed(*self.unwarned, "--quiet", "--out", "result")
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        self.assertTrue((self.dir / "result/result.json").exists())

    def test_nested_output_directory(self):
        self.succeed(*self.words, "--quiet", "--out", "a/b/result")
        self.assertTrue((self.dir / "a/b/result/result.json").exists())

    def test_failed_print_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, *self.words, "--json"], cwd=self.dir, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
