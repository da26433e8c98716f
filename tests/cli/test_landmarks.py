"""--engine landmarks: what it prints and writes, that a result can be used again, and what it refuses."""
import json
import unittest

import numpy as np

from support import CliTest


class Landmarks(CliTest):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(5)
        angle = rng.uniform(0, 2 * np.pi, 6000)
        self.x = rng.normal(0, 0.05, (6000, 8))
        self.x[:, 0] += np.cos(angle)
        self.x[:, 1] += np.sin(angle)
        self.save("x.npy", self.x)
        self.dmap = ["dmap", "--points", "x.npy", "--epsilon", "0.02", "--alpha", "1", "--eigs", "4"]

    def result(self, *words):
        return self.json_of(*self.dmap, "--engine", "landmarks", *words)

    def test_the_error_is_printed_and_written(self):
        text = self.succeed(*self.dmap, "--engine", "landmarks", "--landmarks", "300", "--out", "out").stdout
        self.assertRegex(text, r"landmarks +300, kernel off by [0-9.]+ % in mean squared steps, [0-9.]+ % in sums")
        result = json.loads((self.dir / "out" / "result.json").read_text())
        self.assertEqual((result["engine"], result["plan"]["landmarks"]), ("landmarks", 300))
        self.assertEqual(result["definition"]["kernel"]["landmarks"], 300)
        self.assertEqual(result["condensed"]["unknowns"], 300)
        density = np.load(self.dir / "out" / "density.npy")
        exact = np.array([np.exp(-((self.x - x) ** 2).sum(axis=1) / 0.08).sum() for x in self.x[::20]])
        error = np.sqrt(np.mean((density[::20] / exact - 1) ** 2))
        self.assertLess(abs(result["plan"]["sum_error"] / error - 1), 0.4)

    def test_eigenvalues_are_those_of_the_other_engines(self):
        values = [value[0] for value in self.result()["eigenvalues"]]
        exact = [value[0] for value in self.json_of(*self.dmap)["eigenvalues"]]
        np.testing.assert_allclose(values[1:], exact[1:], rtol=0.02)

    def test_auto_takes_more_for_a_smaller_error(self):
        rough, fine = (self.result("--landmark-error", error)["plan"] for error in ("0.5", "0.002"))
        self.assertEqual(rough["landmarks"], 256)
        self.assertGreater(fine["landmarks"], 256)
        self.assertLess(fine["step_error"], rough["step_error"])

    def test_too_few_are_named_in_a_warning(self):
        warnings = self.result("--landmarks", "20")["diagnostics"]["warnings"]
        self.assertTrue(any("20 landmarks is off by" in warning for warning in warnings), warnings)

    def test_a_result_can_be_used_again(self):
        self.succeed(*self.dmap, "--engine", "landmarks", "--landmarks", "200", "--out", "out")
        self.save("new.npy", self.x[:5] + 0.01)
        self.succeed("extend", "--result", "out", "--points", "new.npy", "--out", "more")

    def test_the_same_bits_for_any_number_of_threads(self):
        one, three = (self.result("--threads", threads)["eigenvalues"] for threads in "13")
        self.assertEqual(one, three)

    def test_points_in_blocks_are_those_in_memory(self):
        memory = [value[0] for value in self.result("--landmarks", "300")["eigenvalues"]]
        for engine in ([], ["--engine", "landmarks"]):
            words = [*self.dmap, *engine, "--landmarks", "300", "--checkpoint", "c", "--out", "out", "--force"]
            text = self.succeed(*words).stdout
            self.assertRegex(text, r"landmarks +300, kernel off by")
            # So few points are their own sample: the same landmarks, and sums in another order.
            np.testing.assert_allclose(self.load("out/eigenvalues.npy"), memory, rtol=1e-6, atol=1e-6)
        self.assertNotIn("c", self.names())
        self.succeed("cluster", "--result", "out", "--sets", "2")
        self.refuse(*self.dmap, "--engine", "grid", "--checkpoint", "c", says=["three coordinates", "landmarks"])

    def test_what_is_refused(self):
        base = [*self.dmap, "--engine", "landmarks"]
        self.refuse(*base, "--period", "1,0,0,0,0,0,0,0", says=["landmarks", "cosine and sine"])
        self.refuse(*base, "--bandwidth", "0.5", says=["landmarks", "bandwidth"])
        self.refuse(*base, "--landmarks", "0", says=["--landmarks", "from 1 to", "auto"])
        self.refuse(*base, "--landmarks", "many", says=["--landmarks", "from 1 to", "auto"])
        self.refuse(*base, "--landmark-error", "2", says=["--landmark-error", "between 0 and 1"])


if __name__ == "__main__":
    unittest.main()
