"""The commands of the tutorial run as they stand and say what it says they say; those of a how-to run."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from support import PROGRAM, CliTest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "tutorials/first-map.md"


class Tutorial(CliTest):
    def run_block(self, block):
        # A python3 with numpy, and the program that was just built, whatever else is in PATH.
        tools = self.dir / ".tools"
        if not tools.exists():
            tools.mkdir()
            (tools / "python3").symlink_to(sys.executable)
            (tools / "itomap").symlink_to(PROGRAM)
        path = f"{tools}:{os.environ['PATH']}"
        return subprocess.run(["bash", "-e", "-c", block], cwd=self.dir, capture_output=True, text=True,
                              env={**os.environ, "PATH": path})

    def test_every_block(self):
        blocks = re.findall(r"```(sh|text)\n(.*?)```", PAGE.read_text(), re.DOTALL)
        self.assertGreater(len(blocks), 6)
        output = ""
        for kind, block in blocks:
            if kind == "sh":
                done = self.run_block(block)
                self.assertEqual(done.returncode, 0, done.stderr)
                output = done.stdout
            else:
                self.assertEqual(steady(output), steady(block))

    def test_estimate_dynamics(self):
        blocks = re.findall(r"```sh\n(.*?)```", (DOCS / "how-to/estimate-dynamics.md").read_text(), re.DOTALL)
        self.assertEqual(len(blocks), 3)
        for block in blocks:
            done = self.run_block(block)
            self.assertEqual(done.returncode, 0, done.stderr)


def steady(text):
    """Without what differs from run to run: seconds, and digits beyond what another processor keeps."""
    text = re.sub(r"^\d+\.\d+ s .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\d\.\de-\d\d|0\.0e\+00", "RESIDUAL", text)
    return [f"{float(word):.3g}" if re.fullmatch(r"-?\d+\.\d+", word) else word for word in text.split()]


if __name__ == "__main__":
    unittest.main()
