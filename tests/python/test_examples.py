"""Every program in examples/python runs as it stands."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import itomap

PACKAGE = pathlib.Path(itomap.__file__).resolve().parents[1]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/python"


class Examples(unittest.TestCase):
    def test_all_run(self):
        programs = sorted(EXAMPLES.glob("*.py"))
        self.assertTrue(programs)
        for program in programs:
            with self.subTest(program=program.name), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, program], cwd=folder, capture_output=True, text=True, timeout=300,
                                      env={**os.environ, "PYTHONPATH": str(PACKAGE)})
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
