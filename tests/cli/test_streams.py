"""Standard output and standard error that are closed, full or gone: the result is whole and the exit code is right."""

import json
import signal
import subprocess
import time
import unittest

from support import PROGRAM, CliTest, ring, square

SILENT = "2>&-", "2>/dev/full", "<&- 2>&-"
MUTE = ">&-", ">/dev/full", "<&- >&- 2>&-", ">/dev/full 2>/dev/full"


class Streams(CliTest):
    def setUp(self):
        super().setUp()
        self.save("x.npy", ring(40))
        # Each point sees itself alone: a map with warnings.
        self.warned = ["dmap", "--points", "x.npy", "--epsilon", "1e-4", "--eigs", "2"]
        self.assertIn("warning", self.succeed(*self.warned).stderr)

    def redirected(self, redirection, *words):
        """The program as a shell starts it; a negative code is a signal."""
        script = f'exec "$@" {redirection}'
        return subprocess.run(["bash", "-c", script, "bash", PROGRAM, *words], cwd=self.dir, capture_output=True)

    def check_whole(self, folder):
        json.loads((self.dir / folder / "result.json").read_text())
        for name in self.files(folder):
            if name.endswith(".npy"):
                self.load(f"{folder}/{name}")
            self.assertNotIn(b"itomap: ", (self.dir / folder / name).read_bytes(), name)

    def test_warnings_that_nobody_hears(self):
        for redirection in SILENT:
            with self.subTest(redirection):
                done = self.redirected(redirection, *self.warned, "--out", "result", "--force")
                self.assertEqual(done.returncode, 0)
                self.assertIn(b"Diffusion map", done.stdout)
                self.check_whole("result")

    def test_errors_that_nobody_hears(self):
        for redirection in SILENT:
            with self.subTest(redirection):
                self.assertEqual(self.redirected(redirection, "dmap", "--points", "nowhere.npy").returncode, 2)
                self.assertEqual(self.redirected(redirection, "nonsense").returncode, 2)

    def test_a_table_or_json_that_cannot_be_printed_is_an_error(self):
        for redirection in MUTE:
            for more in [], ["--json"]:
                with self.subTest(redirection, more=more):
                    done = self.redirected(redirection, *self.warned, *more, "--out", "result", "--force")
                    self.assertEqual(done.returncode, 1)
                    self.check_whole("result")
                    if "2>" not in redirection:
                        self.assertIn(b"itomap: error: cannot write to standard output", done.stderr)

    def test_nothing_to_print_is_no_error(self):
        for redirection in MUTE:
            with self.subTest(redirection):
                done = self.redirected(redirection, *self.warned, "--quiet", "--out", "result", "--force")
                self.assertEqual(done.returncode, 0)
                self.check_whole("result")

    def test_stopped_without_a_word(self):
        self.save("x.npy", square(20000))
        with open("/dev/full", "w") as full:
            process = subprocess.Popen([PROGRAM, "dmap", "--points", "x.npy", "--epsilon", "0.001", "--engine", "sparse",
                                        "--eigs", "200", "--out", "result"], cwd=self.dir, stdout=full, stderr=full)
            while len(self.names()) == 1:
                self.assertIsNone(process.poll(), "ended early")
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=120), 130)
        self.assertEqual(self.names(), ["x.npy"])


if __name__ == "__main__":
    unittest.main()
