"""Drift and diffusion from files: what estimate writes, that lkd takes it, and what is refused."""

import json
import unittest

import numpy as np
from support import CliTest

ARRAYS = ["counts.npy", "diffusion.npy", "diffusion_error.npy", "drift.npy", "drift_error.npy", "points.npy"]
DT = 0.01


def ornstein_uhlenbeck(frames, dimension=2, seed=1):
    """dX = -X dt + sqrt(2) dW, exactly: b = -x, A = I up to order DT."""
    rng = np.random.default_rng(seed)
    decay = np.exp(-DT)
    noise = np.sqrt(1 - decay**2) * rng.standard_normal((frames, dimension))
    x = np.zeros((frames, dimension))
    for t in range(1, frames):
        x[t] = decay * x[t - 1] + noise[t]
    return x


def near(frames, query, radius, lag=1):
    """Mean and covariance of the increments from within the radius, as b and A."""
    starts = frames[:-lag]
    rows = np.linalg.norm(starts - query, axis=1) <= radius
    steps = (frames[lag:] - starts)[rows]
    return len(steps), steps.mean(axis=0) / (lag * DT), np.cov(steps.T) / (2 * lag * DT)


class FromTrajectory(CliTest):
    def setUp(self):
        super().setUp()
        self.frames = ornstein_uhlenbeck(20000)
        self.save("run.npy", self.frames)
        self.words = ["estimate", "--trajectory", "run.npy", "--dt", DT, "--lag", DT]

    def test_writes_what_the_definition_says(self):
        self.save("queries.npy", np.array([[0.0, 0], [1, 0], [0.5, -0.5]]))
        text = self.succeed(*self.words, "--radius", "0.5", "--queries", "queries.npy", "--out", "km").stdout
        for part in "Kramers-Moyal", "suggested eta", "independent increments", "Written to km":
            self.assertIn(part, text)
        self.assertEqual(self.files("km"), sorted([*ARRAYS, "result.json"]))
        self.assertEqual(self.load("km/diffusion.npy").shape, (3, 2, 2))
        self.assertEqual(self.load("km/diffusion_error.npy").shape, (3, 2, 2))
        for i, query in enumerate(self.load("km/points.npy")):
            count, b, a = near(self.frames, query, 0.5)
            self.assertEqual(self.load("km/counts.npy")[i], count)
            np.testing.assert_allclose(self.load("km/drift.npy")[i], b, atol=1e-10)
            np.testing.assert_allclose(self.load("km/diffusion.npy")[i], a, atol=1e-10)
            np.testing.assert_allclose(self.load("km/drift_error.npy")[i], np.sqrt(2 * np.diag(a) / (DT * count)))

    def test_queries_beyond_the_frames_are_told(self):
        words = [*self.words, "--neighbours", "50", "--quiet", "--out", "km", "--queries"]
        self.save("inside.npy", np.array([[0.0, 0], [0.5, 0.5]]))
        self.assertEqual(self.succeed(*words, "inside.npy").stderr, "")
        self.save("far.npy", np.array([[0.0, 0], [1e6, 1e6]]))
        self.assertIn("1 of 2 queries lie outside", self.succeed(*words, "far.npy", "--force").stderr)

    def test_single_precision_and_several_files(self):
        self.save("a.npy", self.frames[:9000].astype(np.float32))
        self.save("b.npy", self.frames[9000:])
        self.succeed(*self.words, "--radius", "0.5", "--query-count", 10, "--out", "one")
        words = [word if word != "run.npy" else "a.npy,b.npy" for word in self.words]
        self.succeed(*words, "--radius", "0.5", "--queries", "one/points.npy", "--out", "two")
        # One pair lies across the seam: it is missing at the queries that see its start.
        missing = self.load("one/counts.npy") - self.load("two/counts.npy")
        self.assertTrue(np.all(np.abs(missing) <= 2), missing)  # rounding moves frames over the rim
        np.testing.assert_allclose(self.load("one/diffusion.npy"), self.load("two/diffusion.npy"), atol=0.01)

    def test_lkd_takes_the_files_as_they_stand(self):
        self.succeed(*self.words, "--neighbours", 1000, "--query-count", 400, "--out", "km", "--quiet")
        values = self.json_of("lkd", "--points", "km/points.npy", "--drift", "km/drift.npy", "--diffusion",
                              "km/diffusion.npy", "--epsilon", "0.1", "--eigs", "2")["eigenvalues"]
        self.assertLess(values[1][0], -0.5)
        self.assertGreater(values[1][0], -1.5)

    def test_json(self):
        done = self.succeed(*self.words, "--radius", "0.5", "--query-count", 7, "--out", "km", "--json")
        self.assertEqual(done.stdout, (self.dir / "km/result.json").read_text())
        result = json.loads(done.stdout)
        self.assertEqual((result["command"], result["points"], result["dimension"]), ("estimate", 7, 2))
        self.assertEqual(result["repaired"], [])
        self.assertEqual(result["diagnostics"]["repaired_points"], 0)
        self.assertEqual(result["parameters"]["query_count"], 7)
        self.assertIsNone(result["parameters"]["neighbours"])
        self.assertEqual(result["counts"]["min"], self.load("km/counts.npy").min())
        diagonal = np.diagonal(self.load("km/diffusion_error.npy"), axis1=1, axis2=2)
        self.assertAlmostEqual(result["suggested_eta"], np.median(np.sqrt((diagonal**2).mean(axis=1))))
        self.assertEqual(set(result["seconds"]), {"read", "estimate", "write"})

    def test_overlap_costs_independence(self):
        words = ["estimate", "--trajectory", "run.npy", "--dt", DT, "--radius", "0.5", "--query-count", 5]
        result = json.loads(self.succeed(*words, "--lag", 8 * DT, "--out", "km", "--json").stdout)
        share = result["independent_counts"]["median"] / result["counts"]["median"]
        self.assertLess(share, 0.5)
        self.assertGreater(share, 1 / 8)

    def test_force_quiet_and_threads(self):
        words = [*self.words, "--radius", "0.5", "--query-count", 50, "--out", "km"]
        self.assertEqual(self.succeed(*words, "--quiet", "--threads", 1).stdout, "")
        first = {name: (self.dir / "km" / name).read_bytes() for name in ARRAYS}
        self.refuse(*words, says=["km", "--force"])
        self.succeed(*words, "--quiet", "--threads", 3, "--force")
        self.assertEqual(first, {name: (self.dir / "km" / name).read_bytes() for name in ARRAYS})


