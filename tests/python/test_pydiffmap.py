"""itomap.compat.pydiffmap beside numbers of the true pyDiffMap.

REFERENCE is what pyDiffMap 0.2.0.1 printed, in an interpreter that has it but not itomap, in this folder:

    python3 -c "import test_pydiffmap; from pydiffmap import diffusion_map; test_pydiffmap.show(diffusion_map)"
"""
import doctest
import importlib
import unittest
import warnings

import numpy as np

M = 2000


def circle():
    angle = np.random.default_rng(7).uniform(0, 2 * np.pi, M)
    return np.c_[np.cos(angle), np.sin(angle), 0.3 * np.sin(2 * angle)]


def square():
    return np.random.default_rng(8).uniform(-2.5, 2.5, size=(M, 2))


def gaussian(point):
    return np.exp(-0.5 * point @ point)


def answers(dm):
    """Eigenvalues, density, lengths of coordinates and coordinates of new points, for each way to make a map."""
    options = dict(n_evecs=4, epsilon=0.05, k=M)
    maps = {
        "alpha": (dm.DiffusionMap.from_sklearn(alpha=1.0, **options), circle()),
        "power": (dm.DiffusionMap.from_sklearn(alpha=0.5, oos="power", **options), circle()),
        "target": (dm.TMDmap(alpha=1.0, change_of_measure=gaussian, **options), square()),
        "target_alpha": (dm.TMDmap(alpha=0.5, change_of_measure=gaussian, **options), square()),
        "functions": (dm.DiffusionMap.from_sklearn(alpha=0.7, density_fxn=lambda x: np.exp(-0.1 * (x**2).sum(axis=1)),
                                                   weight_fxn=lambda point: 1 + point[0]**2, **options), square()),
    }
    found = {}
    for name, (model, points) in maps.items():
        model.fit(points)
        new = model.transform(1.05 * points[:2])
        found[name] = {"evals": model.evals, "q": model.q[:2], "evecs": abs(model.evecs[0]), "dmap": abs(model.dmap[0]),
                       "new": abs(new).ravel(), "L": [model.L[0, 0], model.L[5].max()],
                       "kernel": [model.kernel_matrix[0, 1], model.kernel_matrix.sum()]}
    chosen = [dm.DiffusionMap.from_sklearn(k=k).fit(square()) for k in (20, 64, 300)]
    found["bgh"] = {"epsilon": [model.epsilon_fitted for model in chosen],
          "d": [model.local_kernel.d for model in chosen]}
    return found


def show(dm):
    """As it stands in REFERENCE, but for quotes and line breaks."""
    for name, values in answers(dm).items():
        print(f"    {name!r}: {{")
        for key, numbers in values.items():
            print(f"        {key!r}: [{', '.join(f'{number:.9g}' for number in numbers)}],")
        print("    },")


REFERENCE = {
    "alpha": {
        "evals": [-0.873506378, -0.900302381, -3.10994229, -3.52250489],
        "q": [231.840118, 247.496225],
        "evecs": [0.0100569603, 0.0306022809, 0.0312632239, 0.00161555827],
        "dmap": [0.0107605308, 0.0322522188, 0.0177279124, 0.000860789231],
        "new": [0.0103251775, 0.0308824274, 0.0151224094, 0.000725016452, 0.0294848586, 0.0134300759, 0.0147114721,
                0.00409407118],
        "L": [-19.9143714, 0.0785973799],
        "kernel": [2.01223739e-06, 474599.779],
    },
    "power": {
        "evals": [-0.838671183, -0.931110358, -3.04384123, -3.58961174],
        "q": [231.840118, 247.496225],
        "evecs": [0.0100313646, 0.0309271407, 0.0322058255, 0.00176305315],
        "dmap": [0.0109537836, 0.0320508234, 0.018459649, 0.000930554187],
        "new": [0.0109933238, 0.0321463619, 0.0186574154, 0.000953619095, 0.0321104764, 0.0130424654, 0.0175151712,
                0.00512920112],
        "L": [-19.9140493, 0.0794418649],
        "kernel": [2.01223739e-06, 474599.779],
    },
    "target": {
        "evals": [-0.964780857, -0.973377698, -1.87704457, -2.07287241],
        "q": [22.9238566, 59.4183086],
        "evecs": [0.0374295023, 0.00780772861, 0.0221301736, 0.00561839272],
        "dmap": [0.0381065572, 0.00791378074, 0.0161527893, 0.0039023463],
        "new": [0.037021633, 0.00851987786, 0.0161292296, 0.00476565745, 0.0281221169, 0.010239994, 0.0117107558,
                0.00214377399],
        "L": [-18.8694666, 0.372805914],
        "kernel": [0.00711799586, 95019.0487],
    },
    "target_alpha": {
        "evals": [-0.997195776, -1.05821099, -2.02214849, -2.21876883],
        "q": [22.9238566, 59.4183086],
        "evecs": [0.0363726809, 0.0153422385, 0.0205362655, 0.00608827042],
        "dmap": [0.036423787, 0.0149142904, 0.0144415879, 0.00408731309],
        "new": [0.035161663, 0.0151265246, 0.0142770323, 0.00492230165, 0.0271153966, 0.0151518378, 0.0111028239,
                0.00357778733],
        "L": [-19.1428555, 0.379509233],
        "kernel": [0.00711799586, 95019.0487],
    },
    "functions": {
        "evals": [-0.0453555638, -0.315830263, -0.426875382, -1.58407608],
        "q": [0.512505781, 0.748027437],
        "evecs": [0.0227103129, 0.0440104022, 0.00677134075, 0.0423382001],
        "dmap": [0.106636979, 0.0783120272, 0.0103639215, 0.0336391004],
        "new": [0.109867941, 0.0784183057, 0.0114740602, 0.0323593358, 0.108115713, 0.0685332088, 0.00936866843,
                0.012841281],
        "L": [-19.1460225, 0.339324934],
        "kernel": [0.00711799586, 95019.0487],
    },
    "bgh": {
        "epsilon": [0.00390625, 0.0078125, 0.015625],
        "d": [1, 2, 2],
    },
}


