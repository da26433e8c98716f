"""The Python package beside the command line and scikit-learn's own checks.

  PYTHONPATH=build/release/python ITOMAP=build/release/bin/itomap python3 -m unittest discover tests/python
"""
import copy
import doctest
import importlib
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import fuzz_inputs
import itomap

PROGRAM = os.path.abspath(os.environ["ITOMAP"])  # programs run in folders of their own
ESTIMATORS = (itomap.DiffusionMap, itomap.TargetMeasureDiffusionMap, itomap.LocalKernelDiffusionMap)


def square(m=1500, seed=0):
    return np.random.default_rng(seed).uniform(-3, 3, size=(m, 2))


def rotation(x):
    return np.c_[-x[:, 0] + x[:, 1], -x[:, 0] - x[:, 1]]


def fitted(kind, x, **options):
    model = kind(n_components=4, epsilon=0.1, **options)
    if kind is itomap.TargetMeasureDiffusionMap:
        return model.fit(x, log_target=-0.5 * (x**2).sum(axis=1))
    if kind is itomap.LocalKernelDiffusionMap:
        return model.set_params(drift=rotation).fit(x)
    return model.fit(x)


def eigenvalues_with(epsilon):
    return itomap.DiffusionMap(n_components=3, epsilon=epsilon, n_jobs=2).fit(square(300)).eigenvalues_


class Quiet(unittest.TestCase):
    def setUp(self):
        context = warnings.catch_warnings()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        warnings.simplefilter("ignore")


class ScikitLearn(Quiet):
    def test_estimators_pass_its_checks(self):
        for kind in ESTIMATORS:
            for estimator, check in check_estimator(kind(), generate_only=True):
                with self.subTest(kind=kind.__name__, check=check.func.__name__):
                    check(estimator)

    def test_pipelines_hand_over_to_functions_of_points(self):
        model = make_pipeline(StandardScaler(), itomap.LKDmap(n_components=3, epsilon=0.1, drift=lambda x: -x))
        x = square()
        np.testing.assert_allclose(model.fit(x).transform(x), model[-1].embedding_, atol=1e-6)

    def test_pandas_in_and_out(self):
        import pandas
        frame = pandas.DataFrame(square(400), columns=["x", "y"])
        model = itomap.DiffusionMap(n_components=2, epsilon=0.3).set_output(transform="pandas")
        self.assertEqual(list(model.fit_transform(frame).columns), ["diffusionmap0", "diffusionmap1"])
        self.assertEqual(list(model.feature_names_in_), ["x", "y"])

    def test_pickles_copies_and_clones(self):
        x = square(500)
        for kind in ESTIMATORS:
            with self.subTest(kind=kind.__name__):
                own = {"drift": -1.0 * np.ones(2), "step": "heun"} if kind is itomap.LKDmap else {}
                model = kind(n_components=4, epsilon=0.1, normalization="bistochastic", **own).fit(x)
                for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
                    np.testing.assert_array_equal(again.eigenfunctions_, model.eigenfunctions_)
                    np.testing.assert_array_equal(again.transform(x[:50]), model.transform(x[:50]))
                    np.testing.assert_array_equal(again.generator_.backward @ x[:, 0],
                                                  model.generator_.backward @ x[:, 0])
                self.assertEqual(str(clone(model).get_params()), str(model.get_params()))


