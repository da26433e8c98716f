"""itomap committor: what it writes, and what it refuses."""

import json
import unittest

import numpy as np
from support import CliTest

FILES = ["committor.json", "committor.npy", "flux.npy", "passage_times.npy"]


def well(m=400, seed=1):
    """Points spread evenly over the double well (x^2 - 1)^2 + y^2, and log pi at beta = 2."""
    points = np.random.default_rng(seed).uniform([-1.6, -1.2], [1.6, 1.2], (m, 2))
    x, y = points.T
    return points, -2 * ((x**2 - 1) ** 2 + y**2)


class Committor(CliTest):
    def setUp(self):
        super().setUp()
        self.points, log_target = well()
        self.save("points.npy", self.points)
        self.save("log_target.npy", log_target)
        self.left = self.points[:, 0] < -1
        self.right = self.points[:, 0] > 1
        self.save("left.npy", self.left)
        self.save("right.npy", self.right)
        self.succeed("tmd", "--points", "points.npy", "--log-target", "log_target.npy", "--epsilon", "0.02",
                     "--eigs", "4", "--out", "result", "--quiet")

    def committor(self, *words, source="left.npy", sink="right.npy"):
        return ("committor", "--result", "result", "--source", source, "--sink", sink, *words)

    def refuse_sets(self, source, sink, says):
        self.refuse(*self.committor(source=source, sink=sink), says=says)

    def test_files_go_into_the_result_directory(self):
        before = set(self.files("result"))
        text = self.succeed(*self.committor()).stdout
        for part in "rate", "source to sink", "forward committor", "Written to result":
            self.assertIn(part, text)
        after = set(self.files("result"))
        self.assertEqual(sorted(after - before), FILES)

    def test_values(self):
        facts = self.json_of(*self.committor())
        q, times, flux = (self.load(f"result/{name}.npy") for name in ("committor", "passage_times", "flux"))
        self.assertTrue((q[self.left] == 0).all() and (q[self.right] == 1).all())
        between = ~(self.left | self.right)
        self.assertTrue((q[between] > 0).all() and (q[between] < 1).all())
        # By symmetry of the well q is 1/2 where x is 0, up to the noise of 400 points.
        self.assertLess(abs(np.median(q[abs(self.points[:, 0]) < 0.1]) - 0.5), 0.15)
        self.assertEqual(times.shape, (400, 2))
        self.assertTrue((times[self.right, 0] == 0).all() and (times[self.left, 1] == 0).all())
        self.assertTrue(facts["converged"])
        np.testing.assert_allclose(flux.sum(), facts["flux"], rtol=1e-5)
        np.testing.assert_allclose(facts["flux_into_sink"], facts["flux"], rtol=1e-5)
        phi = self.load("result/stationary.npy")
        np.testing.assert_allclose(facts["rate"], facts["flux"] / (phi @ (1 - q)), rtol=1e-5)
        mean = phi[self.left] @ times[self.left, 0] / phi[self.left].sum()
        np.testing.assert_allclose(facts["passage_times"]["source_to_sink"], mean, rtol=1e-9)
        for solve in facts["solves"]:
            self.assertEqual(solve["status"], "converged")
            self.assertLess(solve["residual"], 1e-8)

    def test_json_is_what_is_written(self):
        printed = self.succeed(*self.committor("--json")).stdout
        self.assertEqual(printed, (self.dir / "result/committor.json").read_text())

    def test_quiet(self):
        done = self.succeed(*self.committor("--quiet"))
        self.assertEqual(done.stdout + done.stderr, "")

    def test_all_kinds_of_sets_are_the_same(self):
        indices = np.flatnonzero(self.left)
        self.succeed(*self.committor("--out", "expected"))
        expected = self.load("expected/committor.npy")
        np.savetxt(self.dir / "indices.csv", indices, fmt="%d")
        np.savetxt(self.dir / "mask.txt", self.left, fmt="%d")
        np.savez(self.dir / "sets.npz", left=indices)
        files = ["indices.csv", "mask.txt", "sets.npz:left",
                 self.save("mask_float.npy", self.left.astype(float)), self.save("mask_int.npy", self.left.astype("u1")),
                 self.save("twice.npy", np.r_[indices, indices[::-1]])]
        for dtype in "i2", "i8", "u4", ">i4", "f4", "f8":
            files.append(self.save(f"{dtype.strip('>')}.npy", indices.astype(dtype)))
        for file in files:
            with self.subTest(file):
                self.succeed(*self.committor("--out", "other", "--force", source=file))
                np.testing.assert_array_equal(self.load("other/committor.npy"), expected)

    def test_out(self):
        self.succeed(*self.committor("--out", "passage"))
        self.assertEqual(self.files("passage"), FILES)
        self.assertFalse((self.dir / "result/committor.json").exists())
        self.refuse(*self.committor("--out", "passage"), says="'passage' exists")

    def test_an_earlier_answer_is_replaced_on_request_only(self):
        self.succeed(*self.committor())
        self.refuse(*self.committor(), says=["committor.json exists", "--force"])
        first = self.load("result/committor.npy")
        self.succeed(*self.committor("--force", source="right.npy", sink="left.npy"))
        np.testing.assert_allclose(self.load("result/committor.npy"), 1 - first, atol=1e-6)

    def test_not_reversible(self):
        x, y = self.points.T
        gradient = np.column_stack([4 * x * (x**2 - 1), 2 * y])
        self.save("drift.npy", -2 * (gradient + gradient[:, ::-1] * [-1, 1]))
        self.succeed("lkd", "--points", "points.npy", "--drift", "drift.npy", "--diffusion", "1", "--epsilon", "0.02",
                     "--eigs", "4", "--out", "swirl", "--quiet")
        facts = self.json_of("committor", "--result", "swirl", "--source", "left.npy", "--sink", "right.npy")
        self.assertFalse(facts["reversible"])
        self.assertTrue(facts["converged"], facts)
        forward, backward = self.load("swirl/committor.npy"), self.load("swirl/backward_committor.npy")
        self.assertTrue((backward[self.left] == 1).all() and (backward[self.right] == 0).all())
        self.assertGreater(abs(forward + backward - 1).max(), 0.05)
        np.testing.assert_allclose(facts["flux_into_sink"], facts["flux"], rtol=1e-4)

    def test_points_that_were_left_out(self):
        self.save("more.npy", np.r_[self.points, [[50.0, 50.0]]])
        self.save("more_log.npy", np.r_[well()[1], -1.0])
        self.succeed("tmd", "--points", "more.npy", "--log-target", "more_log.npy", "--epsilon", "0.02", "--eigs", "4",
                     "--drop-isolated", "--out", "dropped", "--quiet")
        self.save("with_outlier.npy", np.r_[np.flatnonzero(self.left), 400])
        self.save("outlier.npy", [400])
        words = ("committor", "--result", "dropped", "--sink")
        right = self.save("right_numbers.npy", np.flatnonzero(self.right))
        done = self.succeed(*words, right, "--source", "with_outlier.npy")
        self.assertIn("not in the map", done.stderr)
        q = self.load("dropped/committor.npy")
        self.assertTrue(np.isnan(q[400]) and np.isfinite(q[:400]).all())
        self.refuse(*words, right, "--source", "outlier.npy", "--force", says=["--source", "left out of the map"])

    def test_components_without_sets(self):
        self.save("far.npy", np.r_[self.points, self.points[:50] + 100])
        self.save("far_log.npy", np.zeros(450))
        self.succeed("tmd", "--points", "far.npy", "--log-target", "far_log.npy", "--epsilon", "0.02", "--eigs", "4",
                     "--out", "far", "--quiet")
        done = self.succeed("committor", "--result", "far", "--source", self.save("a.npy", np.flatnonzero(self.left)),
                            "--sink", self.save("b.npy", np.flatnonzero(self.right)), "--json")
        self.assertIn("hold neither source nor sink", done.stderr)
        facts = json.loads(done.stdout)
        q = self.load("far/committor.npy")
        self.assertEqual(np.isnan(q[400:]).sum() + np.isnan(q[:400]).sum(), facts["undefined_points"])
        self.assertGreaterEqual(facts["undefined_points"], 50)

    def source_with_a_pair(self, far, log_target):
        """Two more points at x = -far, in the source; what committor says, its table and its warnings."""
        points = np.r_[self.points, [[-far, 0], [-far - 0.05, 0]]]
        self.save("more.npy", points)
        self.save("more_log.npy", np.r_[well()[1], [log_target] * 2])
        self.succeed("tmd", "--points", "more.npy", "--log-target", "more_log.npy", "--epsilon", "0.02", "--eigs", "4",
                     "--out", "pair", "--force", "--quiet")
        sets = ("--source", self.save("a.npy", points[:, 0] < -1), "--sink", self.save("b.npy", points[:, 0] > 1))
        words = ("committor", "--result", "pair", *sets, "--force")
        done = self.succeed(*words)
        return self.json_of(*words), done.stdout, done.stderr

    def test_points_that_cannot_arrive(self):
        self.succeed(*self.committor())
        expected = json.loads((self.dir / "result/committor.json").read_text())
        for log_target in 0, -800:  # of ordinary weight, and of none that a double can hold
            facts, table, told = self.source_with_a_pair(50, log_target)
            count = self.left.sum() + 2
            self.assertEqual(facts["cannot_arrive"], {"source_points": 2, "sink_points": 0})
            self.assertIn(f"from 2 of {count} points the sink cannot be reached", told)
            self.assertIn(f"without the 2 of {count} points that cannot arrive", table)
            self.assertNotIn("inf", table)
            for kind in "passage_times", "inverse_rates":
                for way in "source_to_sink", "sink_to_source":
                    np.testing.assert_allclose(facts[kind][way], expected[kind][way], rtol=1e-6)

    def test_both_definitions_of_a_passage_time_are_named(self):
        facts, table, _ = self.source_with_a_pair(50, 0)
        np.testing.assert_allclose(facts["inverse_rates"]["source_to_sink"], 1 / facts["rate"])
        np.testing.assert_allclose(facts["inverse_rates"]["sink_to_source"], 1 / facts["reverse_rate"])
        self.assertIn("entrance", facts["inverse_rates"]["definition"])
        self.assertIn("by stationary weight", facts["passage_times"]["definition"])
        self.assertIn("1 / rate", table)
        self.assertIn("mean first passage time from within the source, by stationary weight", table)

    def test_points_that_hardly_arrive(self):
        facts, _, told = self.source_with_a_pair(2.6, -3)
        self.assertEqual(facts["cannot_arrive"]["source_points"], 0)
        self.assertGreater(facts["passage_times"]["source_to_sink"], 10 * facts["inverse_rates"]["source_to_sink"])
        self.assertIn("source to sink: 2 of", told)
        self.assertIn("hardly connected", told)

    def test_the_status_follows_the_tolerance(self):
        self.save("steep.npy", 10 * well()[1])
        self.succeed("tmd", "--points", "points.npy", "--log-target", "steep.npy", "--epsilon", "0.02", "--eigs", "4",
                     "--out", "steep", "--quiet")
        words = ("committor", "--result", "steep", "--source", "left.npy", "--sink", "right.npy", "--json", "--force")
        done = self.succeed(*words)
        facts = json.loads(done.stdout)
        for solve in facts["solves"]:
            self.assertEqual(solve["status"] == "converged", solve["residual"] <= 1e-8, solve)
        self.assertFalse(facts["converged"])
        limited = [solve for solve in facts["solves"] if solve["status"] == "limited by rounding"]
        self.assertEqual([solve["system"] for solve in limited], ["time to sink", "time to source"])
        self.assertIn(f"time to sink: residual {limited[0]['residual']:.1e} where 1.0e-08 was asked for", done.stderr)
        self.assertTrue(json.loads(self.succeed(*words, "--tolerance", "1e-4").stdout)["converged"])

    def test_wrong_sets(self):
        self.refuse_sets("left.npy", "left.npy", ["both hold point", "must not overlap"])
        self.refuse_sets(self.save("none.npy", np.zeros(400, bool)), "right.npy", ["none.npy", "holds no point"])
        self.refuse_sets(self.save("empty.npy", np.zeros(0, int)), "right.npy", "empty.npy")
        self.refuse_sets("left.npy", self.save("beyond.npy", [3, 400]), ["beyond.npy", "no point 400", "0 to 399"])
        self.refuse_sets("left.npy", self.save("negative.npy", [3, -1]), ["negative.npy", "no point -1"])
        self.refuse_sets(self.save("short.npy", self.left[:-1]), "right.npy", ["short.npy", "399", "400 points"])
        self.refuse_sets(self.save("two.npy", np.array([True, False])), "right.npy", ["two.npy", "2 entries", "400 points"])
        self.refuse_sets(self.save("half.npy", [1.0, 2.5]), "right.npy", ["half.npy", "2.5", "not a whole number"])
        self.refuse_sets(self.save("nan.npy", [1.0, np.nan]), "right.npy", ["nan.npy", "not a whole number"])
        self.refuse_sets(self.save("complex.npy", [1j]), "right.npy", ["complex.npy", "complex128"])
        self.refuse_sets("missing.npy", "right.npy", "missing.npy")

    def test_wrong_result(self):
        self.refuse("committor", "--result", "nowhere", "--source", "left.npy", "--sink", "right.npy", says="nowhere")
        (self.dir / "other").mkdir()
        self.refuse("committor", "--result", "other", "--source", "left.npy", "--sink", "right.npy",
                    says=["other", "not a result directory"])

    def test_wrong_options(self):
        self.refuse("committor", "--result", "result", "--source", "left.npy", says="--sink")
        self.refuse(*self.committor("--tolerance", "0"), says="--tolerance")
        self.refuse(*self.committor("--epsilon", "1"), says="committor has no option --epsilon")


if __name__ == "__main__":
    unittest.main()
