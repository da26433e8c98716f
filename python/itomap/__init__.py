"""Generators of Itô diffusions from point clouds, and what is read off them.

Three scikit-learn estimators, one for each map:

    DiffusionMap                 the process that the sampling density dictates
    TargetMeasureDiffusionMap    the overdamped Langevin process of any target density (TMDmap)
    LocalKernelDiffusionMap      any drift b(x) and diffusion A(x) (LKDmap)

>>> import numpy as np, itomap
>>> x = np.random.default_rng(1).uniform(-3.5, 3.5, size=(4000, 2))
>>> model = itomap.TargetMeasureDiffusionMap(n_components=3, epsilon=0.03).fit(x, log_target=-0.5 * (x**2).sum(axis=1))
>>> model.eigenvalues_.round(0)                  # of the Ornstein-Uhlenbeck process
array([ 0., -1., -1., -2.])
"""
from ._core import NumericalError, __version__, has_report
from ._estimators import DiffusionMap, LocalKernelDiffusionMap, TargetMeasureDiffusionMap
from ._functions import cluster, committor, estimate_dynamics, load_result, save_result, scan_epsilon
from ._generator import Generator
from ._ranks import shared
from ._warnings import BoundaryWarning, ConvergenceWarning, ItomapWarning, SpuriousModeWarning

TMDmap = TargetMeasureDiffusionMap
LKDmap = LocalKernelDiffusionMap

__all__ = [
    "BoundaryWarning", "ConvergenceWarning", "DiffusionMap", "Generator", "ItomapWarning", "LKDmap",
    "LocalKernelDiffusionMap", "NumericalError", "SpuriousModeWarning", "TMDmap", "TargetMeasureDiffusionMap",
    "__version__", "cluster", "committor", "estimate_dynamics", "has_report", "load_result", "save_result",
    "scan_epsilon", "shared",
]