class Warned(unittest.TestCase):
    """Each kind of warning has its class, and names the line of the user's that led to it."""

    def categories(self, fit, *arguments):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fit(*arguments)
        self.assertEqual({warning.filename for warning in caught} - {__file__}, set())
        return [warning.category for warning in caught]

    def test_of_walls(self):
        paper, reflected = (itomap.DiffusionMap(2, epsilon=0.1, normalization=n) for n in ("paper", "bistochastic"))
        for fit in (paper.fit, paper.fit_transform, make_pipeline(StandardScaler(), paper).fit):
            self.assertEqual(self.categories(fit, square()), [itomap.BoundaryWarning])
        self.assertGreater(paper.diagnostics_["wall_points"], 0)
        self.assertEqual(self.categories(reflected.fit, square()), [])
        periodic = itomap.DiffusionMap(2, epsilon=0.1, period=[6.0, 6.0])
        self.assertEqual(self.categories(periodic.fit, square()), [])

    def test_of_what_did_not_converge(self):
        model = itomap.DiffusionMap(6, epsilon=0.1, period=[6.0, 6.0], max_products=3)
        self.assertIn(itomap.ConvergenceWarning, self.categories(model.fit, square(3000)))

    def test_of_modes_on_a_handful_of_points(self):
        x = np.r_[np.random.default_rng(0).normal(size=(1000, 2)), [[9.0, 9.0], [9.1, 9.0]]]
        self.assertIn(itomap.SpuriousModeWarning, self.categories(itomap.DiffusionMap(3, epsilon=0.05).fit, x))


class Arrays(Quiet):
    def test_float64_in_c_order_is_not_copied(self):
        x = square()
        self.assertEqual(fitted(itomap.DiffusionMap, x).map_.points.ctypes.data, x.ctypes.data)

    def test_any_other_array_gives_the_same(self):
        x = np.round(square(600), 3).astype(np.float32).astype(np.float64)
        expected = fitted(itomap.DiffusionMap, x).eigenvalues_
        readonly = x.copy()
        readonly.setflags(write=False)
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/x.npy", x)
            mapped = np.load(f"{folder}/x.npy", mmap_mode="r")
            for other in (x.astype(np.float32), np.asfortranarray(x), readonly, mapped, x.tolist(), x[::-1][::-1]):
                np.testing.assert_array_equal(fitted(itomap.DiffusionMap, other).eigenvalues_, expected)

    def test_points_outlive_the_caller(self):
        x = square(300)
        model = fitted(itomap.DiffusionMap, x)
        expected = model.transform(x[:10])
        place = x[:10].copy()
        del x
        np.testing.assert_array_equal(model.transform(place), expected)

    def test_rows_that_were_left_out_are_nan(self):
        x = np.r_[square(300), [[50.0, 50.0]]]
        model = itomap.DiffusionMap(n_components=2, epsilon=0.3, drop_isolated=True).fit(x)
        self.assertTrue(np.isnan(model.eigenfunctions_[300]).all())
        self.assertTrue(np.isfinite(model.eigenfunctions_[:300]).all())
        self.assertEqual(model.committor(x[:, 0] < -2, x[:, 0] > 2)["forward"].shape, (301,))

    def test_wrong_input_is_refused_in_one_line(self):
        x = square(100)
        cases = [
            (ValueError, "epsilon", lambda: itomap.DiffusionMap(epsilon=-1.0).fit(x)),
            (ValueError, "n_components", lambda: itomap.DiffusionMap(n_components=0).fit(x)),
            (ValueError, "log_target", lambda: itomap.TMDmap(epsilon=0.1).fit(x, log_target=np.zeros(7))),
            (ValueError, "drift", lambda: itomap.LKDmap(epsilon=0.1).fit(x, drift=np.zeros((7, 2)))),
            (ValueError, "engine", lambda: itomap.DiffusionMap(engine="fast", epsilon=0.1).fit(x)),
            (ValueError, "normalization", lambda: itomap.DiffusionMap(normalization="theirs", epsilon=0.1).fit(x)),
            (ValueError, "step", lambda: itomap.LKDmap(step="leap", epsilon=0.1).fit(x)),
            (ValueError, "biased", lambda: itomap.LKDmap(normalization="bistochastic", biased=True).fit(x)),
            (TypeError, "normalization", lambda: itomap.DiffusionMap(normalization=1, epsilon=0.1).fit(x)),
            (ValueError, "n_jobs", lambda: itomap.DiffusionMap(n_jobs=-3, epsilon=0.1).fit(x)),
            (ValueError, "source", lambda: fitted(itomap.DiffusionMap, x).committor([0.5], [1])),
            (ValueError, "Complex", lambda: itomap.DiffusionMap(epsilon=0.1).fit(x + 0j)),
            (ValueError, "Complex", lambda: itomap.TMDmap(epsilon=0.1).fit(x, log_target=np.full(100, 1j))),
            (ValueError, "Complex", lambda: itomap.scan_epsilon(x + 0j)),
            (ValueError, "Complex", lambda: itomap.estimate_dynamics(x + 0j, x[:2], dt=1.0, n_neighbors=30)),
            (ValueError, "Complex", lambda: itomap.DiffusionMap(metric="precomputed").fit(np.zeros((9, 9), complex))),
            (ValueError, "NaN", lambda: itomap.DiffusionMap().fit(np.full((5, 2), np.nan))),
            (OSError, "result", lambda: itomap.load_result("no/result")),
        ]
        for kind, word, call in cases:
            with self.subTest(word=word), self.assertRaises(kind) as caught:
                call()
            self.assertIn(word, str(caught.exception))
            self.assertLess(len(str(caught.exception)), 1000)


