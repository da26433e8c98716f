"""Maps from distances instead of points: metric="precomputed"."""
import os
import pathlib
import pickle
import subprocess
import tempfile
import unittest
import warnings

import numpy as np
from scipy.sparse import save_npz
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.neighbors import kneighbors_graph, radius_neighbors_graph

import itomap

ITOMAP = os.path.abspath(os.environ["ITOMAP"]) if "ITOMAP" in os.environ else None  # it runs in folders of its own


def circle(count, seed=0):
    angle = np.random.default_rng(seed).uniform(0, 2 * np.pi, count)
    return np.c_[np.cos(angle), np.sin(angle)]


X = circle(600)
D = cdist(X, X)
OPTIONS = {"n_components": 4, "epsilon": 0.02}


class Precomputed(unittest.TestCase):
    def assert_same(self, one, other, rtol=1e-9):
        np.testing.assert_allclose(one.eigenvalues_, other.eigenvalues_, rtol=rtol, atol=1e-10)
        np.testing.assert_allclose(one.stationary_, other.stationary_, rtol=rtol)

    def test_same_as_from_points(self):
        for bandwidth in (0.0, 0.5):
            points = itomap.DiffusionMap(alpha=1.0, engine="sparse", bandwidth=bandwidth, **OPTIONS).fit(X)
            distances = itomap.DiffusionMap(alpha=1.0, metric="precomputed", bandwidth=bandwidth, **OPTIONS).fit(D)
            self.assert_same(points, distances)

    def test_tmd_and_new_points(self):
        log_target = X[:, 0]
        points = itomap.TMDmap(engine="sparse", **OPTIONS).fit(X, log_target=log_target)
        distances = itomap.TMDmap(metric="precomputed", **OPTIONS).fit(D, log_target=log_target)
        self.assert_same(points, distances)
        new = circle(50, seed=1)
        signs = np.sign((points.embedding_ * distances.embedding_).sum(axis=0))
        np.testing.assert_allclose(points.transform(new), signs * distances.transform(cdist(new, X)), rtol=1e-6,
                                   atol=1e-8)

    def test_lists_hold_what_is_near(self):
        dense = itomap.DiffusionMap(metric="precomputed", **OPTIONS).fit(D)
        graph = radius_neighbors_graph(X, 1.5, mode="distance")
        sparse = itomap.DiffusionMap(metric="precomputed", **OPTIONS).fit(graph)
        self.assert_same(dense, sparse)
        new = cdist(circle(20, seed=2), X)
        new[new > 1.5] = np.inf
        np.testing.assert_allclose(dense.transform(new), sparse.transform(new), atol=1e-6)

    def test_one_sided_lists_are_completed_and_short_ones_warned_of(self):
        graph = kneighbors_graph(X, 30, mode="distance")
        self.assertGreater(abs(graph - graph.T).nnz, 0)
        with self.assertWarnsRegex(itomap.ItomapWarning, "lists of distances end where the kernel is still"):
            model = itomap.DiffusionMap(metric="precomputed", **OPTIONS).fit(graph)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = itomap.DiffusionMap(metric="precomputed", **OPTIONS).fit(graph.maximum(graph.T))
        self.assert_same(model, other)

    def test_scale_of_lists_stays_where_they_reach(self):
        graph = kneighbors_graph(X, 60, mode="distance")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = itomap.DiffusionMap(n_components=2, alpha=1.0, metric="precomputed").fit(graph)
        np.testing.assert_allclose(model.eigenvalues_[1:], [-1, -1], rtol=0.15)

    def test_bits_of_a_result_directory(self):
        for distances in (D, radius_neighbors_graph(X, 1.0, mode="distance")):
            model = itomap.DiffusionMap(metric="precomputed", **OPTIONS).fit(distances)
            with tempfile.TemporaryDirectory() as folder:
                itomap.save_result(model, pathlib.Path(folder) / "r")
                loaded = itomap.load_result(pathlib.Path(folder) / "r")
            self.assertEqual(loaded.metric, "precomputed")
            np.testing.assert_array_equal(model.eigenfunctions_, loaded.eigenfunctions_)
            again = pickle.loads(pickle.dumps(model))
            np.testing.assert_array_equal(again.transform(D[:5]), model.transform(D[:5]))
            np.testing.assert_array_equal(loaded.transform(D[:5]), model.transform(D[:5]))

    @unittest.skipUnless(ITOMAP, "the command line is not built")
    def test_same_bits_as_the_command_line(self):
        graph = radius_neighbors_graph(X, 1.0, mode="distance")
        with tempfile.TemporaryDirectory() as folder:
            np.save(folder + "/d.npy", D)
            save_npz(folder + "/d.npz", graph)
            for name, distances in (("d.npy", D), ("d.npz", graph)):
                subprocess.run([ITOMAP, "dmap", "--distances", name, "--epsilon", "0.02", "--eigs", "4", "--out", "r",
                                "--force", "--quiet"], cwd=folder, check=True)
                model = itomap.DiffusionMap(metric="precomputed", **OPTIONS).fit(distances)
                np.testing.assert_array_equal(np.load(folder + "/r/eigenfunctions.npy"), model.eigenfunctions_)

    def test_error_bars_sets_and_committors(self):
        model = itomap.DiffusionMap(metric="precomputed", **OPTIONS).fit(D)
        points = itomap.DiffusionMap(engine="sparse", **OPTIONS).fit(X)
        np.testing.assert_allclose(model.error_bars(4)["noise"], points.error_bars(4)["noise"], rtol=1e-5, atol=1e-9)
        left, right = np.flatnonzero(X[:, 0] < -0.9), np.flatnonzero(X[:, 0] > 0.9)
        np.testing.assert_allclose(model.committor(left, right)["forward"], points.committor(left, right)["forward"],
                                   atol=1e-6)
        self.assertEqual(np.unique(model.kmeans(3)["labels"]).size, 3)

    def test_points_that_no_other_can_see(self):
        far = D.copy()
        far[7, :] = far[:, 7] = np.inf
        far[7, 7] = 0
        model = itomap.DiffusionMap(metric="precomputed", drop_isolated=True, **OPTIONS)
        with self.assertWarnsRegex(itomap.ItomapWarning, "left out"):
            model.fit(far)
        self.assertTrue(np.isnan(model.eigenfunctions_[7]).all())
        self.assertTrue(np.isfinite(model.transform(D[:3])).all())

    def test_what_are_no_distances(self):
        asymmetric, negative, unknown, diagonal = (D.copy() for _ in range(4))
        asymmetric[3, 5] *= 2
        negative[3, 5] = negative[5, 3] = -1
        unknown[3, 5] = np.nan
        diagonal[4, 4] = 1
        model = itomap.DiffusionMap(metric="precomputed", **OPTIONS)
        for wrong, words in ((asymmetric, "from point 3 to 5, but"), (negative, "-1 in row 3, column 5"),
                             (unknown, "nan in row 3, column 5"), (diagonal, "point 4 to itself"),
                             (D[:, :5], "600 x 5")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                model.fit(wrong)
        for options, words in (({"period": [1.0]}, "period"), ({"engine": "grid"}, "engine"),
                               ({"metric": "cosine"}, "metric")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                itomap.DiffusionMap(**{"metric": "precomputed", **OPTIONS, **options}).fit(D)

    def test_a_distance_of_sets(self):
        """Jaccard distances: no coordinates at all. Sets along a line, each like its neighbours."""
        members = np.abs(np.arange(200)[:, None] - np.arange(240)[None, :] + 20) < 20
        jaccard = squareform(pdist(members, "jaccard"))
        model = itomap.DiffusionMap(n_components=2, epsilon=0.05, metric="precomputed").fit(jaccard)
        slowest = model.embedding_[:, 0]
        self.assertGreater(abs(np.corrcoef(slowest, np.arange(200))[0, 1]), 0.95)


if __name__ == "__main__":
    unittest.main()