class Quiet(unittest.TestCase):
    def setUp(self):
        # Here and not on top: the references are made where there is no itomap.
        from itomap.compat.pydiffmap import diffusion_map
        self.dm = diffusion_map
        context = warnings.catch_warnings()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        warnings.simplefilter("ignore")


class SameNumbers(Quiet):
    def test_all_that_pydiffmap_gives(self):
        for name, values in answers(self.dm).items():
            for key, numbers in values.items():
                with self.subTest(name=name, of=key):
                    np.testing.assert_allclose(numbers, REFERENCE[name][key], rtol=1e-6, atol=1e-9)

    def test_eigenpairs_are_of_the_matrix_l(self):
        model = self.dm.TMDmap(alpha=0.5, n_evecs=3, epsilon=0.1, k=M, change_of_measure=gaussian).fit(square())
        np.testing.assert_allclose(model.L @ model.evecs, model.evecs * model.evals, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(model.evecs, axis=0), 1)
        np.testing.assert_allclose(model.dmap, model.evecs / np.sqrt(-model.evals))
        np.testing.assert_array_equal(model.transform(square()), model.dmap)
        self.assertEqual(model.transform(np.zeros(2)).shape, (1, 3))

    def test_a_map_without_eigenpairs(self):
        model = self.dm.DiffusionMap.from_sklearn(epsilon=0.1, k=M).construct_Lmat(square())
        self.assertLess(abs(model.L.sum(axis=1)).max(), 1e-9)
        self.assertFalse(hasattr(model, "evals"))


class WhatIsDifferent(Quiet):
    def test_k_does_not_cut_the_kernel_and_that_is_said_once(self):
        few, all_of_them = (self.dm.DiffusionMap.from_sklearn(n_evecs=2, epsilon=0.05, k=k) for k in (20, M))
        self.dm._warn_of_neighbours.cache_clear()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            all_of_them.fit(circle())
            self.assertEqual(caught, [])
            few.fit(circle())
            few.fit(circle())
        self.assertEqual([str(warning.message)[:2] for warning in caught], ["k:"])
        self.assertEqual(caught[0].filename, __file__)
        np.testing.assert_array_equal(few.evals, all_of_them.evals)

    def test_walls_are_told_of_at_the_users_line(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.dm.DiffusionMap.from_sklearn(epsilon=0.05, k=M).fit(square())
        self.assertEqual([warning.category.__name__ for warning in caught], ["BoundaryWarning"])
        self.assertEqual(caught[0].filename, __file__)

    def test_what_cannot_be_had_is_refused_in_one_line(self):
        make = self.dm.DiffusionMap.from_sklearn
        x = np.r_[square()[:100], square()[:100] + 50]
        cases = [
            ("metric", lambda: make(metric="minkowski")),
            ("metric", lambda: make(metric=lambda x, y: abs(x - y).max())),
            ("metric_params", lambda: make(metric_params={"p": 1})),
            ("bandwidth_type", lambda: make(bandwidth_type=-0.5)),
            ("kernel_type", lambda: make(kernel_type="exponential")),
            ("epsilon", lambda: make(epsilon="best")),
            ("neighbor_params", lambda: make(neighbor_params={"metric": "cosine"})),
            ("oos", lambda: make(oos="nearest")),
            ("change_of_measure", lambda: self.dm.TMDmap()),
            ("weight_fxn", lambda: make(epsilon=0.1, weight_fxn=lambda point: 0.0).fit(x)),
            ("density_fxn", lambda: make(epsilon=0.1, density_fxn=lambda points: np.ones((7, 1))).fit(x)),
            ("2 parts", lambda: make(epsilon=1.0).fit(x)),
        ]
        for word, call in cases:
            with self.subTest(word=word), self.assertRaises(ValueError) as caught:
                call()
            self.assertIn(word, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaisesRegex(TypeError, "kernel_object"):
            self.dm.DiffusionMap(object())

    def test_points_out_of_sight_are_nan_with_a_warning(self):
        for oos in ("nystroem", "power"):
            model = self.dm.DiffusionMap.from_sklearn(epsilon=0.05, k=M, oos=oos).fit(square())
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                new = model.transform([[100.0, 100.0], [0.0, 0.0]])
            self.assertEqual(np.isnan(new[:, 0]).tolist(), [True, False])
            self.assertIn("1 of 2 points", str(caught[0].message))


class Helpers(Quiet):
    def test_docstrings(self):
        for name in ("diffusion_map", "kernel", "utils"):
            with self.subTest(name=name):
                failed, tried = doctest.testmod(importlib.import_module(f"itomap.compat.pydiffmap.{name}"))
                self.assertEqual(failed, 0)
                self.assertGreater(tried, 0)

    def test_pictures(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        from itomap.compat.pydiffmap.visualization import data_plot, embedding_plot
        model = self.dm.DiffusionMap.from_sklearn(n_evecs=3, epsilon=0.2, k=M).fit(circle())
        for draw in (embedding_plot, data_plot):
            for dim in (2, 3):
                figure = draw(model, dim=dim, scatter_kwargs={"s": 4}, show=False)
                self.assertEqual(len(figure.axes[0].collections[0].get_offsets()), M)
                matplotlib.pyplot.close(figure)
        with self.assertRaisesRegex(ValueError, "dim"):
            embedding_plot(model, dim=4, show=False)


if __name__ == "__main__":
    unittest.main()
