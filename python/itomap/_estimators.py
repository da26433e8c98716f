"""The three maps as scikit-learn estimators."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._check import reals
from ._map import Map, cloud_of, points_of
from ._types import ArrayLike, Epsilon, FunctionOfPoints, Progress, Seed, Sequence

_COMMON = """
    n_components : int, default=10
        Eigenpairs beyond the first, slowest first; modes that live on a handful of points come on top and are flagged.
    epsilon : float, "auto" or "steepest", default="auto"
        {epsilon} ``"auto"`` balances bias and noise of the leading time scales.
    engine : {{"auto", "sparse", "grid", "dense", "landmarks"}}, default="auto"
        How the kernel is held: ``"sparse"`` stored, ``"grid"`` by a fast Gauss transform (at most three coordinates),
        ``"dense"`` recomputed in every product; ``"landmarks"`` interpolated, approximate, for millions of points
        in many dimensions; ``"auto"`` takes the cheapest that fits into the memory.
    cutoff : float, default=1e-8
        Kernel entries below it are left out.
    period : sequence of float, optional
        Length of one period of each coordinate, 0 for one that is not periodic.
    bandwidth : float, default=0
        0: the same kernel everywhere; up to 1: wider where points are rare.
    bandwidth_neighbors, bandwidth_dimension : int, optional
        Neighbours that tell how rare points are, and dimension of the manifold; found in the data unless given.
    normalization : {{"paper", "bistochastic"}}, default="paper"
        ``"bistochastic"`` reflects the process at walls, where the points end and the invariant density does not; a
        `BoundaryWarning` says so where it matters.
    drop_isolated : bool, default=False
        Leave out points that no other point can see; their rows are NaN.
    single_precision : bool, default=False
        Stored kernel entries take half the memory.
    landmarks : int, optional
        Places that ``engine="landmarks"`` interpolates between; unless given, doubled until ``landmark_error`` is
        reached.
    landmark_error : float, default=0.02
        Of the mean squared step of a row, as ``plan_["step_error"]`` has it; rates are off by about half as much.
    diffusion_time : float, default=1
        Of the embedding: coordinates are exp(lambda_n t) psi_n.
    tolerance : float, default=1e-9
        On the residual of each eigenpair of the transition matrix.
    max_products : int, default=20000
        Products with the kernel after which the eigensolver gives up, with a `ConvergenceWarning`.
    spurious_error : float, default=0.3
        A mode is flagged as spurious if 1 / sqrt(n), for the n points that it lives on, is larger.
    memory : int, optional
        Bytes that kernel and eigenvectors may take.
    n_jobs : int, optional
        Threads; all cores unless given. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        Of the eigensolver's start vectors.
    progress : bool or callable, default=None
        True: bars, by tqdm if it is there. A function is called a few times a second with (stage, fraction, detail),
        and stops the fit if it returns False.
"""

_ATTRIBUTES = """
    Attributes
    ----------
    eigenvalues_ : ndarray
        lambda_0 = 0 first; complex if the process is irreversible and has complex pairs.
    eigenfunctions_, left_eigenfunctions_ : ndarray of shape (n_samples, n_eigenvalues)
        Right functions, and the measures biorthonormal to them.
    timescales_ : ndarray
        -1 / Re lambda_n.
    stationary_ : ndarray of shape (n_samples,)
        Weights of the points in averages over the invariant measure.
    density_ : ndarray of shape (n_samples,)
        Kernel density estimate.
    embedding_ : ndarray of shape (n_samples, n_components)
        Diffusion coordinates.
    epsilon_ : float
    residuals_, converged_, spurious_ : of each eigenpair
    diagnostics_ : dict
        Components, isolated points and whatever else one should know before trusting the result.
    generator_ : Generator
        Backward and forward generator and transition matrix as SciPy operators.
"""


def _documented(epsilon):
    def decorate(kind):
        kind.__doc__ = kind.__doc__.replace("{common}", _COMMON.format(epsilon=epsilon).strip("\n")).replace(
            "{attributes}", _ATTRIBUTES.strip("\n"))
        return kind
    return decorate


@_documented("A squared length.")
class DiffusionMap(Map):
    """The standard diffusion map: the process that the sampling density q dictates.

    The generator approximates Laplacian f + (2 - 2 alpha) grad f . grad log q.

    Parameters
    ----------
{common}
    alpha : float, default=0.5
        1: the Laplace-Beltrami operator; 1/2: overdamped Langevin dynamics of the sampling density.
    metric : {"euclidean", "precomputed"}, default="euclidean"
        With ``"precomputed"``, `fit` takes the distances of the points to each other, a symmetric array or a sparse
        matrix of those that are known (all others are too far to be seen), and `transform` those of new points to
        them, one row for each.

