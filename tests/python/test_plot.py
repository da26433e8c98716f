"""What one sees: pictures, progress, and models in a notebook."""
import contextlib
import doctest
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from html.parser import HTMLParser
from unittest import mock

import numpy as np
import sklearn

import itomap
from itomap import _progress

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    import itomap.plot as plot
    from itomap import _drawing
except ImportError:
    matplotlib = None

PACKAGE = pathlib.Path(itomap.__file__).resolve().parents[1]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/python"


def rotation(x):
    return np.c_[-x[:, 0] + x[:, 1], -x[:, 0] - x[:, 1]]


class Quiet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rng = np.random.default_rng(0)
            cls.line = rng.uniform(-2, 2, size=(800, 1))
            cls.log_target = -3 * (cls.line[:, 0]**2 - 1)**2
            cls.well = itomap.TMDmap(n_components=3, epsilon=0.005).fit(cls.line, log_target=cls.log_target)
            cls.plane = np.r_[rng.uniform(-2, 2, size=(1500, 2)), [[40.0, 40.0]]]
            cls.turning = itomap.LKDmap(n_components=4, epsilon=0.05, drift=rotation, drop_isolated=True).fit(cls.plane)
            pair = np.r_[cls.plane[:1500], [[3.7, 0.0], [3.8, 0.0]]]
            cls.far = itomap.DiffusionMap(n_components=3, epsilon=0.05).fit(pair)

    def setUp(self):
        context = warnings.catch_warnings()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        warnings.simplefilter("ignore")


