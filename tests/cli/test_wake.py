"""The wake of the paper on a third of its grid in each direction: seconds instead of a minute."""

import json
import os
import pathlib

import numpy as np
from support import CliTest

PAPER = pathlib.Path(__file__).parent / "../../examples/paper"
POINTS = 255


class Wake(CliTest):
    def coarse_data(self, keys=("points", "velocity", "body")):
        (self.dir / "data/wake").mkdir(parents=True)
        stored = np.load(PAPER / "wake/wake.npz")
        coarse = {key: stored[key].reshape(POINTS, POINTS, -1)[::2, ::2].reshape(128 * 128, -1) for key in keys}
        np.savez_compressed(self.dir / "data/wake/wake.npz", **coarse)

    def test_stored_flow(self):
        """Two thirds of a megabyte, 65,025 points, and next to no divergence away from the body."""
        self.assertLess(os.path.getsize(PAPER / "wake/wake.npz"), 3e6)
        stored = np.load(PAPER / "wake/wake.npz")
        self.assertEqual(stored["points"].shape, (POINTS**2, 2))
        u, v = np.moveaxis(stored["velocity"].reshape(POINTS, POINTS, 2).astype(float), 2, 0)
        far = np.s_[5:-5, 60:-5]
        divergence = (np.gradient(u, axis=1) + np.gradient(v, axis=0))[far]
        shear = np.gradient(u, axis=0)[far]
        self.assertLess(np.sqrt(np.mean(divergence**2)), 0.1 * np.sqrt(np.mean(shear**2)))

    def test_zone_and_vortices(self):
        self.coarse_data()
        self.succeed("reproduce", "wake", "--data", "data", "--out", "out", "--quiet")
        verdicts = json.loads((self.dir / "out/verdict.json").read_text())
        zone = next(v for v in verdicts if "level by 2-means" in v["quantity"])
        # One ring of the coarse cells, 8 mm, around a zone of 0.72 m x 0.28 m.
        self.assertGreater(zone["itomap"], 1 - 0.008 * 2 * (0.72 + 0.28) / (0.72 * 0.28 * 0.785))
        centres = next(v for v in verdicts if "vortex centres" in v["quantity"])
        self.assertEqual(centres["itomap"], 2)
        # nothing of the zone enters: its function is the slowest, the sets are made of the four slowest
        numbers = np.loadtxt(self.dir / "out/wake/functions.dat")
        self.assertEqual(len(numbers), 4)
        self.assertTrue((np.diff(numbers[:, 1]) < 0).all(), numbers)
        eigenvalues = np.loadtxt(self.dir / "out/wake/eigenvalues.dat")
        real = eigenvalues[(eigenvalues[:, 2] == 0) & (eigenvalues[:, 4] == 0) & (eigenvalues[:, 0] > 0), 0]
        np.testing.assert_array_equal(numbers[:, 0], real[:4])
        self.assertEqual(zone["chosen"], "the slowest function")
        self.assertEqual(centres["chosen"], "the 4 slowest functions")
        sets = np.loadtxt(self.dir / "out/wake/sets.dat")
        self.assertEqual(sets.shape, (128 * 128, 3))
        self.assertEqual(set(sets[:, 2]), {1, 2, 3, 4, 5})

    def test_points_without_a_grid(self):
        self.coarse_data()
        flow = dict(np.load(self.dir / "data/wake/wake.npz"))
        np.savez(self.dir / "data/wake/wake.npz", **{key: value[:-1] for key, value in flow.items()})
        self.refuse("reproduce", "wake", "--data", "data", "--out", "out", "--quiet", says="16383 points are no grid")


if __name__ == "__main__":
    import unittest
    unittest.main()