class PoorQueries(CliTest):
    """Frames in the tails that see nobody within the radius."""

    def setUp(self):
        super().setUp()
        self.frames = ornstein_uhlenbeck(2000)
        self.frames[::500] = 50 + 20 * np.arange(8).reshape(4, 2)
        self.save("run.npy", self.frames)
        self.words = ["estimate", "--trajectory", "run.npy", "--dt", DT, "--lag", DT, "--radius", "0.5", "--out", "km"]

    def test_those_that_were_not_chosen_are_left_out_and_told(self):
        done = self.succeed(*self.words, "--query-count", 100, "--json")
        result = json.loads(done.stdout)
        self.assertIn(f"{len(result['left_out'])} of 100 queries see too little and are left out", done.stderr)
        self.assertTrue({0, 25, 50, 75} <= set(result["left_out"]))
        kept = np.delete(np.arange(0, 2000, 20), result["left_out"])
        np.testing.assert_array_equal(self.load("km/points.npy"), self.frames[kept])
        for name in ARRAYS:
            values = self.load(f"km/{name}")
            self.assertEqual(len(values), len(kept))
            self.assertTrue(np.isfinite(values).all())
        self.assertIn("queries", self.succeed(*self.words, "--force").stdout)

    def test_those_that_were_chosen_are_refused(self):
        self.save("q.npy", self.frames[::20])
        self.refuse(*self.words, "--queries", "q.npy", says=["query 0", "1 frame near it", "more are like it"])

    def test_nothing_is_left(self):
        self.refuse(*self.words[:-4], "--radius", "1e-9", "--out", "km", says=["query 0", "and 999 more"])