@unittest.skipIf(matplotlib is None, "matplotlib is not installed")
class Pictures(Quiet):
    def tearDown(self):
        for number in pyplot.get_fignums():
            pyplot.figure(number).canvas.draw()  # whatever is wrong with it shows up here
        pyplot.close("all")

    def test_one_coordinate_makes_a_line_in_its_order(self):
        ax = plot.eigenfunction(self.well, 1)
        x, y = ax.lines[0].get_data()
        np.testing.assert_array_equal(x, np.sort(self.line[:, 0]))
        np.testing.assert_array_equal(y, self.well.eigenfunctions_[np.argsort(self.line[:, 0]), 1])
        self.assertIs(plot.eigenfunction(self.well, 2, ax=ax), ax)
        self.assertEqual(len(ax.lines), 2)
        self.assertNotEqual(ax.lines[0].get_color(), ax.lines[1].get_color())

    def test_two_coordinates_make_a_cloud_with_symmetric_colours(self):
        ax = plot.eigenfunction(self.turning, 1, part="imag")
        cloud = ax.collections[0]
        np.testing.assert_array_equal(cloud.get_offsets(), self.plane[:1500])  # without the point that was left out
        np.testing.assert_array_equal(cloud.get_array(), self.turning.eigenfunctions_[:1500, 1].imag)
        low, high = cloud.get_clim()
        self.assertEqual(low, -high)
        self.assertLess(high, abs(cloud.get_array()).max())
        self.assertTrue(cloud.get_rasterized())
        self.assertEqual(ax.figure.axes[1].get_ylabel(), r"Im $\psi_{1}$")

    def test_the_coordinates_that_are_asked_for(self):
        x = np.random.default_rng(0).normal(size=(300, 3))
        model = itomap.DiffusionMap(n_components=2, epsilon=0.5).fit(x)
        ax = plot.function(model, model.density_, coordinates=(2, 0), label="density")
        np.testing.assert_array_equal(ax.collections[0].get_offsets(), x[:, [2, 0]])
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("$x_{3}$", "$x_{1}$"))
        self.assertEqual(ax.collections[0].get_cmap().name, "cividis")
        ax = plot.function(model, x[:, 0], points=-x[:, :2])
        np.testing.assert_array_equal(ax.collections[0].get_offsets(), -x[:, :2])

    def test_names_of_a_table(self):
        import pandas
        frame = pandas.DataFrame(self.plane[:300], columns=["phi", "psi"])
        ax = plot.eigenfunction(itomap.DiffusionMap(n_components=2, epsilon=0.5).fit(frame))
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("phi", "psi"))

    def test_a_part_of_a_big_cloud_is_drawn_and_the_title_says_so(self):
        with mock.patch.object(_drawing, "MOST_POINTS", 100):
            ax = plot.eigenfunction(self.turning, 1)
            sets = plot.sets(self.turning, self.turning.kmeans(2))
        self.assertEqual(len(ax.collections[0].get_offsets()), 100)
        self.assertIn("100 of 1,500 points", ax.get_title())
        self.assertEqual(sum(len(part.get_offsets()) for part in sets.collections), 100)
        self.assertIn("100 of 1,500 points", sets.get_title())
        self.assertGreater(_drawing.marker_size(ax, 1000), _drawing.marker_size(ax, 100000))

    def test_a_million_points(self):
        where = np.random.default_rng(0).normal(size=(1_000_000, 2))
        _, note = _drawing.cloud(pyplot.subplots()[1], where, where[:, 0])
        self.assertEqual(note, "200,000 of 1,000,000 points")

    def test_modes_that_are_not_to_be_trusted_are_drawn_apart(self):
        n = int(self.far.spurious_[0])
        self.assertIn("spurious", plot.eigenfunction(self.far, n).get_title())
        for draw in (plot.timescales, plot.spectrum):
            lines = {line.get_label(): line for line in draw(self.far).lines}
            self.assertEqual(len(lines["spurious"].get_xdata()), len(self.far.spurious_))
            self.assertNotEqual(lines["spurious"].get_marker(), lines["converged"].get_marker())
        with mock.patch.object(self.well, "converged_", np.array([True, True, False, True])):
            self.assertIn("not converged", plot.eigenfunction(self.well, 2).get_title())
            lines = {line.get_label(): line for line in plot.timescales(self.well).lines}
            np.testing.assert_array_equal(lines["not converged"].get_xdata(), [2])

    def test_time_scales_with_errors(self):
        errors = self.well.error_bars(4)
        ax = plot.timescales(self.well, errors, unit="ps")
        np.testing.assert_array_equal(ax.lines[0].get_ydata(), self.well.timescales_[1:])
        bars = ax.containers[0][2][0].get_segments()
        np.testing.assert_allclose([np.ptp(bar[:, 1]) / 2 for bar in bars], errors["timescale_errors"][1:])
        self.assertEqual((ax.get_yscale(), ax.get_ylabel()), ("log", "time scale (ps)"))

    def test_infinite_time_scales_are_on_top(self):
        with mock.patch.object(self.well, "timescales_", np.array([np.inf, np.inf, 2.0, 1.0])):
            lines = {line.get_label(): line for line in plot.timescales(self.well).lines}
        np.testing.assert_array_equal(lines["infinite"].get_xdata(), [1])
        self.assertGreater(lines["infinite"].get_ydata()[0], 2.0)

    def test_the_plane_of_eigenvalues(self):
        ax = plot.spectrum(self.turning, errors=True)
        shown = np.concatenate([line.get_xdata() + 1j * line.get_ydata() for line in ax.lines
                                if line.get_label() in ("converged", "spurious", "not converged")])
        np.testing.assert_allclose(np.sort_complex(shown), np.sort_complex(self.turning.eigenvalues_))

    def test_a_scan_with_its_choice(self):
        result = itomap.scan_epsilon(self.line, log_target=self.log_target)
        for of, count in (("timescales", 3), ("errors", 4)):
            ax = plot.scan(result, of)
            labels = {line.get_label(): line for line in ax.lines}
            choice = next(line for label, line in labels.items() if label.startswith("choice"))
            self.assertEqual(choice.get_xdata()[0], result["epsilon"])
            self.assertEqual(len(ax.get_legend().get_texts()), count + 1)
            self.assertEqual(ax.get_xscale(), "log")

    def test_the_embedding(self):
        ax = plot.embedding(self.turning, (1, 0), color=self.plane[:, 0], label="x")
        np.testing.assert_array_equal(ax.collections[0].get_offsets(), self.turning.embedding_[:1500, [1, 0]])
        self.assertIn("Im", ax.get_xlabel())
        self.assertIn("Re", ax.get_ylabel())
        self.assertEqual(len(plot.embedding(self.turning).figure.axes), 1)  # no colour bar

    def test_sets_have_colours_of_their_own(self):
        result = self.turning.kmeans(3)
        ax = plot.sets(self.turning, result)
        self.assertEqual([len(part.get_offsets()) for part in ax.collections],
                         [(result["labels"] == s).sum() for s in range(3)])
        self.assertEqual(len({tuple(part.get_facecolor()[0][:3]) for part in ax.collections}), 3)
        self.assertEqual(len(plot.sets(self.well, self.well.pcca(2)).lines), 2)

    def test_the_committor_and_where_it_is_one_half(self):
        passage = self.turning.committor(self.plane[:, 0] < -1.5, (self.plane[:, 0] > 1.5) & (self.plane[:, 0] < 9))
        ax = plot.committor(self.turning, passage)
        self.assertEqual(ax.collections[0].get_clim(), (0, 1))
        paths = np.concatenate([path.vertices for part in ax.collections[1:] for path in part.get_paths()])
        nearest = abs(paths[:, None] - self.plane[None, :1500]).sum(axis=2).argmin(axis=1)
        self.assertLess(abs(passage["forward"][nearest] - 0.5).max(), 0.15)
        ax = plot.committor(self.well, self.well.committor(self.line[:, 0] < -1, self.line[:, 0] > 1))
        np.testing.assert_array_equal(ax.lines[1].get_ydata(), 0.5)

    def test_a_flow(self):
        arrows = plot.flow(self.turning, arrows=True).collections[0]
        expected = rotation(np.asarray(arrows.get_offsets()))
        shown = np.c_[arrows.U, arrows.V]
        np.testing.assert_allclose(shown, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-12)
        at = self.turning.map_.points
        self.assertEqual(len(plot.flow(self.turning, rotation(at), color="black").figure.axes), 1)
        segments = np.array(plot.flow(self.turning, rotation).collections[0].get_segments())
        self.assertTrue((abs(segments) <= 2).all())  # nowhere near the point that is far away
        direction, flow = segments[:, 1] - segments[:, 0], rotation(segments.mean(axis=1))
        lengths = np.linalg.norm(direction, axis=1) * np.linalg.norm(flow, axis=1)
        cosine = (direction * flow).sum(axis=1)[lengths > 1e-6] / lengths[lengths > 1e-6]
        self.assertGreater(np.quantile(cosine, 0.05), 0.98)

    def test_all_at_once(self):
        axes = plot.eigenfunctions(self.well)
        self.assertEqual(len(axes), 3)
        self.assertEqual(len(plot.eigenfunctions(self.turning, [1, 3])), 2)

    def test_models_of_distances_need_a_place(self):
        x = self.plane[:300]
        distances = np.sqrt(((x[:, None] - x[None])**2).sum(axis=2))
        model = itomap.DiffusionMap(n_components=2, epsilon=0.3, metric="precomputed").fit(distances)
        with self.assertRaisesRegex(ValueError, "points"):
            plot.eigenfunction(model)
        self.assertEqual(len(plot.eigenfunction(model, points=x).collections[0].get_offsets()), 300)

    def test_wrong_input_is_refused_in_one_line(self):
        cases = [
            ("n:", lambda: plot.eigenfunction(self.well, 9)),
            ("part", lambda: plot.eigenfunction(self.well, 1, part="best")),
            ("values", lambda: plot.function(self.well, [1.0, 2.0])),
            ("values", lambda: plot.function(self.well, np.full(800, np.nan))),
            ("points", lambda: plot.eigenfunction(self.well, points=np.zeros((7, 2)))),
            ("coordinates", lambda: plot.eigenfunction(self.turning, coordinates=(0, 5))),
            ("drift", lambda: plot.flow(self.well)),
            ("drift", lambda: plot.flow(self.turning, np.zeros((7, 2)))),
            ("of", lambda: plot.scan({"rows": []}, of="all")),
            ("scan", lambda: plot.scan({"rows": []})),
            ("embedding", lambda: plot.embedding(itomap.DiffusionMap(1, epsilon=0.5).fit(self.line))),
            ("result", lambda: plot.sets(self.turning, self.well.pcca(2))),
            ("fitted", lambda: plot.timescales(itomap.DiffusionMap())),
        ]
        for word, call in cases:
            with self.subTest(word=word), self.assertRaises(ValueError) as caught:
                call()
            self.assertIn(word, str(caught.exception))

    def test_docstrings(self):
        failed, tried = doctest.testmod(plot)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 20)


