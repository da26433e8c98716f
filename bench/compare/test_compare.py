"""The comparison runs whole at small sizes: every case has its lines, itomap its eigenvalues, and both reports appear."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

import bench
import measure
from cases import CASES, PEERS


class Quick(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            words = ["--quick", "--scratch", folder, "--markdown", folder / "page.md", "--json", folder / "lines.json"]
            cls.done = subprocess.run([sys.executable, str(HERE / "run"), *map(str, words)], capture_output=True, text=True)
            if cls.done.returncode == 0:
                cls.lines = json.loads((folder / "lines.json").read_text())
                cls.page = (folder / "page.md").read_text()

    def setUp(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)

    def test_every_case_is_there(self):
        lines = [*self.lines["rows"], *self.lines["asked"]]
        self.assertEqual({line["case"] for line in lines}, set(CASES))
        self.assertEqual({row["outcome"]["name"] for row in self.lines["rows"]}, {"itomap", "SciPy", *PEERS})

    def test_itomap_comes_near_the_exact_eigenvalues(self):
        # A thousand points leave a quarter of bias and noise; a wrong convention of epsilon would be a factor.
        rows = [row for row in self.lines["rows"] if row["outcome"]["name"] == "itomap"]
        for row in rows:
            self.assertIsNone(row["outcome"]["failure"], row)
            self.assertGreater(row["outcome"]["seconds"], 0)
            self.assertGreater(row["outcome"]["peak_bytes"], 1e6)
        self.assertLess(max(row["error"] for row in rows if row["error"] is not None), 0.35)

    def test_scipy_finds_the_same(self):
        problems = {}
        for row in self.lines["rows"]:
            if row["case"] == "1" and row["outcome"]["failure"] is None:
                problems[row["outcome"]["name"]] = row["error"]
        if "SciPy" not in problems:
            self.skipTest("no scipy: itomap's side alone was checked")
        self.assertAlmostEqual(problems["SciPy"], problems["itomap"], places=5)

    def test_reports(self):
        for line in self.lines["asked"]:
            self.assertIn(line["figure"], self.done.stdout)
            self.assertIn(line["figure"], self.page)
        self.assertIsNone(next((line for line in self.lines["asked"] if line["reached"] is not None), None))


class Measuring(unittest.TestCase):
    def outcome(self, code, timeout=60):
        with tempfile.TemporaryDirectory() as folder:
            return measure.run_once(measure.Program("it", (sys.executable, "-c", code, "OUT")), pathlib.Path(folder), timeout)

    def test_success(self):
        write = "import sys, os; os.mkdir(sys.argv[1]); open(sys.argv[1] + '/result.json', 'w').write('{\"a\": 1}')"
        outcome = self.outcome("x = bytearray(200_000_000); " + write)
        self.assertEqual(outcome.result, {"a": 1})
        self.assertGreater(outcome.peak_bytes, 200e6)

    def test_failures(self):
        crash = self.outcome("raise SystemExit('no such thing')")
        self.assertEqual((crash.crashed, crash.failure), (True, "no such thing"))
        late = self.outcome("import time; time.sleep(60)", timeout=0.5)
        self.assertEqual((late.crashed, late.failure), (False, "stopped after 0 s"))


class Judging(unittest.TestCase):
    def verdict(self, value, failure=None, **limits):
        judge = bench.Bench("", pathlib.Path(), quick=False, timeout=1)
        judge.judge("1", measure.Outcome("itomap", failure=failure), "figure", str, value, **limits)
        return judge.asked[0].reached

    def test_verdicts(self):
        self.assertTrue(self.verdict(60, least=60))
        self.assertFalse(self.verdict(59, least=60))
        self.assertTrue(self.verdict(1, most=1))
        self.assertFalse(self.verdict(2, most=1))
        self.assertFalse(self.verdict(1, most=1, failure="out of memory"))
        self.assertIsNone(self.verdict(None, least=60))

    def test_flagged_modes_are_not_compared(self):
        result = {"eigenvalues": [[0.0, 0.0], [-0.1, 0.0], [-1.0, 0.0], [-2.0, 0.0]], "spurious": [1]}
        self.assertEqual(bench.true_modes(result, 3), ([-1.0, -2.0], "1 flagged, 2 of 3 modes"))


if __name__ == "__main__":
    unittest.main()