class Periodic(CliTest):
    """An angle in degrees that goes around, b = 100 and A = 1600, and a coordinate that does not."""

    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(7)
        frames = rng.standard_normal((50000, 2))
        frames[:, 0] = np.cumsum(100 * DT + 40 * np.sqrt(2 * DT) * frames[:, 0])
        self.wrapped = frames * [1, 0.1]
        self.wrapped[:, 0] = self.degrees(frames[:, 0])
        self.save("unwrapped.npy", frames * [1, 0.1])
        self.save("wrapped.npy", self.wrapped)
        self.save("queries.npy", np.array([[-180.0, 0], [179, 0], [0, 0], [540, 0]]))

    @staticmethod
    def degrees(angles):
        return (angles + 180) % 360 - 180

    def words(self, *more, trajectory="wrapped.npy", lag=DT, period="360,0"):
        return ["estimate", "--trajectory", trajectory, "--dt", DT, "--lag", lag, "--period", period, "--out", "km",
                "--force", *more]

    def test_the_cut_is_not_seen(self):
        for how in ("--radius", 20), ("--neighbours", 3000):
            self.succeed(*self.words("--queries", "queries.npy", *how))
            b, error = self.load("km/drift.npy")[:, 0], self.load("km/drift_error.npy")[:, 0]
            self.assertTrue((abs(b - 100) < 4 * error).all(), (b, error))
            self.assertTrue((error < 20).all(), error)
            np.testing.assert_allclose(self.load("km/diffusion.npy")[:, 0, 0], 1600, rtol=0.2)
            wrapped = {name: self.load(f"km/{name}") for name in ARRAYS}
            self.succeed(*self.words("--queries", "queries.npy", *how, trajectory="unwrapped.npy"))
            for name in ARRAYS:
                np.testing.assert_allclose(self.load(f"km/{name}"), wrapped[name], rtol=1e-6, atol=1e-6)

    def test_several_runs(self):
        self.save("a.npy", self.wrapped[:20000])
        self.save("b.npy", self.wrapped[20000:])
        self.succeed(*self.words("--queries", "queries.npy", "--radius", 20, trajectory="a.npy,b.npy"))
        b, error = self.load("km/drift.npy")[:, 0], self.load("km/drift_error.npy")[:, 0]
        self.assertTrue((abs(b - 100) < 4 * error).all(), (b, error))

    def test_bursts(self):
        start = self.wrapped[:30]
        ends = start[:, None] + [5, 0.1] * np.random.default_rng(1).standard_normal((30, 50, 2))
        plain = ["estimate", "--bursts", self.save("ends.npy", ends), "--start", self.save("start.npy", start), "--lag", DT]
        self.succeed(*plain, "--out", "plain")
        ends[:, :, 0] = self.degrees(ends[:, :, 0])
        self.save("ends.npy", ends)
        self.succeed(*plain, "--period", "360,0", "--out", "folded")
        for name in ARRAYS:
            np.testing.assert_allclose(self.load(f"folded/{name}"), self.load(f"plain/{name}"), rtol=1e-9, atol=1e-9)

    def test_lkd_takes_the_files_as_they_stand(self):
        self.succeed(*self.words("--neighbours", 3000, "--query-count", 600))
        self.succeed("lkd", "--points", "km/points.npy", "--drift", "km/drift.npy", "--diffusion", "km/diffusion.npy",
                     "--period", "360,0", "--epsilon", "0.05", "--eigs", "2", "--quiet")

    def test_a_lag_that_leads_around_is_told(self):
        told = self.succeed(*self.words("--radius", 20, lag=2)).stderr
        self.assertIn("may get more than half a period away within the lag", told)

    def test_wrong_periods(self):
        for period, says in ("360", "period: 1 values for 2 coordinates"), ("360,-1", "--period"), ("x,1", "--period"):
            self.refuse(*self.words("--radius", 20, period=period), says=says)
        self.save("atoms.npy", ornstein_uhlenbeck(100, 9))
        self.refuse(*self.words("--radius", 1, "--align", "all", trajectory="atoms.npy", period=",".join("1" * 9)),
                    says="period, align")


