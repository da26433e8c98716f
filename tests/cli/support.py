"""What all tests of the command line share: a scratch directory, running the program, and data."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

PROGRAM = os.environ["ITOMAP"]


class CliTest(unittest.TestCase):
    """Runs the program in a directory of its own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)

    def run_program(self, *words, **more):
        command = [PROGRAM, *(str(word) for word in words)]
        return subprocess.run(command, cwd=self.dir, capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)

    def succeed(self, *words, **more):
        done = self.run_program(*words, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def refuse(self, *words, says, code=2):
        """One clear line, the exit code, nothing on standard output and nothing on disk."""
        before = self.listing()
        done = self.run_program(*words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("itomap: error: "), done.stderr)
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, done.stderr)
        self.assertEqual(self.listing(), before)
        return done.stderr

    def listing(self):
        """Every file and directory below the scratch directory, hidden ones too, with its time of change."""
        return sorted((str(p), p.lstat().st_mtime_ns) for p in self.dir.rglob("*"))

    def names(self):
        return sorted(p.name for p in self.dir.iterdir())

    def files(self, folder):
        """What a user sees in a directory that the program wrote: all but its hidden list of files."""
        return sorted(p.name for p in (self.dir / folder).iterdir() if p.name != ".itomap-files")

    def save(self, name, values):
        np.save(self.dir / name, np.asarray(values))
        return name

    def load(self, name):
        return np.load(self.dir / name)

    def json_of(self, *words):
        return json.loads(self.succeed(*words, "--json").stdout)

    def eigenvalues_of(self, *words):
        return np.array(self.json_of(*words)["eigenvalues"]) @ [1, 1j]


def gauss(m, dimension=2, seed=1):
    """Points of a standard normal density: alpha = 1/2 on them is the Ornstein-Uhlenbeck process -x."""
    return np.random.default_rng(seed).standard_normal((m, dimension))


def square(m, dimension=2, seed=1):
    """Points spread evenly over [-2, 2]^dimension: no outliers, so no spurious modes."""
    return np.random.default_rng(seed).uniform(-2, 2, (m, dimension))


def ring(m, radius=1.0):
    angle = 2 * np.pi * np.arange(m) / m
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])
