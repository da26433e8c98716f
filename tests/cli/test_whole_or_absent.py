"""A result is whole or absent: killed at any moment, with several writers, on a full disk."""

import glob
import itertools
import json
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np
from support import PROGRAM, CliTest, square

SECONDS = 4  # that each of the tests which kill goes on


class WholeOrAbsent(CliTest):
    def setUp(self):
        super().setUp()
        self.save("x.npy", square(4000))
        self.random = random.Random(7)

    def words(self, scale, *more):
        """Writing takes as long as computing; the number `scale` tells one result from another."""
        return [PROGRAM, "sample", "--system", "double-well", "--beta", str(scale), "--dt", "0.001", "--steps", "60000",
                "--threads", "1", "--quiet", "--out", "result", *more]

    def check_whole(self, folder="result"):
        """All files are of one run: the sizes fit, and the potential is that of the run's beta."""
        facts = json.loads((self.dir / folder / "sample.json").read_text())
        points, drift, log_target = (self.load(f"{folder}/{name}.npy") for name in ("points", "drift", "log_target"))
        self.assertEqual(len(points), facts["points"])
        self.assertEqual(drift.shape, points.shape)
        self.assertEqual(log_target.shape, (facts["points"],))
        again = subprocess.run([PROGRAM, "sample", "--system", "double-well", "--beta", str(facts["beta"]), "--dt", "0.001",
                                "--steps", "2", "--quiet", "--out", "again", "--force"], cwd=self.dir)
        self.assertEqual(again.returncode, 0)
        np.testing.assert_array_equal(log_target[:2], self.load("again/log_target.npy"))
        listed = (self.dir / folder / ".itomap-files").read_text().splitlines()[1:]
        self.assertEqual(listed, self.files(folder))
        return facts["beta"]

    def kill_sometime(self, process, longest):
        """Half of the time at any moment, half of the time while files are being written."""
        if self.random.random() < 0.5:
            while process.poll() is None and not glob.glob(f"{self.dir}/.*.partial-*/*"):
                time.sleep(0.0002)
            longest /= 4
        time.sleep(self.random.uniform(0, longest))
        process.send_signal(signal.SIGKILL)
        process.wait()

    def remove_partial(self):
        """What a killed run leaves: hidden directories and nothing else."""
        for name in self.names():
            if ".partial-" in name:
                self.assertTrue(name.startswith("."), name)
                shutil.rmtree(self.dir / name)

    def test_killed_while_it_writes(self):
        begin = time.monotonic()
        subprocess.run(self.words(1), cwd=self.dir, check=True)
        longest = time.monotonic() - begin
        outcomes = set()
        for scale in itertools.count(2):
            if time.monotonic() > begin + SECONDS:
                break
            replacing = self.random.random() < 0.7
            if not replacing:
                shutil.rmtree(self.dir / "result", ignore_errors=True)
            before = self.check_whole() if (self.dir / "result").exists() else None
            self.kill_sometime(subprocess.Popen(self.words(scale, "--force"), cwd=self.dir), longest)
            after = self.check_whole() if (self.dir / "result").exists() else None
            self.assertIn(after, (before, scale))
            outcomes.add((before is None, after == scale))
            self.remove_partial()
        self.assertGreaterEqual(len(outcomes), 2, "kills too early or too late")

    def test_killed_while_files_join_a_result(self):
        subprocess.run([PROGRAM, "dmap", "--points", "x.npy", "--epsilon", "0.05", "--eigs", "6", "--quiet", "--out", "result"],
                       cwd=self.dir, check=True)
        words = [PROGRAM, "cluster", "--result", "result", "--method", "kmeans", "--quiet", "--force", "--sets"]
        begin = time.monotonic()
        subprocess.run([*words, "2"], cwd=self.dir, check=True)
        longest = time.monotonic() - begin
        while time.monotonic() < begin + SECONDS:
            sets = self.random.choice([2, 3, 4, 5])
            self.kill_sometime(subprocess.Popen([*words, str(sets)], cwd=self.dir), longest)
            if (self.dir / "result/cluster.json").exists():
                found = len(json.loads((self.dir / "result/cluster.json").read_text())["points"])
                self.assertEqual(self.load("result/memberships.npy").shape, (4000, found))
                self.assertEqual(self.load("result/sets.npy").max(), found - 1)
            self.remove_partial()
        # Whatever the last kill left: the next run goes through, and all that is there is ours.
        self.succeed(*words[1:], "2")
        self.succeed("dmap", "--points", "x.npy", "--epsilon", "0.05", "--eigs", "2", "--out", "result", "--force")

    def several(self, *more):
        """Exit codes of four runs at the same time."""
        runs = [subprocess.Popen(self.words(scale, *more), cwd=self.dir, stderr=subprocess.PIPE) for scale in (1, 2, 3, 4)]
        return [(run.wait(), run.communicate()[1].decode()) for run in runs]

    def test_several_writers(self):
        for _ in range(3):
            done = self.several()
            self.assertEqual(sorted(code for code, _ in done), [0, 2, 2, 2], done)
            self.assertEqual(done[int(self.check_whole()) - 1][0], 0)
            for code, error in done:
                self.assertEqual(error != "", code == 2, error)
            shutil.rmtree(self.dir / "result")
            shutil.rmtree(self.dir / "again")
            self.assertEqual(self.names(), ["x.npy"])

    def test_several_writers_that_replace(self):
        for _ in range(3):
            done = self.several("--force")
            self.assertIn(0, [code for code, _ in done], done)
            self.assertLessEqual({code for code, _ in done}, {0, 2}, done)
            self.check_whole()
            self.assertEqual(self.names(), ["again", "result", "x.npy"])

    def test_files_must_not_grow(self):
        """The limit of `ulimit -f`: writing fails in the middle of an array."""
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))}
        done = self.run_program(*self.words(1)[1:], **limit)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "^itomap: error: .*points.npy: cannot be written: File too large\n$")
        self.assertEqual(self.names(), ["x.npy"])
        self.succeed(*self.words(1)[1:])
        self.assertEqual(self.run_program(*self.words(2, "--force")[1:], **limit).returncode, 2)
        self.assertEqual(self.check_whole(), 1)

    def test_full_disk(self):
        """A file system of 3 MB, which takes a right to mount: one result fits, two do not."""
        (self.dir / "disk").mkdir()
        script = """mount -t tmpfs -o size=3m none disk || exit 77
                    cd disk; umask 022
                    "$@" --beta 1; echo $?
                    "$@" --beta 2 --force 2>&1; echo $?
                    ls -A; grep beta result/sample.json; rm -r result; dd if=/dev/zero of=ballast bs=1M count=2 2>&-
                    "$@" --beta 3 2>&1; echo $?; ls -A"""
        words = self.words(0)
        del words[4:6]
        done = subprocess.run(["unshare", "--map-root-user", "--mount", "bash", "-c", script, "bash", *words],
                              cwd=self.dir, capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest(f"no file system can be mounted here: {done.stderr.strip()}")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "0")
        self.assertIn("No space left on device", lines[1])
        self.assertEqual(lines[2:4], ["2", "result"])
        self.assertIn('"beta": 1', done.stdout)
        self.assertIn("No space left on device", lines[-3])
        self.assertEqual(lines[-2:], ["2", "ballast"])


if __name__ == "__main__":
    unittest.main()