{attributes}

    Examples
    --------
    >>> import numpy as np, itomap
    >>> angle = np.random.default_rng(0).uniform(0, 2 * np.pi, 2000)
    >>> x = np.c_[np.cos(angle), np.sin(angle)]
    >>> model = itomap.DiffusionMap(n_components=4, epsilon=0.01, alpha=1.0).fit(x)
    >>> model.eigenvalues_.round(0)              # of the circle: 0 -1 -1 -4 -4
    array([ 0., -1., -1., -4., -4.])
    """

    def __init__(self, n_components: int = 10, *, epsilon: Epsilon = "auto", alpha: float = 0.5,
                 metric: str = "euclidean", engine: str = "auto", cutoff: float = 1e-8,
                 period: Sequence[float] | None = None, bandwidth: float = 0.0, bandwidth_neighbors: int | None = None,
                 bandwidth_dimension: int | None = None, normalization: str = "paper", drop_isolated: bool = False,
                 single_precision: bool = False, landmarks: int | None = None, landmark_error: float = 0.02,
                 diffusion_time: float = 1.0, tolerance: float = 1e-9, max_products: int = 20000,
                 spurious_error: float = 0.3, memory: int | None = None, n_jobs: int | None = None,
                 random_state: Seed = 0, progress: bool | Progress | None = None) -> None:
        super().__init__(n_components, epsilon, engine, cutoff, period, bandwidth, bandwidth_neighbors,
                         bandwidth_dimension, normalization, drop_isolated, single_precision, landmarks, landmark_error,
                         diffusion_time, tolerance, max_products, spurious_error, memory, n_jobs, random_state,
                         progress)
        self.alpha = alpha
        self.metric = metric

    def fit(self, X: ArrayLike, y: Any = None) -> DiffusionMap:
        """Fits the map to points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or distances of shape (n_samples, n_samples)
            Float64 in C order is used without a copy.
        y : ignored

        Returns
        -------
        self
        """
        return self._fit(cloud_of(self, X), method="diffusion_map", alpha=self.alpha)


@_documented("A squared length.")
class TargetMeasureDiffusionMap(Map):
    """The target measure diffusion map (TMDmap): overdamped Langevin dynamics of a target density.

    The points may be sampled from any density; the generator approximates Laplacian f + grad f . grad log pi.

    Parameters
    ----------
{common}
    target : callable, optional
        log pi as a function of points, shape (n_samples, n_features) to (n_samples,), where `fit` is given none.
        Constant unless given. Not with precomputed distances.
    metric : {"euclidean", "precomputed"}, default="euclidean"
        With ``"precomputed"``, `fit` takes the distances of the points to each other, a symmetric array or a sparse
        matrix of those that are known (all others are too far to be seen), and `transform` those of new points to
        them, one row for each.

{attributes}

    Examples
    --------
    >>> import numpy as np, itomap
    >>> x = np.random.default_rng(1).uniform(-3, 3, size=(2000, 1))
    >>> model = itomap.TargetMeasureDiffusionMap(n_components=2, epsilon=0.02).fit(x, log_target=-0.5 * x[:, 0]**2)
    >>> model.eigenvalues_.round(0)              # of the Ornstein-Uhlenbeck process: 0 -1 -2
    array([ 0., -1., -2.])
    """

    def __init__(self, n_components: int = 10, *, epsilon: Epsilon = "auto", target: FunctionOfPoints | None = None,
                 metric: str = "euclidean", engine: str = "auto", cutoff: float = 1e-8,
                 period: Sequence[float] | None = None, bandwidth: float = 0.0, bandwidth_neighbors: int | None = None,
                 bandwidth_dimension: int | None = None, normalization: str = "paper", drop_isolated: bool = False,
                 single_precision: bool = False, landmarks: int | None = None, landmark_error: float = 0.02,
                 diffusion_time: float = 1.0, tolerance: float = 1e-9, max_products: int = 20000,
                 spurious_error: float = 0.3, memory: int | None = None, n_jobs: int | None = None,
                 random_state: Seed = 0, progress: bool | Progress | None = None) -> None:
        super().__init__(n_components, epsilon, engine, cutoff, period, bandwidth, bandwidth_neighbors,
                         bandwidth_dimension, normalization, drop_isolated, single_precision, landmarks, landmark_error,
                         diffusion_time, tolerance, max_products, spurious_error, memory, n_jobs, random_state,
                         progress)
        self.target = target
        self.metric = metric

    def fit(self, X: ArrayLike, y: Any = None, *, log_target: ArrayLike | None = None) -> TargetMeasureDiffusionMap:
        """Fits the map to points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or distances of shape (n_samples, n_samples)
            Float64 in C order is used without a copy.
        y : ignored
        log_target : array-like of shape (n_samples,), optional
            log pi at the points, up to a constant; `target` at the points unless given.

        Returns
        -------
        self
        """
        cloud = cloud_of(self, X)
        if log_target is None and self.target is not None and self.metric == "precomputed":
            raise ValueError("target: a function of points cannot be taken of distances; give log_target to fit")
        if log_target is None:
            log_target = np.zeros(cloud.shape[0]) if self.target is None else self.target(cloud)
        log_pi = reals(log_target, "log_target")
        if log_pi.shape != (cloud.shape[0],):
            raise ValueError(f"log_target: shape {log_pi.shape} for {cloud.shape[0]} points; give one number for each")
        return self._fit(cloud, method="target_measure_map", log_target=log_pi)


@_documented("A time.")
class LocalKernelDiffusionMap(Map):
    """The local kernel diffusion map (LKDmap): any drift b(x) and diffusion A(x), reversible or not.

    The generator approximates b . grad f + A_ij d_i d_j f, with A = sigma sigma^T / 2 for dX = b dt + sigma dW.

    Parameters
    ----------
{common}
    drift, diffusion : callable, or array or number that holds for all points; optional
        As functions of points, where `fit` is given none: b of shape (n_samples, n_features); A a number, or of shape
        (n_samples,), (n_samples, n_features) or (n_samples, n_features, n_features). No drift and A = 1 unless given.
    density_epsilon : float, "auto" or "steepest", default="auto"
        Scale of the density estimate, a squared length.
    eta : float, default=0
        Added to A.
    biased : bool, default=False
        The kernel of Berry and Sauer, without the correction for the sampling density.
    step : {"euler", "heun"}, default="euler"
        How a step begins: x + epsilon b, or x + epsilon (b + P b) / 2 for drifts that turn within it, as in a vortex.
    keep_traps : bool, default=False
        Let the process enter points that would hold it for good.

