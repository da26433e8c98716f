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

    def assert_says(self, output, page):
        said, promised = words(output), words(page)
        self.assertEqual(len(said), len(promised), output)
        for word, wanted in zip(said, promised):
            self.assertTrue(same(word, wanted), f"{word} where the page says {wanted}:\n{output}")

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
                self.assert_says(output, block)

    def run_page(self, page, count):
        blocks = re.findall(r"```sh\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
        self.assertEqual(len(blocks), count)
        for block in blocks:
            done = self.run_block(block)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_estimate_dynamics(self):
        self.run_page("how-to/estimate-dynamics.md", 3)

    def test_built_in_systems(self):
        self.run_page("how-to/built-in-systems.md", 1)


NUMBER = r"-?\d+\.\d+"


def words(text):
    """Without what differs from run to run: seconds, products, residuals."""
    text = re.sub(r"^\d+\.\d+ s .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\d\.\de-\d\d|0\.0e\+00", "RESIDUAL", text).split()


def same(word, wanted):
    """Equal; a number within 0.5 %, or within one unit of the last digit that the page prints."""
    if not (re.fullmatch(NUMBER, word) and re.fullmatch(NUMBER, wanted)):
        return word == wanted
    last_digit = 10.0 ** -len(wanted.split(".")[1])
    return abs(float(word) - float(wanted)) <= max(1.001 * last_digit, 0.005 * abs(float(wanted)))


if __name__ == "__main__":
    unittest.main()
