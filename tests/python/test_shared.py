"""Fits that several processes share: the numbers of one process, to the bit."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
import warnings

import itomap
import numpy as np
from itomap import _core, _ranks


class Threads:
    """Ranks that are threads of this process."""

    def __init__(self, size):
        self.size, self._barrier, self._numbers = size, threading.Barrier(size), [None] * size

    def run(self, body):
        results, errors = [None] * self.size, []

        def one(rank):
            _ranks._present.set(_core.Ranks(Rank(self, rank)))
            try:
                results[rank] = body()
            except BaseException as error:  # noqa: BLE001: told by the test
                errors.append(error)
                self._barrier.abort()
        threads = [threading.Thread(target=one, args=(rank,)) for rank in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        return results

    def combine(self, rank, numbers, operation):
        self._numbers[rank] = numbers.copy()
        self._barrier.wait()
        result = operation(self._numbers)
        self._barrier.wait()
        numbers[:] = result


class Rank:
    on_this_machine = 1

    def __init__(self, all_ranks, rank):
        self._all, self.rank, self.size = all_ranks, rank, all_ranks.size

    def add(self, numbers):
        self._all.combine(self.rank, numbers, lambda all_numbers: np.sum(all_numbers, axis=0))

    def largest(self, numbers):
        self._all.combine(self.rank, numbers, lambda all_numbers: np.max(all_numbers, axis=0))

    def broadcast(self, numbers):
        self._all.combine(self.rank, numbers, lambda all_numbers: all_numbers[0])

    def share(self, numbers, ends):
        parts = list(zip([0, *ends[:-1]], ends))
        self._all.combine(self.rank, numbers,
                          lambda all_numbers: np.concatenate([n[b:e] for n, (b, e) in zip(all_numbers, parts)]))


def fitted(x):
    maps = [itomap.DiffusionMap(4, epsilon=0.05, engine="sparse").fit(x),
            itomap.TargetMeasureDiffusionMap(4, epsilon=0.05, engine="sparse").fit(x, log_target=-(x ** 2).sum(axis=1)),
            itomap.LocalKernelDiffusionMap(4, epsilon=0.05, engine="sparse").fit(x, drift=x @ [[-1, -2], [2, -1]])]
    return [a for m in maps for a in (m.eigenvalues_, m.eigenfunctions_, m.left_eigenfunctions_, m.density_,
                                      m.generator_.backward @ x[:, 0])]


class Shared(unittest.TestCase):
    def setUp(self):
        self.x = np.random.default_rng(3).uniform(-2, 2, (700, 2))
        quiet = warnings.catch_warnings()
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)
        warnings.simplefilter("ignore", itomap.ItomapWarning)

    def test_all_have_the_numbers_of_one_process(self):
        alone = fitted(self.x)
        self.assertTrue(np.iscomplexobj(alone[10]))
        for size in (1, 2):
            for result in Threads(size).run(lambda: fitted(self.x)):
                for a, b in zip(alone, result):
                    self.assertEqual(a.tobytes(), b.tobytes())

    def test_scales_are_shared(self):
        def epsilon():
            model = itomap.DiffusionMap(3, engine="sparse").fit(self.x)
            return model.epsilon_, itomap.scan_epsilon(self.x)["epsilon"]
        self.assertEqual(Threads(2).run(epsilon), 2 * [epsilon()])

    def test_processes_must_be_given_the_same(self):
        def other():
            return itomap.DiffusionMap(3, epsilon=0.05).fit(self.x + _ranks.present_ranks().rank)
        with self.assertRaisesRegex((ValueError, RuntimeError), "points: what is given differs between the processes"):
            Threads(2).run(other)

    def test_what_is_no_communicator_is_refused(self):
        with self.assertRaisesRegex((TypeError, ImportError), "is no communicator of mpi4py|needs mpi4py"):
            itomap.shared(1)
        self.assertIsNone(_ranks.present_ranks())


@unittest.skipUnless(shutil.which("mpirun") and importlib.util.find_spec("mpi4py"), "no mpirun or no mpi4py")
class ByMpi(unittest.TestCase):
    SCRIPT = """
        import sys
        import itomap, numpy as np
        from mpi4py import MPI
        x = np.load("x.npy")
        comm = MPI.COMM_WORLD
        with itomap.shared(comm):
            model = itomap.LocalKernelDiffusionMap(4, epsilon=0.05, engine="sparse")
            model.fit(x, drift=x @ [[-1, -2], [2, -1]])
        if sys.argv[1] == "fail" and comm.rank == 1:
            raise ValueError("on purpose")
        values = model.generator_.backward @ x[:, 0]
        if comm.rank == 0:
            itomap.save_result(model, "result" + sys.argv[1])
            np.save("values" + sys.argv[1] + ".npy", values)
    """

    def mpirun(self, folder, processes, *words):
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return subprocess.run(["mpirun", "--oversubscribe", "-n", str(processes), sys.executable, "-m", "mpi4py",
                               *words], cwd=folder, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=300)

    def test_scripts_share_their_fits(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            np.save(folder / "x.npy", np.random.default_rng(3).uniform(-2, 2, (1200, 2)))
            (folder / "script.py").write_text(textwrap.dedent(self.SCRIPT))
            for processes in (1, 2, 3):
                done = self.mpirun(folder, processes, "script.py", str(processes))
                self.assertEqual(done.returncode, 0, done.stderr)
                for array in ("eigenvalues", "eigenfunctions", "left_eigenfunctions"):
                    self.assertEqual((folder / f"result{processes}" / f"{array}.npy").read_bytes(),
                                     (folder / "result1" / f"{array}.npy").read_bytes())
                self.assertEqual((folder / f"values{processes}.npy").read_bytes(),
                                 (folder / "values1.npy").read_bytes())
            done = self.mpirun(folder, 3, "script.py", "fail")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("on purpose", done.stderr)
            self.assertFalse((folder / "resultfail").exists())

    def test_the_example_runs(self):
        example = pathlib.Path(__file__).resolve().parents[2] / "examples/mpi/shared.py"
        with tempfile.TemporaryDirectory() as name:
            done = self.mpirun(pathlib.Path(name), 2, str(example))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue((pathlib.Path(name) / "result" / "result.json").exists())


if __name__ == "__main__":
    unittest.main()
