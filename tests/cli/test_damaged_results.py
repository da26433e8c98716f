"""Result directories that were damaged, cut short or put together from several: refused by the name of the file."""

import json
import shutil
import unittest

import numpy as np
from support import CliTest, square


def without_last_row(array):
    return array[:-1]


def with_one_more_row(array):
    return np.concatenate([array, array[-1:]])


def without_last_column(array):
    return array[..., :-1] if array.ndim > 1 else array[:, None][:, :0]


def with_nan(array):
    array.flat[3 % array.size] = np.nan
    return array


def with_infinity(array):
    array.flat[array.size // 2] = np.inf
    return array


def flattened(array):
    return array.reshape(-1, 1) if array.ndim == 1 else array.ravel()


def whole_numbers(array):
    return np.ones(array.shape, dtype=int)


def complex_or_real(array):
    return array.real.copy() if np.iscomplexobj(array) else array + 0j


def empty(array):
    return array[:0]


DAMAGES = [without_last_row, with_one_more_row, without_last_column, with_nan, with_infinity, flattened, whole_numbers,
           complex_or_real, empty]
MISSING = object()


class DamagedResults(CliTest):
    def setUp(self):
        super().setUp()
        points = square(50)
        points[20] = 40, 40  # isolated: left out, its rows are NaN
        self.save("x.npy", points)
        self.save("log_pi.npy", -(points**2).sum(1))
        self.save("drift.npy", points @ np.array([[-1, -2], [2, -1]]).T)
        self.save("a.npy", np.tile(np.diag([0.5, 1.0]), (50, 1, 1)))
        self.save("source.npy", [0, 1])
        self.save("sink.npy", [30, 31])
        self.save("new.npy", points[:3])
        words = ["--points", "x.npy", "--epsilon", "0.3", "--eigs", "3", "--drop-isolated", "--quiet"]
        self.succeed("dmap", *words, "--bandwidth", "0.3", "--out", "dmap")
        self.succeed("tmd", *words, "--log-target", "log_pi.npy", "--out", "tmd")
        self.succeed("lkd", *words, "--drift", "drift.npy", "--diffusion", "a.npy", "--out", "lkd")

    def committor(self, result):
        return ["committor", "--result", result, "--source", "source.npy", "--sink", "sink.npy", "--out", "out"]

    def cluster(self, result):
        return ["cluster", "--result", result, "--sets", "2", "--out", "out"]

    def extend(self, result):
        local = ["--drift", "new.npy", "--diffusion", "1"] if result.startswith("lkd") else []
        return ["extend", "--result", result, "--points", "new.npy", *local, "--out", "out"]

    def average(self, result):
        return ["average", "--result", result, "--observable", "log_pi.npy", "--out", "out"]

    def all_commands(self, result):
        return [self.committor(result), self.cluster(result), self.extend(result), self.average(result)]

    def damaged(self, result, name, content):
        """A copy of the result in which one file is another; None takes it away."""
        copy = self.dir / f"{result}_damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.dir / result, copy)
        if content is None:
            (copy / name).unlink()
        elif isinstance(content, bytes):
            (copy / name).write_bytes(content)
        else:
            np.save(copy / name, content)
        return copy.name

    def arrays(self, result):
        return [name for name in self.files(result) if name.endswith(".npy")]

    def test_whole_results_are_taken(self):
        for result in "dmap", "tmd", "lkd":
            self.assertTrue(np.isnan(self.load(f"{result}/stationary.npy")[20]))
            for words in self.all_commands(result):
                self.succeed(*words, "--force")

    def test_every_array_and_every_damage(self):
        for result in "dmap", "tmd", "lkd":
            for name in self.arrays(result):
                for damage in DAMAGES:
                    with self.subTest(result, name=name, damage=damage.__name__):
                        damaged = self.damaged(result, name, damage(self.load(f"{result}/{name}")))
                        self.refuse(*self.committor(damaged), says=f"{damaged}/{name}: ")

    def test_every_array_taken_away_or_cut(self):
        for result in "dmap", "lkd":
            for name in self.arrays(result):
                self.refuse(*self.committor(self.damaged(result, name, None)), says=f"{name} is missing")
                cut = (self.dir / result / name).read_bytes()[:-5]
                self.refuse(*self.committor(self.damaged(result, name, cut)), says=f"{name}: truncated")

    def test_every_command(self):
        for name, damage in ("stationary.npy", with_nan), ("stationary.npy", without_last_row):
            for result in "dmap", "lkd":
                damaged = self.damaged(result, name, damage(self.load(f"{result}/{name}")))
                for words in self.all_commands(damaged):
                    with self.subTest(words[0], result=result, damage=damage.__name__):
                        self.refuse(*words, says=f"{damaged}/{name}: ")
        for name in "points.npy", "eigenfunctions.npy":
            damaged = self.damaged("dmap", name, without_last_row(self.load(f"dmap/{name}")))
            for words in self.all_commands(damaged)[:3]:
                self.refuse(*words, says=f"{damaged}/{name}: is ")

    def test_weights_that_are_none(self):
        weights = self.load("tmd/stationary.npy")
        negative = weights.copy()
        negative[[0, 1]] += [-0.5, 0.5]
        for content, says in (2 * weights, "sum 2"), (negative, "below 0"), (np.nan_to_num(weights), "stationary.npy"):
            damaged = self.damaged("tmd", "stationary.npy", content)
            for words in self.committor(damaged), self.average(damaged):
                self.refuse(*words, says=[f"{damaged}/stationary.npy: ", says])

    def test_points_of_another_map(self):
        for result in "dmap", "tmd", "lkd":
            damaged = self.damaged(result, "points.npy", square(50, seed=2))
            self.refuse(*self.committor(damaged), says=f"{damaged}/")

    def entries(self):
        """Entries of result.json that a map depends on, and what they must not be."""
        text, number, flag, many = "text", 2.5, True, [1.0]
        return {
            "command": [MISSING, number, many],
            "method": [MISSING, number, "nonsense"],
            "reversible": [MISSING, text, "other"],
            "points": [MISSING, text, 49, 51, 50.5, -1, 10**30, many],
            "dimension": [MISSING, text, 1, 3, 0, -2],
            "epsilon": [MISSING, text, flag, 0, -1, None, many],
            "engine": [MISSING, number, "abacus"],
            "parameters": [MISSING],
            "definition": [MISSING, text, number, [], None],
            "definition.method": [MISSING, number, "nonsense", "target_measure_map"],
            "definition.epsilon": [MISSING, text, 0, -1, 1e30],
            "definition.eta": [number],
            "definition.kernel": [MISSING, text],
            "definition.kernel.engine": [MISSING, "abacus"],
            "definition.alpha": [MISSING, text],
            "definition.kernel.cutoff": [MISSING, text, 0, 1, -1],
            "definition.drop_isolated": [False, number, text],
            "definition.kernel.period": [text, [1], [1, 2, 3], ["a", "b"], [-1, 0], [1e-320, 0]],
            "definition.bandwidth.strength": [text, -1, 2],
            "definition.bandwidth.neighbours": [text, -1, 1000, 1.5],
            "definition.bandwidth.dimension": [text, 9],
            "definition.kernel.single_precision": [number],
            "definition.kernel.landmarks": [MISSING, text, -1, 0.5],
            "definition.kernel.landmark_error": [MISSING, text, 0, 1],
            "eigenvalues": [MISSING, text, [], [[0, 0]], [0, 0, 0, 0], [[0, 0, 0]] * 4, [["a", 0]] * 4, [[0, 0]] * 4],
            "rates_log": [MISSING, [], [0.0] * 5, ["a"] * 4],
            "timescales": [MISSING, {}],
            "timescales_log": [MISSING],
            "residuals": [MISSING, [[]] * 4],
            "left_residuals": [MISSING],
            "effective_points": [MISSING],
            "spurious": [MISSING, [4], [-1], [0.5], number],
            "status": [MISSING, ["converged"] * 3, ["perhaps"] * 4, [1] * 4],
        }

    def with_entry(self, result, key, value):
        content = json.loads((self.dir / result / "result.json").read_text())
        *outer, last = key.split(".")
        place = content
        for part in outer:
            place = place[part]
        if value is MISSING:
            del place[last]
        else:
            place[last] = not place[last] if value == "other" else value
        return self.damaged(result, "result.json", json.dumps(content).encode())

    def test_every_entry_of_the_json(self):
        for key, values in self.entries().items():
            for value in values:
                with self.subTest(key, value="missing" if value is MISSING else value):
                    damaged = self.with_entry("dmap", key, value)
                    error = self.refuse(*self.committor(damaged), says=f"error: {damaged}")
                    self.assertNotIn("json.exception", error)

    def test_entries_that_averages_depend_on(self):
        for key, value in [("points", 49), ("points", "fifty"), ("reversible", 3), ("diagnostics", []),
                           ("diagnostics.dropped_points", 0), ("diagnostics.components", -1)]:
            damaged = self.with_entry("lkd", key, value)
            self.refuse(*self.average(damaged), says=f"error: {damaged}/")

    def test_json_that_is_no_object(self):
        for content in b"[]", b"", b"{", b"null", b"3", b'"text"', b"[" * 100000, b"\0" * 100, b"{}{}", b'{"epsilon": 1e999}':
            damaged = self.damaged("dmap", "result.json", content)
            for words in self.all_commands(damaged):
                with self.subTest(words[0], content=content[:10]):
                    self.refuse(*words, says=f"error: {damaged}/result.json: is not a JSON object")
        damaged = self.damaged("dmap", "result.json", b"{}")
        for words in self.all_commands(damaged):
            self.refuse(*words, says=[f"error: {damaged}/result.json: ", "is missing"])

    def test_results_of_other_commands(self):
        self.succeed("scale", "--points", "x.npy", "--out", "scan")
        for words in self.all_commands("scan"):
            self.refuse(*words, says=["error: scan/result.json: ", "dmap, tmd or lkd"])


if __name__ == "__main__":
    unittest.main()