class Science(Quiet):
    def test_the_ornstein_uhlenbeck_process(self):
        x = np.random.default_rng(3).uniform(-4, 4, size=(6000, 1))
        model = itomap.TMDmap(n_components=3, epsilon=0.01).fit(x, log_target=-0.5 * x[:, 0]**2)
        np.testing.assert_allclose(model.eigenvalues_, [0, -1, -2, -3], rtol=0.1, atol=1e-9)
        self.assertAlmostEqual(model.expectation(x[:, 0]**2)["mean"], 1.0, delta=0.05)
        # E[x_t | x_0] = x_0 e^-t, from the eigenpairs
        later = model.propagate(x[:, 0], 1.0)
        middle = abs(x[:, 0]) < 1.5
        self.assertLess(abs(later - x[:, 0] * np.exp(-1))[middle].max(), 0.08)

    def test_a_rotation_has_complex_pairs(self):
        x = np.random.default_rng(4).uniform(-4, 4, size=(5000, 2))
        model = fitted(itomap.LKDmap, x)
        self.assertAlmostEqual(model.eigenvalues_[1].real, -1.0, delta=0.2)
        self.assertAlmostEqual(model.eigenvalues_[1].imag, 1.0, delta=0.2)
        self.assertEqual(model.embedding_.dtype, np.float64)

    def test_half_a_pair_propagates_as_the_whole(self):
        x = square()
        half, whole = (itomap.LKDmap(n_components=n, epsilon=0.1, drift=rotation).fit(x) for n in (1, 2))
        self.assertEqual((half.eigenvalues_.imag != 0).sum(), 1)
        np.testing.assert_allclose(half.propagate(x[:, 0], 0.5), whole.propagate(x[:, 0], 0.5), atol=1e-6)

    def test_operators_are_the_map(self):
        x = square(300)
        model = fitted(itomap.LKDmap, x)
        generator, p = model.generator_, model.generator_.to_sparse()
        f = np.sin(x[:, 0])
        np.testing.assert_allclose(p @ f, generator.transition @ f, atol=1e-12)
        np.testing.assert_allclose(p.T @ f, generator.transition.T @ f, atol=1e-12)
        np.testing.assert_allclose((p @ f - f) / generator.time_step, generator.backward @ f, atol=1e-9)
        np.testing.assert_allclose(generator.backward @ model.eigenfunctions_[:, 1].real,
                                   (model.eigenvalues_[1] * model.eigenfunctions_[:, 1]).real, atol=1e-6)

    def test_operators_take_complex_functions(self):
        model = itomap.LKDmap(n_components=2, epsilon=0.1, drift=rotation).fit(square())
        generator, psi, mu = model.generator_, model.eigenfunctions_[:, 1], model.eigenvalues_[1]
        self.assertGreater(mu.imag, 0.1)
        np.testing.assert_allclose(generator.backward @ psi, mu * psi, atol=1e-6)
        np.testing.assert_allclose(generator.transition @ psi, (1 + generator.time_step * mu) * psi, atol=1e-7)
        phi = model.left_eigenfunctions_[:, 1]
        np.testing.assert_allclose(generator.transition.T @ phi, (1 + generator.time_step * mu) * phi, atol=1e-9)

    def test_sets_and_passages(self):
        x = np.random.default_rng(5).uniform(-2, 2, size=(3000, 1))
        model = itomap.TMDmap(n_components=3, epsilon=0.005).fit(x, log_target=-4 * (x[:, 0]**2 - 1)**2)
        sets = model.pcca(2)
        self.assertEqual(set(sets["labels"]), {0, 1})
        np.testing.assert_allclose(sets["weights"], 0.5, atol=0.05)
        left, right = x[:, 0] < -1, x[:, 0] > 1
        passage = itomap.committor(model, left, right)
        self.assertAlmostEqual(passage["forward"][abs(x[:, 0]) < 0.05].mean(), 0.5, delta=0.05)
        self.assertAlmostEqual(model.mfpt(left, right), passage["source_to_sink"])


