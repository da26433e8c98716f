"""itomap info."""

import json
import os
import unittest

from support import CliTest


class Info(CliTest):
    def test_lines(self):
        text = self.succeed("info").stdout
        for part in "itomap ", "engines", "threads", "SIMD", "memory", "Eigen 3.", "HDF5 ", "libzip ", "fmt ", "CLI11 ", "report":
            self.assertIn(part, text)

    def test_json(self):
        facts = json.loads(self.succeed("info", "--json").stdout)
        self.assertEqual("itomap " + facts["version"], self.succeed("--version").stdout.strip())
        self.assertEqual(facts["engines"], ["sparse", "grid", "dense", "landmarks"])
        self.assertRegex(facts["libraries"]["FFT"], r"^(fftw-3\.|KISS FFT)")
        self.assertRegex(facts["libraries"]["HDF5"], r"^\d+\." if "ITOMAP_NPY_TO_H5" in os.environ else "^none$")
        self.assertGreater(facts["threads"], 0)
        self.assertGreater(facts["available_memory_bytes"], 0)
        self.assertIn(facts["simd"], ["baseline", "avx2", "avx512"])
        self.assertIn("Eigen", facts["libraries"])
        self.assertIsInstance(facts["report"], bool)

    def test_nothing_but_options(self):
        error = self.refuse("info", "extra", says=["info takes options only, but found 'extra'", "itomap info --help"])
        self.assertNotIn("--points", error)

    def test_points_do_not_belong_here(self):
        self.refuse("info", "--points", "x.npy", says="info has no option --points")


if __name__ == "__main__":
    unittest.main()
