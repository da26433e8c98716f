"""What scripts call on fitted models."""
from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from . import _core
from ._check import real, reals, refuse_complex, whole
from ._estimators import DiffusionMap, LocalKernelDiffusionMap, TargetMeasureDiffusionMap
from ._map import Map, threads_of
from ._ranks import present_ranks
from ._report import column_names, simple_parameters
from ._types import Answer, ArrayLike, Sequence
from ._warnings import warn_of


def committor(model: Map, source: ArrayLike, sink: ArrayLike, **options: Any) -> Answer:
    """How the process of a fitted model gets from one set of points to another: see ``model.committor``."""
    return model.committor(source, sink, **options)


def cluster(model: Map, n_sets: int, method: str | None = None, **options: Any) -> Answer:
    """Metastable sets of a fitted model by ``"pcca"`` or ``"kmeans"``: see ``model.pcca``."""
    return model._cluster(n_sets, method, **options)


def save_result(model: Map, directory: str | os.PathLike[str], force: bool = False) -> None:
    """Writes a fitted model as the command line would: a directory with result.json and arrays.

    Parameters
    ----------
    model : estimator
        Fitted.
    directory : str or path
        Must not exist, unless `force`.
    force : bool
        Replaces a directory that holds an earlier result and nothing else.
    """
    _core.save(os.fspath(directory), model.map_, model.spectrum_, force=force, command="python",
               parameters=json.dumps(simple_parameters(model)), columns=column_names(model))


def load_result(directory: str | os.PathLike[str], n_jobs: int | None = None) -> Map:
    """A fitted model from a result directory of the command line, of C++ or of `save_result`.

    Parameters
    ----------
    directory : str or path
    n_jobs : int, optional
        Threads; all cores unless given.

    Returns
    -------
    DiffusionMap, TargetMeasureDiffusionMap or LocalKernelDiffusionMap
    """
    core_map, spectrum = _core.load(os.fspath(directory), threads=threads_of(n_jobs))
    kinds = {"diffusion_map": DiffusionMap, "target_measure_map": TargetMeasureDiffusionMap}
    count = spectrum.eigenvalues.size - 1 - len(spectrum.spurious)
    model = kinds.get(core_map.method, LocalKernelDiffusionMap)(n_components=count, n_jobs=n_jobs)
    stored = _parameters_of(core_map)
    model.set_params(**{name: stored[name] for name in model.get_params() if name in stored})
    model.n_features_in_ = core_map.dimension or core_map.input_points
    return model._take(core_map, spectrum)


def _parameters_of(core_map):
    """Under the names of the estimators; those of the process, which are arrays now, are not among them."""
    stored = core_map.parameters
    for name in ("bandwidth_neighbours", "bandwidth_dimension", "period", "landmarks"):
        stored[name] = stored[name] or None
    return {**stored, "bandwidth_neighbors": stored["bandwidth_neighbours"],
            "biased": core_map.method == "biased_local_kernel_map",
            "metric": "euclidean" if core_map.dimension else "precomputed"}