class Files(Quiet):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, *words):
        subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True, cwd=self.folder)

    def test_the_command_line_gives_the_same_bits(self):
        x = square(800)
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "p.npy", -0.5 * (x**2).sum(axis=1))
        np.save(self.folder / "b.npy", rotation(x))
        common = ["--points", "x.npy", "--epsilon", 0.1, "--eigs", 4, "--quiet"]
        dmap, tmd, lkd = ["dmap"], ["tmd", "--log-target", "p.npy"], ["lkd", "--drift", "b.npy", "--diffusion", 1]
        reflecting, words_of_it = {"normalization": "bistochastic"}, ["--normalization", "bistochastic"]
        cases = [(itomap.DiffusionMap, dmap, {}), (itomap.TMDmap, tmd, {}), (itomap.LKDmap, lkd, {}),
                 (itomap.DiffusionMap, dmap + words_of_it, reflecting), (itomap.TMDmap, tmd + words_of_it, reflecting),
                 (itomap.LKDmap, lkd + words_of_it + ["--step", "heun"], {**reflecting, "step": "heun"})]
        for number, (kind, words, options) in enumerate(cases):
            with self.subTest(words=words):
                out = self.folder / f"result{number}"
                self.program(*words, *common, "--out", out)
                model, stored = fitted(kind, x, **options), itomap.load_result(out)
                values = np.array(json.loads((out / "result.json").read_text())["eigenvalues"]) @ [1, 1j]
                np.testing.assert_array_equal(values, model.spectrum_.eigenvalues)
                self.assertIsInstance(stored, kind)
                for name in ("eigenfunctions_", "left_eigenfunctions_", "stationary_", "density_", "embedding_"):
                    np.testing.assert_array_equal(getattr(stored, name), getattr(model, name))

    def test_a_stored_model_keeps_its_parameters(self):
        x = square(500)
        models = [
            itomap.DiffusionMap(3, epsilon=0.1, alpha=0.8, period=[6.0, 0.0], normalization="bistochastic"),
            itomap.TMDmap(3, epsilon=0.1, bandwidth=0.5, bandwidth_neighbors=20, bandwidth_dimension=2, engine="dense"),
            itomap.LKDmap(3, epsilon=0.1, density_epsilon=0.2, eta=0.1, step="heun", single_precision=True,
                          cutoff=1e-6),
            itomap.LKDmap(3, epsilon=0.1, density_epsilon=0.2, biased=True, keep_traps=True, drop_isolated=True),
        ]
        for number, model in enumerate(models):
            itomap.save_result(model.fit(x), self.folder / str(number))
            stored = itomap.load_result(self.folder / str(number))
            with self.subTest(number=number):
                self.assertEqual(stored.get_params(), model.get_params())
                np.testing.assert_array_equal(stored.generator_.backward @ x[:, 0], model.generator_.backward @ x[:, 0])
                np.testing.assert_array_equal(pickle.loads(pickle.dumps(stored)).density_, model.density_)

    def test_the_command_line_reads_what_python_wrote(self):
        x = square(500)
        itomap.save_result(fitted(itomap.DiffusionMap, x), self.folder / "result")
        with self.assertRaises(FileExistsError):
            itomap.save_result(fitted(itomap.DiffusionMap, x), self.folder / "result")
        self.program("cluster", "--result", "result", "--sets", 2, "--quiet")
        self.assertTrue((self.folder / "result/sets.npy").exists())


