"""Ctrl-C and SIGTERM in the middle of a run: the right exit code and nothing left behind."""

import os
import pty
import signal
import subprocess
import time
import unittest

from support import PROGRAM, CliTest, gauss, square


class Signals(CliTest):
    def setUp(self):
        super().setUp()
        # Two hundred eigenpairs of a narrow kernel on twenty thousand points: a minute at the very least.
        self.save("x.npy", square(20000))
        self.words = [PROGRAM, "dmap", "--points", "x.npy", "--epsilon", "0.001", "--engine", "sparse", "--eigs", "200",
                      "--out", "result"]

    def start(self, *more, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen([*self.words, *more], cwd=self.dir, text=True, **options)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def wait_for_staging(self, process):
        """Until the hidden directory is there: the computation is under way and there is something to clean up."""
        while len(self.names()) == 1:
            self.assertIsNone(process.poll(), "ended early")
            time.sleep(0.02)

    def check_stopped(self, process, code):
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, code, err)
        self.assertEqual(out, "")
        self.assertIn("itomap: stopped; nothing was written", err)
        self.assertEqual(self.names(), ["x.npy"])

    def test_interrupt(self):
        process = self.start()
        self.wait_for_staging(process)
        process.send_signal(signal.SIGINT)
        self.check_stopped(process, 130)

    def test_interrupt_of_the_eigensolver(self):
        process = self.start()
        while "eigenpairs" not in process.stderr.readline():
            self.assertIsNone(process.poll(), "ended early")
        process.send_signal(signal.SIGINT)
        self.check_stopped(process, 130)

    def test_interrupt_of_a_long_product(self):
        self.save("x.npy", gauss(40000, 12))
        self.words[5:8] = ["1", "--engine", "dense"]
        process = self.start()
        self.wait_for_staging(process)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.check_stopped(process, 130)

    def test_terminate(self):
        process = self.start("--quiet")
        self.wait_for_staging(process)
        process.send_signal(signal.SIGTERM)
        self.check_stopped(process, 143)

    def test_an_old_result_survives(self):
        self.save("small.npy", square(30))
        subprocess.run([*self.words[:3], "small.npy", "--epsilon", "1", "--eigs", "2", "--quiet", "--out", "result"],
                       cwd=self.dir, check=True)
        old = (self.dir / "result" / "result.json").read_text()
        process = self.start("--force")
        while len(self.names()) == 3:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.names(), ["result", "small.npy", "x.npy"])
        self.assertEqual((self.dir / "result" / "result.json").read_text(), old)

    def test_while_reading_it_ends_at_once(self):
        os.mkfifo(self.dir / "slow.csv")
        self.words[3] = "slow.csv"
        process = self.start(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(self.dir / "slow.csv", "w"):  # waits for the reader, which then waits for us
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 130)
        self.assertEqual(self.names(), ["slow.csv", "x.npy"])

    def test_progress_lines(self):
        process = self.start()
        line = process.stderr.readline()
        self.assertRegex(line, r"^itomap: \w+ .*( s left| s so far)")
        self.assertNotIn("\r", line)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)

    def test_progress_bar_on_a_terminal_is_erased(self):
        master, slave = pty.openpty()
        process = self.start(stderr=slave, env={**os.environ, "TERM": "xterm", "COLUMNS": "80"})
        os.close(slave)
        seen = b""
        while seen.count(b"\r\033[K") < 3:
            seen += os.read(master, 4096)
        process.send_signal(signal.SIGINT)
        while b"nothing was written" not in seen:
            seen += os.read(master, 4096)
        process.communicate(timeout=120)
        self.assertIn(" %".encode(), seen)
        self.assertIn(b"\r\033[Kitomap: stopped", seen)
        self.assertNotIn(b"\n", seen.split(b"itomap: stopped")[0])


if __name__ == "__main__":
    unittest.main()