class Without(unittest.TestCase):
    """Optional packages that are not there."""

    def run_without(self, module, program):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, f"{module}.py").write_text("raise ImportError('it is not there')\n")
            env = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{PACKAGE}"}
            return subprocess.run([sys.executable, "-W", "ignore", *program], cwd=folder, env=env, capture_output=True,
                                  text=True, timeout=100)

    def test_no_matplotlib(self):
        done = self.run_without("matplotlib", ["-c", "import itomap, itomap.plot"])
        self.assertTrue(done.stderr.endswith("ImportError: itomap.plot needs matplotlib: pip install matplotlib\n"))
        self.assertNotIn("During handling", done.stderr)
        done = self.run_without("matplotlib", [EXAMPLES / "rotating_flow.py"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("without matplotlib there is no picture", done.stdout)

    def test_itomap_alone_imports_neither(self):
        code = "import sys, itomap; print([name for name in ('matplotlib', 'tqdm') if name in sys.modules])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        self.assertEqual(done.stdout.strip(), "[]", done.stderr)

    def test_no_tqdm(self):
        code = ("import numpy as np, itomap; x = np.random.default_rng(0).normal(size=(500, 2)); "
                "itomap.DiffusionMap(2, epsilon=0.1, progress=True).fit(x)")
        done = self.run_without("tqdm", ["-c", code])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^itomap: \w+ \d+%")


class FakeBar:
    """What is used of tqdm."""
    bars = []

    def __init__(self, desc, total, bar_format):
        self.desc, self.n, self.detail, self.closed = desc, 0, "", 0
        self.bars.append(self)

    def set_postfix_str(self, detail):
        self.detail = detail

    def close(self):
        self.closed += 1


class Progress(Quiet):
    def test_a_bar_for_each_stage_and_all_closed(self):
        FakeBar.bars = []
        bars = _progress.Bars(FakeBar)
        with _progress.closing(bars):
            bars("kernel", -1.0, "")
            bars("kernel", 0.4, "")
            bars("eigenpairs", 0.2, "1 of 6 converged")
            self.assertEqual([bar.n for bar in FakeBar.bars], [1.0, 0.2])
        bars("committor", 0.5, "")  # the core keeps it with the map: it must not open again
        self.assertEqual([(bar.desc, bar.n, bar.closed) for bar in FakeBar.bars],
                         [("kernel", 1, 1), ("eigenpairs", 1, 1)])

    def test_a_bar_is_closed_where_it_stood_if_the_work_fails(self):
        FakeBar.bars = []
        bars = _progress.Bars(FakeBar)
        with self.assertRaises(LookupError), _progress.closing(bars):
            bars("kernel", 0.4, "")
            raise LookupError
        self.assertEqual([(bar.n, bar.closed) for bar in FakeBar.bars], [(0.4, 1)])

    def test_a_line_every_two_seconds(self):
        lines, now = _progress.Lines(), [0.0]
        with contextlib.redirect_stderr(io.StringIO()) as said, mock.patch("time.monotonic", lambda: now[0]):
            for _ in range(50):
                lines("eigenpairs", 0.5, "3 of 6 converged")
                now[0] += 0.1
        self.assertEqual(said.getvalue().splitlines(), 3 * ["itomap: eigenpairs 50%, 3 of 6 converged"])

    def test_quiet_unless_asked(self):
        x = self.plane[:300]
        with contextlib.redirect_stderr(io.StringIO()) as said:
            for progress in (None, False, np.False_):
                itomap.DiffusionMap(2, epsilon=0.3, progress=progress).fit(x)
            self.assertEqual(said.getvalue(), "")
            itomap.DiffusionMap(2, epsilon=0.3, progress=True).fit(x)
        self.assertIn("eigenpairs", said.getvalue())
        with self.assertRaisesRegex(ValueError, "progress: 'yes'"):
            itomap.DiffusionMap(2, epsilon=0.3, progress="yes").fit(x)

    def test_a_function_of_the_user_is_called_as_it_is(self):
        seen = []
        model = itomap.DiffusionMap(2, epsilon=0.3, progress=lambda *update: seen.append(update)).fit(self.plane[:300])
        during = len(seen)
        model.committor(self.plane[:300, 0] < -1.5, self.plane[:300, 0] > 1.5)
        self.assertGreater(len(seen), during)

    def test_ctrl_c_stops_a_fit_and_closes_its_bar(self):
        FakeBar.bars = []
        x = np.random.default_rng(0).uniform(-3, 3, size=(6000, 3))
        model = itomap.DiffusionMap(n_components=30, epsilon=0.005, engine="dense", n_jobs=1, tolerance=1e-14,
                                    progress=True)
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with mock.patch.object(_progress, "Lines", lambda: _progress.Bars(FakeBar)), \
                mock.patch.dict(sys.modules, {"tqdm.auto": None}), self.assertRaises(KeyboardInterrupt):
            model.fit(x)
            timer.join()  # a fit that was too fast is interrupted here, without a bar
        self.assertTrue(FakeBar.bars)
        self.assertTrue(all(bar.closed == 1 for bar in FakeBar.bars))
        self.assertFalse(hasattr(model, "map_"))


class Balanced(HTMLParser):
    """Tags that were opened and not closed."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in ("input", "meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text.append(data)


class Notebooks(Quiet):
    def html(self, model):
        html = model._repr_mimebundle_()["text/html"]
        parser = Balanced()
        parser.feed(html[html.index('<div class="itomap-fit">'):] if "itomap-fit" in html else html)
        self.assertEqual(parser.open, [])
        return " ".join(parser.text)

    def test_before_and_after_a_fit(self):
        model = itomap.DiffusionMap(n_components=2, epsilon=0.3)
        self.assertNotIn("itomap-fit", model._repr_html_())
        self.assertIn("DiffusionMap", model._repr_html_())
        model.fit(self.plane[:300])
        self.assertIn("itomap-fit", model._repr_html_())
        text = self.html(model)
        self.assertIn("300 points in 2 dimensions, epsilon = 0.3", text)
        self.assertIn(f"{model.timescales_[1]:.4g}", text)

    def test_what_to_know_is_there(self):
        text = self.html(self.far)
        self.assertIn("spurious", text)
        self.assertIn(self.far.spectrum_.warnings[0], text)
        self.assertIn("(1 left out)", self.html(self.turning))
        self.assertIn("j", self.html(self.turning))  # complex eigenvalues

    def test_everything_is_escaped(self):
        with mock.patch.object(self.well, "diagnostics_", {"warnings": ["<script>alert(1)</script>"]}):
            html = self.well._repr_mimebundle_()["text/html"]
        self.assertNotIn("<script>alert", html)
        self.assertIn("&lt;script&gt;alert(1)", html)

    def test_text_if_scikit_learn_is_told_so(self):
        with sklearn.config_context(display="text"):
            self.assertEqual(list(self.well._repr_mimebundle_()), ["text/plain"])
            self.assertFalse(hasattr(self.well, "_repr_html_"))


class Warnings(unittest.TestCase):
    def test_walls_have_a_class_of_their_own(self):
        from itomap._warnings import warn_of
        for line in ("points end at a wall of the process", "the boundary is near"):
            with self.assertWarns(itomap.BoundaryWarning):
                warn_of([line])
        self.assertTrue(issubclass(itomap.BoundaryWarning, itomap.ItomapWarning))


if __name__ == "__main__":
    unittest.main()