class Execution(Quiet):
    def test_others_run_while_the_library_works(self):
        ticks, over = [], threading.Event()

        def tick():
            while not over.wait(0.001):
                ticks.append(None)

        x = square(6000)
        model = itomap.DiffusionMap(n_components=8, epsilon=0.02, engine="dense", n_jobs=1)
        thread = threading.Thread(target=tick)
        thread.start()
        before = len(ticks)
        core_map = itomap._core.make_map(method="diffusion_map", points=x, **model._definition())
        itomap._core.eigenpairs(core_map, count=8)
        during = len(ticks) - before
        over.set()
        thread.join()
        self.assertGreater(during, 20)  # one or two if the lock were held

    def test_progress_stops_a_fit(self):
        seen = []

        def progress(stage, fraction, detail):
            seen.append(stage)
            return False

        with self.assertRaises(KeyboardInterrupt):
            itomap.DiffusionMap(n_components=8, epsilon=0.02, engine="dense", progress=progress).fit(square(4000))
        self.assertTrue(seen)

    def test_ctrl_c_stops_a_fit(self):
        program = """if True:
            import os, signal, threading, numpy as np, itomap
            x = np.random.default_rng(0).normal(size=(40_000, 3))
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                itomap.DiffusionMap(n_components=50, epsilon=0.01, engine="dense").fit(x)
                print("went on")
            except KeyboardInterrupt:
                print("stopped")"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(done.stdout, "stopped\n", done.stderr)

    def test_an_error_in_progress_reaches_the_caller(self):
        def progress(stage, fraction, detail):
            raise LookupError("found")

        with self.assertRaisesRegex(LookupError, "found"):
            itomap.DiffusionMap(n_components=8, epsilon=0.02, engine="dense", progress=progress).fit(square(4000))

    def test_forks_do_not_hang(self):
        import multiprocessing
        x = square(400)
        expected = fitted(itomap.DiffusionMap, x).eigenvalues_
        with multiprocessing.get_context("fork").Pool(2) as pool:
            for values in pool.map(eigenvalues, [x, x, x]):
                np.testing.assert_array_equal(values, expected)

    def test_joblib_runs_fits_beside_each_other(self):
        for backend in ("loky", "threading"):
            found = Parallel(n_jobs=2, backend=backend, timeout=120)(delayed(eigenvalues_with)(x) for x in (0.3, 0.4))
            np.testing.assert_array_equal(found[0], eigenvalues_with(0.3))
            self.assertFalse(np.array_equal(found[0], found[1]))

    def test_no_input_ends_the_interpreter(self):
        """Some of the cases that fuzz_inputs.py tries by the hundred thousand."""
        self.assertEqual(fuzz_inputs.run(first=1, count=300), 0)


def eigenvalues(x):
    return np.array(fitted(itomap.DiffusionMap, x).eigenvalues_)


class Examples(Quiet):
    def test_docstrings(self):
        for name in ("itomap", "itomap._estimators", "itomap._functions", "itomap._generator"):
            failed, tried = doctest.testmod(importlib.import_module(name))
            with self.subTest(name=name):
                self.assertEqual(failed, 0)
                self.assertGreater(tried, 0)


if __name__ == "__main__":
    unittest.main()