class FromBursts(CliTest):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(5)
        self.start = rng.uniform(-1, 1, (20, 3))
        self.ends = self.start[:, None, :] * (1 - DT) + np.sqrt(2 * DT) * rng.standard_normal((20, 60, 3))
        self.save("start.npy", self.start)
        self.save("ends.npy", self.ends)
        self.words = ["estimate", "--start", "start.npy", "--lag", DT, "--out", "km"]

    def test_writes_what_the_definition_says(self):
        self.succeed(*self.words, "--bursts", "ends.npy")
        steps = self.ends - self.start[:, None, :]
        np.testing.assert_allclose(self.load("km/drift.npy"), steps.mean(axis=1) / DT, atol=1e-10)
        for i in range(20):
            np.testing.assert_allclose(self.load("km/diffusion.npy")[i], np.cov(steps[i].T) / (2 * DT), atol=1e-10)
        np.testing.assert_array_equal(self.load("km/counts.npy"), 60)
        np.testing.assert_array_equal(self.load("km/points.npy"), self.start)

    def test_repair_is_reported(self):
        self.save("few.npy", self.ends[:, :3])
        done = self.succeed(*self.words, "--bursts", "few.npy", "--json")
        self.assertIn("not positive definite at 20 of 20", done.stderr)
        self.assertEqual(json.loads(done.stdout)["repaired"], list(range(20)))
        self.assertGreater(np.linalg.eigvalsh(self.load("km/diffusion.npy")).min(), 0)
        self.succeed("lkd", "--points", "km/points.npy", "--drift", "km/drift.npy", "--diffusion", "km/diffusion.npy",
                     "--epsilon", "0.3", "--eigs", "2", "--quiet")

    def test_wrong_shapes(self):
        for shape in (19, 60, 3), (20, 60, 2), (20, 1, 3), (20, 61):
            self.save("bad.npy", np.zeros(shape))
            self.refuse(*self.words, "--bursts", "bad.npy", says=["bad.npy", "--bursts"])
        self.save("bad.npy", np.full((20, 60, 3), np.nan))
        self.refuse(*self.words, "--bursts", "bad.npy", says=["bad.npy", "nan"])

    def test_options_that_do_not_go_together(self):
        self.refuse("estimate", "--bursts", "ends.npy", "--lag", DT, "--out", "km", says="--bursts needs --start FILE")
        for option, value in ("radius", 1), ("neighbours", 5), ("dt", 1), ("queries", "q.npy"), ("query-count", 5):
            self.refuse(*self.words, "--bursts", "ends.npy", f"--{option}", value, says=f"--{option} does not go with --bursts")


class Aligned(CliTest):
    def test_tumbling_is_taken_out(self):
        rng = np.random.default_rng(3)
        shape = rng.standard_normal((4, 3))
        start = np.empty((10, 4, 3))
        ends = np.empty((10, 40, 12))
        for i in range(10):
            q, r = np.linalg.qr(rng.standard_normal((3, 3)))
            turn = q * np.sign(np.diag(r)) * np.sign(np.linalg.det(q * np.sign(np.diag(r))))
            start[i] = shape @ turn.T + rng.standard_normal(3)
            ends[i] = (start[i] + 0.1 * rng.standard_normal((40, 4, 3))).reshape(40, 12)
        self.save("start.npy", start)
        self.save("ends.npy", ends)
        for atoms in "all", "0,1,2":
            self.succeed("estimate", "--bursts", "ends.npy", "--start", "start.npy", "--lag", "0.1", "--align", atoms,
                         "--out", "km", "--force")
            points = self.load("km/points.npy")
            np.testing.assert_allclose(points, np.tile(points[0], (10, 1)), atol=1e-12)

    def test_wrong_atoms(self):
        self.save("run.npy", ornstein_uhlenbeck(100, 6))
        words = ["estimate", "--trajectory", "run.npy", "--dt", DT, "--lag", DT, "--radius", "1", "--out", "km"]
        for atoms in "0,1,x", "", "-1,2,3", "0,,1", "1.5":
            self.refuse(*words, f"--align={atoms}" if atoms else "--align", *([] if atoms else [""]), says="--align")
        self.refuse(*words, "--align", "all", says="2 atoms do not fix a rotation")
        self.save("run.npy", ornstein_uhlenbeck(100, 9))
        self.refuse(*words, "--align", "0,1,3", says="atom 3 does not exist")
        self.refuse(*words, "--align", "0,1,1", says="atom 1 is named twice")
        self.save("run.npy", ornstein_uhlenbeck(100, 4))
        self.refuse(*words, "--align", "all", says="not 3 per atom")