{attributes}

    Examples
    --------
    A rotation in a harmonic well has the eigenvalues -1 + i and -1 - i:

    >>> import numpy as np, itomap
    >>> x = np.random.default_rng(0).normal(size=(4000, 2))
    >>> b = np.c_[-x[:, 0] + x[:, 1], -x[:, 0] - x[:, 1]]
    >>> model = itomap.LocalKernelDiffusionMap(n_components=2, epsilon=0.05).fit(x, drift=b, diffusion=1.0)
    >>> model.eigenvalues_[1:].round(0)
    array([-1.+1.j, -1.-1.j])
    """

    def __init__(self, n_components: int = 10, *, epsilon: Epsilon = "auto",
                 drift: FunctionOfPoints | ArrayLike | None = None, diffusion: FunctionOfPoints | ArrayLike = 1.0,
                 density_epsilon: Epsilon = "auto", eta: float = 0.0, biased: bool = False, step: str = "euler",
                 keep_traps: bool = False, engine: str = "auto", cutoff: float = 1e-8,
                 period: Sequence[float] | None = None, bandwidth: float = 0.0, bandwidth_neighbors: int | None = None,
                 bandwidth_dimension: int | None = None, normalization: str = "paper", drop_isolated: bool = False,
                 single_precision: bool = False, landmarks: int | None = None, landmark_error: float = 0.02,
                 diffusion_time: float = 1.0, tolerance: float = 1e-9, max_products: int = 20000,
                 spurious_error: float = 0.3, memory: int | None = None, n_jobs: int | None = None,
                 random_state: Seed = 0, progress: bool | Progress | None = None) -> None:
        super().__init__(n_components, epsilon, engine, cutoff, period, bandwidth, bandwidth_neighbors,
                         bandwidth_dimension, normalization, drop_isolated, single_precision, landmarks, landmark_error,
                         diffusion_time, tolerance, max_products, spurious_error, memory, n_jobs, random_state,
                         progress)
        self.drift = drift
        self.diffusion = diffusion
        self.density_epsilon = density_epsilon
        self.eta = eta
        self.biased = biased
        self.step = step
        self.keep_traps = keep_traps

    def fit(self, X: ArrayLike, y: Any = None, *, drift: ArrayLike | None = None,
            diffusion: ArrayLike | None = None) -> LocalKernelDiffusionMap:
        """Fits the map to points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Float64 in C order is used without a copy.
        y : ignored
        drift, diffusion : array-like, optional
            b and A at the points; the constructor's unless given.

        Returns
        -------
        self
        """
        points = points_of(self, X)
        self._given = drift is not None or diffusion is not None
        process = self._process(points, drift, diffusion)
        method = "biased_local_kernel_map" if self.biased else "local_kernel_map"
        return self._fit(points, method=method, eta=self.eta, density_epsilon=self.density_epsilon,
                         step=self.step, keep_traps=self.keep_traps, **process)

    def _process(self, X, drift, diffusion):
        drift = self.drift if drift is None else drift
        diffusion = self.diffusion if diffusion is None else diffusion
        drift = np.zeros(X.shape) if drift is None else drift(X) if callable(drift) else drift
        diffusion = diffusion(X) if callable(diffusion) else diffusion
        drift = reals(drift, "drift")
        if drift.shape != X.shape:
            drift = np.array(np.broadcast_to(drift, X.shape)) if drift.shape == X.shape[1:] else drift
        if drift.shape != X.shape:
            raise ValueError(f"drift: shape {drift.shape} for points of shape {X.shape}; give one row for each point")
        return {"drift": drift, "diffusion": reals(diffusion, "diffusion")}

    def _process_at(self, X, drift=None, diffusion=None):
        if getattr(self, "_given", True) and drift is None and diffusion is None:
            raise ValueError("drift and diffusion were given at the points of the map alone: pass them to extend, or "
                             "give functions to the constructor")
        return self._process(X, drift, diffusion)
