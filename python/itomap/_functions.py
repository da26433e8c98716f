"""What scripts call on fitted models."""
import json
import os

import numpy as np

from . import _core
from ._estimators import DiffusionMap, LocalKernelDiffusionMap, TargetMeasureDiffusionMap
from ._map import threads_of
from ._warnings import warn_of


def committor(model, source, sink, **options):
    """How the process of a fitted model gets from one set of points to another: see ``model.committor``."""
    return model.committor(source, sink, **options)


def cluster(model, n_sets, method=None, **options):
    """Metastable sets of a fitted model by ``"pcca"`` or ``"kmeans"``: see ``model.pcca``."""
    return model._cluster(n_sets, method, **options)


def save_result(model, directory, force=False):
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
    parameters = {name: value for name, value in model.get_params().items()
                  if isinstance(value, (bool, int, float, str, type(None)))}
    _core.save(os.fspath(directory), model.map_, model.spectrum_, force=force, command="python",
               parameters=json.dumps(parameters))


def load_result(directory, n_jobs=None):
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
    model = kinds.get(core_map.method, LocalKernelDiffusionMap)(epsilon=core_map.epsilon, n_jobs=n_jobs)
    model.n_features_in_ = core_map.dimension
    return model._take(core_map, spectrum)


def scan_epsilon(X, *, log_target=None, drift=None, diffusion=None, n_modes=3, n_blocks=5, n_jobs=None, **kernel):
    """Which epsilon: a scan over scales with the errors of the leading time scales at each, and a recommendation.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    log_target : array-like of shape (n_samples,), optional
        For TMDmap.
    drift, diffusion : array-like, optional
        For LKDmap.
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
    process = {"method": "diffusion_map"}
    if log_target is not None:
        process = {"method": "target_measure_map", "log_target": np.asarray(log_target, dtype=np.float64)}
    if drift is not None:
        diffusion = 1.0 if diffusion is None else diffusion
        process = {"method": "local_kernel_map", "drift": drift, "diffusion": np.asarray(diffusion, dtype=np.float64)}
    return _core.scan_scales(points=X, modes=n_modes, blocks=n_blocks, threads=threads_of(n_jobs), **process, **kernel)


def estimate_dynamics(trajectory, queries, *, dt, lag=None, radius=None, n_neighbors=None, period=None,
                      leave_out_poor=False, n_jobs=None):
    """Drift and diffusion at `queries` from one trajectory or several (Kramers-Moyal).

    Parameters
    ----------
    trajectory : array-like of shape (n_frames, n_features), or a list of such
        Increments never reach from one to the next.
    queries : array-like of shape (n_queries, n_features)
    dt : float
        Time between two frames.
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
        ``points``, ``drift`` (n, N), ``diffusion`` (n, N, N), their standard errors, ``left_out``, ``suggested_eta``, ...

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
    several = isinstance(trajectory, (list, tuple)) and np.ndim(trajectory[0]) == 2
    result = _core.estimate_dynamics(list(trajectory) if several else [np.asarray(trajectory, dtype=np.float64)],
                                     queries, dt, dt if lag is None else lag, radius, n_neighbors,
                                     [] if period is None else list(period), leave_out_poor, threads_of(n_jobs))
    warn_of(result.pop("warnings"))
    n = result["points"].shape[1]
    for name in ("diffusion", "diffusion_error"):
        result[name] = result[name].reshape(-1, n, n)
    return result