class BadTrajectory(CliTest):
    def setUp(self):
        super().setUp()
        self.save("run.npy", ornstein_uhlenbeck(500))

    def refuse_estimate(self, *words, says, trajectory="run.npy", dt=DT, lag=DT):
        self.refuse("estimate", "--trajectory", trajectory, "--dt", dt, "--lag", lag, "--out", "km", *words, says=says)

    def test_what_is_missing(self):
        self.refuse("estimate", "--lag", DT, "--out", "km", says="exactly one of --trajectory FILE and --bursts FILE")
        self.refuse("estimate", "--trajectory", "run.npy", "--dt", DT, "--radius", 1, "--out", "km", says="--lag")
        self.refuse("estimate", "--trajectory", "run.npy", "--lag", DT, "--radius", 1, "--out", "km", says="--dt T")
        self.refuse("estimate", "--trajectory", "run.npy", "--dt", DT, "--lag", DT, "--radius", 1, says="--out")

    def test_neighbourhood(self):
        one = "exactly one of --radius R and --neighbours K"
        self.refuse_estimate(says=one)
        self.refuse_estimate("--radius", 1, "--neighbours", 5, says=one)
        for radius in 0, -1, "nan", "wide":
            self.refuse_estimate("--radius", radius, says=[f"--radius {radius}", "> 0"])
        for neighbours in 0, 1, 2.5:
            self.refuse_estimate("--neighbours", neighbours, says=f"--neighbours {neighbours}")
        self.refuse_estimate("--neighbours", 500, says=["neighbours: 500", "only 499 frames"])

    def test_lag(self):
        self.refuse_estimate("--radius", 1, lag=1.5 * DT, says=["lag: 0.015", "whole number of dt"])
        self.refuse_estimate("--radius", 1, lag=0.1 * DT, says="whole number of dt")
        self.refuse_estimate("--radius", 1, lag=500 * DT, says=["lag: 500 frames", "longest trajectory has 500"])
        self.refuse_estimate("--radius", 1, lag=0, says="--lag 0")

    def test_queries(self):
        self.refuse_estimate("--radius", 1, "--query-count", 501, says=["--query-count 501", "500 frames"])
        self.save("q.npy", np.zeros((3, 2)))
        self.refuse_estimate("--radius", 1, "--query-count", 5, "--queries", "q.npy", says="exclude each other")
        self.save("q.npy", np.zeros((3, 5)))
        self.refuse_estimate("--radius", 1, "--queries", "q.npy", says=["2 coordinates", "queries have 5"])
        self.save("q.npy", np.array([[0, 0], [0, 50.0], [50, 0]]))
        self.refuse_estimate("--radius", 1, "--queries", "q.npy", says=["query 1", "no frames near it", "1 more", "radius"])
        self.save("q.npy", np.array([[0, np.nan]]))
        self.refuse_estimate("--radius", 1, "--queries", "q.npy", says=["q.npy", "nan", "row 0, column 1"])

    def test_files(self):
        self.refuse_estimate("--radius", 1, trajectory="nowhere.npy", says="nowhere.npy: no such file")
        self.save("other.npy", np.zeros((50, 3)))
        self.refuse_estimate("--radius", 1, trajectory="run.npy,other.npy",
                             says=["other.npy has 3 coordinates", "run.npy has 2"])
        bad = ornstein_uhlenbeck(500)
        bad[77, 1] = np.inf
        self.save("bad.npy", bad)
        self.refuse_estimate("--radius", 1, "--query-count", 5, trajectory="bad.npy",
                             says=["bad.npy: inf in row 77, column 1"])
        self.save("still.npy", np.zeros((50, 2)))
        self.refuse_estimate("--radius", 1, trajectory="still.npy", says=["query 0", "A = 0"])

    def test_units_whose_squares_overflow(self):
        for unit in 1e160, 1e150, 1e-100, 1e-170:
            self.save("odd.npy", unit * ornstein_uhlenbeck(500))
            self.refuse_estimate("--neighbours", 50, trajectory="odd.npy", says=["query 0", "units"])


if __name__ == "__main__":
    unittest.main()