def scan_epsilon(X: ArrayLike, *, log_target: ArrayLike | None = None, drift: ArrayLike | None = None,
                 diffusion: ArrayLike | None = None, metric: str = "euclidean", n_modes: int = 3, n_blocks: int = 5,
                 n_jobs: int | None = None, **kernel: Any) -> Answer:
    """Which epsilon: a scan over scales with the errors of the leading time scales at each, and a recommendation.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), or distances of shape (n_samples, n_samples)
    log_target : array-like of shape (n_samples,), optional
        For TMDmap.
    drift, diffusion : array-like, optional
        For LKDmap.
    metric : {"euclidean", "precomputed"}, default="euclidean"
        What X holds.
    n_modes : int, default=3
        Modes whose time scales count.
    n_blocks : int, default=5
        Blocks of the jackknife.
    **kernel
        ``alpha``, ``cutoff``, ``period``, ``bandwidth``, ... as the estimators take them.

    Returns
    -------
    dict
        ``epsilon``, ``reason``, ``error`` and ``rows``, a list with an entry for each scale.

    Examples
    --------
    >>> import numpy as np, itomap
    >>> x = np.random.default_rng(0).uniform(-3, 3, size=(1000, 1))
    >>> scan = itomap.scan_epsilon(x, log_target=-0.5 * x[:, 0]**2)
    >>> 0.001 < scan["epsilon"] < 1
    True
    """
    if metric not in ("euclidean", "precomputed"):
        raise ValueError(f"metric: {metric!r} is neither 'euclidean' nor 'precomputed'")
    if "bandwidth_neighbors" in kernel:
        kernel["bandwidth_neighbours"] = kernel.pop("bandwidth_neighbors")
    process: Answer = {"method": "diffusion_map"}
    if log_target is not None:
        process = {"method": "target_measure_map", "log_target": reals(log_target, "log_target")}
    if drift is not None:
        diffusion = 1.0 if diffusion is None else diffusion
        process = {"method": "local_kernel_map", "drift": reals(drift, "drift"),
                   "diffusion": reals(diffusion, "diffusion")}
    refuse_complex(X, "X")
    cloud = {"distances" if metric == "precomputed" else "points": X}
    return _core.scan_scales(**cloud, modes=n_modes, blocks=n_blocks, threads=threads_of(n_jobs), ranks=present_ranks(),
                             **process, **kernel)


def estimate_dynamics(trajectory: Any, queries: ArrayLike, *, dt: float | None = None, lag: float | None = None,
                      radius: float | None = None, n_neighbors: int | None = None,
                      period: Sequence[float] | None = None, leave_out_poor: bool = False,
                      n_jobs: int | None = None) -> Answer:
    """Drift and diffusion at `queries` from one trajectory or several (Kramers-Moyal).

    Parameters
    ----------
    trajectory : array-like of shape (n_frames, n_features), a list of such, or itomap.md.Features
        Increments never reach from one to the next.
    queries : array-like of shape (n_queries, n_features)
    dt : float
        Time between two frames; features of a molecule know theirs, and their period.
    lag : float, optional
        Time of an increment, a whole number of dt; dt unless given.
    radius : float, or n_neighbors : int
        Which frames count for a query: exactly one of them.
    period : sequence of float, optional
        Of each coordinate, 0 for one that does not come back.
    leave_out_poor : bool, default=False
        Leave out queries that see too few frames instead of refusing.

    Returns
    -------
    dict
        ``points``, ``drift`` (n, N), ``diffusion`` (n, N, N), their standard errors, ``left_out``,
        ``suggested_eta``, ...

    Examples
    --------
    >>> import numpy as np, itomap
    >>> rng, x = np.random.default_rng(0), np.zeros((20000, 1))
    >>> for t in range(1, 20000):                    # dX = -X dt + sqrt(2) dW
    ...     x[t] = 0.99 * x[t - 1] + np.sqrt(0.02) * rng.normal()
    >>> estimate = itomap.estimate_dynamics(x, [[0.0]], dt=0.01, radius=0.3)
    >>> bool(abs(estimate["diffusion"][0, 0, 0] - 1.0) < 0.1)
    True
    """
    if hasattr(trajectory, "trajectories"):  # features of a molecule
        dt = trajectory.dt if dt is None else dt
        period = trajectory.period if period is None else period
        trajectory = trajectory.trajectories
    if dt is None:
        raise TypeError("dt: give the time between two frames of the trajectory")
    several = isinstance(trajectory, (list, tuple)) and len(trajectory) > 0 and np.ndim(trajectory[0]) == 2
    runs = [reals(run, "trajectory") for run in (trajectory if several else [trajectory])]
    dt = real(dt, "dt")
    result = _core.estimate_dynamics(
        runs, reals(queries, "queries"), dt, dt if lag is None else real(lag, "lag"),
        None if radius is None else real(radius, "radius"),
        None if n_neighbors is None else whole(n_neighbors, "n_neighbors"),
        [] if period is None else [real(length, "period") for length in period], bool(leave_out_poor),
        threads_of(n_jobs))
    warn_of(result.pop("warnings"))
    n = result["points"].shape[1]
    for name in ("diffusion", "diffusion_error"):
        result[name] = result[name].reshape(-1, n, n)
    return result
