"""mpirun -n P itomap: the same files for any number of processes, one line for what is wrong, nothing half-written."""
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

import numpy as np

from support import PROGRAM, CliTest, ring, square

MPIRUN = os.environ.get("ITOMAP_MPIRUN")


class WithoutMpi(CliTest):
    @unittest.skipIf(MPIRUN, "built with MPI")
    def test_one_of_several_processes_is_refused(self):
        environment = {**os.environ, "OMPI_COMM_WORLD_SIZE": "2"}
        done = self.run_program("info", env=environment)
        self.assertEqual(done.returncode, 2)
        self.assertIn("built without MPI", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


@unittest.skipUnless(MPIRUN, "built without MPI")
class Mpi(CliTest):
    def setUp(self):
        super().setUp()
        x = square(600_000)
        self.save("x.npy", x)
        self.save("log_pi.npy", -(x ** 2).sum(axis=1))
        self.save("b.npy", np.column_stack([-x[:, 0] + 2 * x[:, 1], -x[:, 1] - 2 * x[:, 0]]))
        common = ["--points", "x.npy", "--epsilon", "0.02", "--eigs", "4"]
        self.maps = {
            "dmap": ["dmap", *common],
            "tmd": ["tmd", *common, "--log-target", "log_pi.npy"],
            "lkd": ["lkd", *common, "--drift", "b.npy", "--diffusion", "0.5"],
        }

    def command(self, processes, *words):
        return [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(processes), PROGRAM, *words]

    def mpirun(self, processes, *words):
        return subprocess.run(self.command(processes, *words), cwd=self.dir, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=300)

    def arrays(self, folder):
        return {name: (self.dir / folder / name).read_bytes() for name in self.files(folder) if name.endswith(".npy")}

    def result(self, folder):
        return json.loads((self.dir / folder / "result.json").read_text())

    def test_the_same_files_for_any_number_of_processes(self):
        for name, words in self.maps.items():
            self.succeed(*words, "--out", f"{name}1", "--checkpoint", "c")
            alone = self.arrays(f"{name}1")
            for processes in (2, 3, 4) if name == "tmd" else (4,):
                done = self.mpirun(processes, *words, "--out", f"{name}{processes}")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout.count("Written to"), 1)
                self.assertEqual(self.arrays(f"{name}{processes}"), alone, (name, processes))
        self.assertGreater(self.load("lkd1/eigenvalues.npy").imag.max(), 1)  # complex pairs

    def test_landmarks_are_the_same_for_any_number_of_processes(self):
        rng = np.random.default_rng(3)
        angle = rng.uniform(0, 2 * np.pi, 60_000)
        x = rng.normal(0, 0.05, (60_000, 6))
        x[:, 0] += np.cos(angle)
        x[:, 1] += np.sin(angle)
        self.save("x6.npy", x)
        self.save("b6.npy", np.pad(np.column_stack([-2 * np.sin(angle), 2 * np.cos(angle)]), [(0, 0), (0, 4)]))
        self.save("log_pi6.npy", np.cos(angle))
        common = ["--points", "x6.npy", "--epsilon", "0.02", "--eigs", "4"]
        maps = {
            "dmap": ["dmap", *common, "--alpha", "1"],
            "tmd": ["tmd", *common, "--log-target", "log_pi6.npy"],
            "lkd": ["lkd", *common, "--drift", "b6.npy", "--diffusion", "1"],
        }
        for name, words in maps.items():
            self.succeed(*words, "--out", f"{name}1", "--checkpoint", "c")
            alone = self.arrays(f"{name}1")
            for processes in (2, 3, 4) if name == "tmd" else (4,):
                done = self.mpirun(processes, *words, "--out", f"{name}{processes}")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.arrays(f"{name}{processes}"), alone, (name, processes))
        values = self.load("dmap1/eigenvalues.npy")
        np.testing.assert_allclose(values, [0, -1, -1, -4, -4], atol=1e-9, rtol=0.05)
        self.assertGreater(self.load("lkd1/eigenvalues.npy").imag.max(), 1)

    def stored_maps(self):
        rng = np.random.default_rng(4)
        angle = rng.uniform(0, 2 * np.pi, 3000)
        x = rng.normal(0, 0.05, (3000, 5))
        x[:, 0] += np.cos(angle)
        x[:, 1] += np.sin(angle)
        x[7] = 3  # sees nobody
        self.save("x5.npy", x)
        self.save("b5.npy", np.pad(np.column_stack([-2 * np.sin(angle), 2 * np.cos(angle)]), [(0, 0), (0, 3)]))
        self.save("log_pi5.npy", np.cos(angle))
        common = ["--points", "x5.npy", "--epsilon", "0.02", "--eigs", "4", "--engine", "sparse"]
        return {
            "dmap": ["dmap", *common, "--alpha", "1"],
            "tmd": ["tmd", *common, "--log-target", "log_pi5.npy"],
            "lkd": ["lkd", *common, "--drift", "b5.npy", "--diffusion", "1"],
        }

    def test_rows_of_stored_kernels_are_shared(self):
        maps = self.stored_maps()
        maps["dropped"] = [*maps["tmd"], "--drop-isolated", "--normalization", "bistochastic"]
        for name, words in maps.items():
            self.succeed(*words, "--out", f"{name}1")
            alone = self.arrays(f"{name}1")
            for processes in (1, 2, 3, 4) if name == "lkd" else (3,):
                done = self.mpirun(processes, *words, "--out", f"{name}{processes}", "--force")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout.count("Written to"), 1)
                self.assertEqual(self.arrays(f"{name}{processes}"), alone, (name, processes))
        self.assertGreater(self.load("lkd1/eigenvalues.npy").imag.max(), 1)
        plan = [self.result(f"lkd{processes}")["plan"]["kernel_bytes"] for processes in (1, 4)]
        self.assertLess(plan[1], 0.75 * plan[0])

    def test_scales_are_chosen_together(self):
        words = ["dmap", "--points", "ring.npy", "--epsilon", "auto", "--alpha", "1", "--eigs", "4", "--engine",
                 "sparse"]
        self.save("ring.npy", ring(1500))
        self.succeed(*words, "--out", "auto1")
        done = self.mpirun(3, *words, "--out", "auto3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.result("auto3")["epsilon"], self.result("auto1")["epsilon"])
        self.assertEqual(self.arrays("auto3"), self.arrays("auto1"))

    def test_distances_are_shared(self):
        x = ring(900)
        self.save("d.npy", np.linalg.norm(x[:, None] - x[None], axis=2))
        words = ["dmap", "--distances", "d.npy", "--epsilon", "0.01", "--alpha", "1", "--eigs", "4"]
        self.succeed(*words, "--out", "d1")
        done = self.mpirun(2, *words, "--out", "d2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.arrays("d2"), self.arrays("d1"))

    def test_error_bars_of_passages_and_averages_are_shared(self):
        x = square(1500)
        self.save("x2.npy", x)
        self.save("energy.npy", (x ** 2).sum(axis=1))
        self.save("a.npy", np.flatnonzero(x[:, 0] < -0.7))
        self.save("b.npy", np.flatnonzero(x[:, 0] > 0.7))
        self.succeed("dmap", "--points", "x2.npy", "--epsilon", "0.05", "--eigs", "3", "--out", "r")
        passage = ["committor", "--result", "r", "--source", "a.npy", "--sink", "b.npy", "--error-bars", "4"]
        average = ["average", "--result", "r", "--observable", "energy.npy", "--error-bars", "4"]
        for name, words, file in (("passage", passage, "committor.json"), ("mean", average, "average.json")):
            self.succeed(*words, "--out", f"{name}1")
            alone = json.loads((self.dir / f"{name}1" / file).read_text())
            self.assertIn("error_bars", alone)
            for processes in (2, 3):
                folder = f"{name}{processes}"
                done = self.mpirun(processes, *words, "--out", folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.arrays(folder), self.arrays(f"{name}1"))
                found = json.loads((self.dir / folder / file).read_text())
                for unlike in ("parameters", "seconds"):
                    alone.pop(unlike, None), found.pop(unlike, None)
                self.assertEqual(found, alone)

    def test_a_circle_has_all_its_multiplicities(self):
        for name, m, engine in (("ring", 20_000, "auto"), ("stored", 800, "sparse")):
            self.save("ring.npy", ring(m))
            epsilon = "0.001" if m > 800 else "0.01"
            done = self.mpirun(4, "dmap", "--points", "ring.npy", "--epsilon", epsilon, "--alpha", "1", "--eigs", "4",
                               "--engine", engine, "--out", name)
            self.assertEqual(done.returncode, 0, done.stderr)
            np.testing.assert_allclose(self.load(f"{name}/eigenvalues.npy"), [0, -1, -1, -4, -4], atol=1e-9, rtol=0.02)

    def test_error_bars_and_scans_are_shared(self):
        self.save("ring.npy", ring(2000))
        bars = ["dmap", "--points", "ring.npy", "--epsilon", "0.02", "--alpha", "1", "--eigs", "4", "--error-bars", "6"]
        self.succeed(*bars, "--out", "bars1")
        alone = self.arrays("bars1")
        self.assertTrue(any("error" in name for name in alone), alone.keys())
        scan = ["scale", "--points", "ring.npy", "--json", "--quiet"]
        expected = json.loads(self.succeed(*scan).stdout)
        for processes in (2, 3):
            done = self.mpirun(processes, *bars, "--out", f"bars{processes}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("Written to"), 1)
            self.assertEqual(self.arrays(f"bars{processes}"), alone)
            done = self.mpirun(processes, *scan)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            self.assertEqual({**found, "version": 0}, {**expected, "version": 0})

    def test_seeds_of_the_examples_are_shared(self):
        words = ["reproduce", "temperature-switch", "--seeds", "2", "--quiet", "--out"]
        self.succeed(*words, "paper1")
        done = self.mpirun(2, *words, "paper2")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("verdict.json", "temperature-switch/seeds.dat", "temperature-switch/points.dat"):
            self.assertEqual((self.dir / "paper2" / name).read_bytes(), (self.dir / "paper1" / name).read_bytes())

    def test_what_is_wrong_is_one_line(self):
        done = self.mpirun(3, *self.maps["tmd"], "--write", "nothing", "--out", "out")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("itomap: error: "), 1, done.stderr)
        self.assertNotIn("out", self.names())

    def test_other_commands_run_once(self):
        done = self.mpirun(2, "info")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("engines"), 1)

    def test_a_killed_process_ends_all_and_leaves_no_result(self):
        self.save("ring.npy", ring(20_000))
        stored = ["dmap", "--points", "ring.npy", "--epsilon", "0.05", "--eigs", "10", "--engine", "sparse"]
        for words in (self.maps["lkd"], stored):
            run = subprocess.Popen(self.command(3, *words, "--out", "out"), cwd=self.dir, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
            time.sleep(1.5)
            ranks = [p for p in pathlib.Path("/proc").glob("[0-9]*/stat") if self.is_child(p, run.pid)]
            self.assertEqual(len(ranks), 3)
            os.kill(int(ranks[1].parent.name), signal.SIGKILL)
            _, errors = run.communicate(timeout=60)
            self.assertNotEqual(run.returncode, 0, errors)
            self.assertIn("exited on signal 9", errors)  # the line of mpirun
            self.assertNotIn("itomap: error", errors)
            self.assertNotIn("out", self.names())

    @staticmethod
    def is_child(stat, parent):
        try:
            return int(stat.read_text().rpartition(")")[2].split()[1]) == parent
        except (FileNotFoundError, ProcessLookupError):
            return False


if __name__ == "__main__":
    unittest.main()
