"""The three maps as scikit-learn estimators."""
import numbers
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted

from . import _core
from ._generator import Generator
from ._warnings import warn_of

_COMMON = """
    n_components : int, default=10
        Eigenpairs beyond the first, slowest first; modes that live on a handful of points come on top and are flagged.
    epsilon : float, "auto" or "steepest", default="auto"
        {epsilon} ``"auto"`` balances bias and noise of the leading time scales.
    engine : {{"auto", "sparse", "grid", "dense"}}, default="auto"
        How the kernel is held.
    cutoff : float, default=1e-8
        Kernel entries below it are left out.
    period : sequence of float, optional
        Length of one period of each coordinate, 0 for one that is not periodic.
    bandwidth : float, default=0
        0: the same kernel everywhere; up to 1: wider where points are rare.
    bandwidth_neighbors, bandwidth_dimension : int, optional
        Neighbours that tell how rare points are, and dimension of the manifold; found in the data unless given.
    drop_isolated : bool, default=False
        Leave out points that no other point can see; their rows are NaN.
    single_precision : bool, default=False
        Stored kernel entries take half the memory.
    diffusion_time : float, default=1
        Of the embedding: coordinates are exp(lambda_n t) psi_n.
    tolerance, max_products, spurious_error
        Of the eigensolver: residual, effort, and when a mode is flagged.
    memory : int, optional
        Bytes that kernel and eigenvectors may take.
    n_jobs : int, optional
        Threads; all cores unless given. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        Of the eigensolver's start vectors.
    progress : callable, optional
        Called a few times a second with (stage, fraction, detail); stops the fit if it returns False.
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


class _Map(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """What the three maps share: everything but what defines the process."""

    def __init__(self, n_components, epsilon, engine, cutoff, period, bandwidth, bandwidth_neighbors, bandwidth_dimension,
                 drop_isolated, single_precision, diffusion_time, tolerance, max_products, spurious_error, memory, n_jobs,
                 random_state, progress):
        self.n_components = n_components
        self.epsilon = epsilon
        self.engine = engine
        self.cutoff = cutoff
        self.period = period
        self.bandwidth = bandwidth
        self.bandwidth_neighbors = bandwidth_neighbors
        self.bandwidth_dimension = bandwidth_dimension
        self.drop_isolated = drop_isolated
        self.single_precision = single_precision
        self.diffusion_time = diffusion_time
        self.tolerance = tolerance
        self.max_products = max_products
        self.spurious_error = spurious_error
        self.memory = memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def _definition(self):
        """Arguments of the core that all three maps have."""
        return dict(
            epsilon=self.epsilon, engine=self.engine, cutoff=self.cutoff,
            period=[] if self.period is None else [float(p) for p in self.period], bandwidth=self.bandwidth,
            bandwidth_neighbours=self.bandwidth_neighbors or 0, bandwidth_dimension=self.bandwidth_dimension or 0,
            drop_isolated=self.drop_isolated, single_precision=self.single_precision, threads=_threads(self.n_jobs),
            memory=self.memory, progress=self.progress)

    def _fit(self, X, **process):
        core_map = _core.make_map(points=X, **process, **self._definition())
        count = self._count(core_map.size)
        seed = check_random_state(self.random_state).randint(2**31) if not isinstance(
            self.random_state, numbers.Integral) else int(self.random_state)
        spectrum = _core.eigenpairs(core_map, count=count, tolerance=self.tolerance, max_products=self.max_products,
                                    seed=seed, spurious_error=self.spurious_error)
        warn_of(core_map.diagnostics["warnings"] + spectrum.warnings, stacklevel=4)
        return self._take(core_map, spectrum)

    def _count(self, points):
        if not isinstance(self.n_components, numbers.Integral) or self.n_components < 1:
            raise ValueError(f"n_components: {self.n_components!r} is not a whole number > 0; 10 is the default")
        if self.n_components >= points:
            warnings.warn(f"n_components: {self.n_components} of {points} points; {points - 1} are all there are",
                          UserWarning, stacklevel=4)
        return min(int(self.n_components), points - 1)

    def _take(self, core_map, spectrum):
        """Fitted attributes; rows of points that were left out are NaN."""
        self.map_, self.spectrum_ = core_map, spectrum
        self.epsilon_ = core_map.epsilon
        real = spectrum.is_real
        self.eigenvalues_ = spectrum.eigenvalues.real if real else spectrum.eigenvalues
        self.timescales_, self.timescales_log_ = spectrum.timescales, spectrum.timescales_log
        self.rates_log_ = spectrum.rates_log
        self.residuals_, self.converged_ = spectrum.residuals, np.array(spectrum.converged)
        self.spurious_ = np.array(spectrum.spurious, dtype=int)
        self.stationary_ = self._all_rows(spectrum.stationary)
        self.density_ = self._all_rows(core_map.density)
        self.eigenfunctions_ = self._all_rows(spectrum.eigenfunctions)
        self.left_eigenfunctions_ = self._all_rows(spectrum.left_eigenfunctions)
        self.embedding_ = self._all_rows(self._coordinates(spectrum.eigenfunctions))
        self.diagnostics_ = core_map.diagnostics
        self.plan_ = core_map.plan
        return self

    @property
    def generator_(self):
        check_is_fitted(self)
        return Generator(self.map_)

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]

    def _all_rows(self, values):
        if self.map_.size == self.map_.input_points:
            return values
        whole = np.full((self.map_.input_points, *values.shape[1:]), np.nan, dtype=values.dtype)
        whole[self.map_.kept] = values
        return whole

    def _coordinates(self, functions):
        """exp(lambda t) psi without the first and without flagged modes; of a complex pair real and imaginary part."""
        lambdas = self.spectrum_.eigenvalues
        columns = []
        for n in range(1, lambdas.size):
            if n in self.spurious_:
                continue
            column = np.exp(lambdas[n].real * self.diffusion_time) * functions[:, n]
            columns.append(column.imag if lambdas[n].imag < 0 else column.real)
        return np.stack(columns, axis=1) if columns else np.empty((functions.shape[0], 0))

    def fit_transform(self, X, y=None, **fit_params):
        """Fits to X and returns its diffusion coordinates.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self.fit(X, y, **fit_params).embedding_

    def transform(self, X):
        """Diffusion coordinates of new points (Nyström extension).

        Rows of points that see no point of the map are NaN, with a warning.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self._coordinates(self.extend(X)["eigenfunctions"])

    def extend(self, X, **process):
        """Eigenfunctions at new points, with what is known of their error.

        Returns
        -------
        dict
            ``eigenfunctions``, ``interpolation_error`` of each mode, ``outside`` and ``beyond``: points that see no data,
            and points beyond it.
        """
        check_is_fitted(self)
        X = self._validate_data(X, reset=False, dtype=np.float64, order="C")
        extension = _core.extend(self.map_, self.spectrum_, X, **self._process_at(X, **process))
        warn_of(extension["warnings"])
        return extension

    def _process_at(self, X):
        return {}

    def _indices(self, points, name):
        """Numbers of points, or a mask over them, as positions in the map."""
        points = np.asarray(points)
        if points.dtype == bool:
            if points.shape != (self.map_.input_points,):
                raise ValueError(f"{name}: a mask needs one entry for each of the {self.map_.input_points} points")
            points = np.flatnonzero(points)
        if points.ndim != 1 or not np.issubdtype(points.dtype, np.integer):
            raise ValueError(f"{name}: give numbers of points, or a mask over them")
        position = np.full(self.map_.input_points, -1)
        position[self.map_.kept] = np.arange(self.map_.size)
        if points.size and (points.min() < 0 or points.max() >= position.size):
            raise ValueError(f"{name}: points are numbered from 0 to {position.size - 1}")
        return [int(i) for i in position[points] if i >= 0]

    def committor(self, source, sink, tolerance=1e-8, passage_times=True):
        """Committors, passage times, reactive flux and rate from one set of points to another.

        Parameters
        ----------
        source, sink : array-like of int, or mask
            Disjoint sets of points.

        Returns
        -------
        dict
            ``forward`` and ``backward`` committor, ``time_to_sink``, ``time_to_source`` and ``flux`` at the points; ``rate``,
            ``reverse_rate``, ``total_flux``, ``source_to_sink``, ``sink_to_source``.
        """
        check_is_fitted(self)
        result = _core.committor(self.map_, self.spectrum_, self._indices(source, "source"), self._indices(sink, "sink"),
                                 tolerance, passage_times)
        warn_of(result.pop("warnings"))
        for name in ("forward", "backward", "flux", "time_to_sink", "time_to_source"):
            if result[name].size:
                result[name] = self._all_rows(result[name])
        return result

    def mfpt(self, source, sink):
        """Mean first passage time from the points of `source`, by stationary weight, to `sink`."""
        return self.committor(source, sink)["source_to_sink"]

    def pcca(self, n_sets, modes=()):
        """Metastable sets by PCCA+: ``labels``, soft ``memberships``, ``weights``, ``escape_rates``, ``rate_matrix``, ..."""
        return self._cluster(n_sets, "pcca", modes=modes)

    def kmeans(self, n_sets, modes=(), weighted=True):
        """Sets by k-means on the slow eigenfunctions; the same entries as `pcca`."""
        return self._cluster(n_sets, "kmeans", modes=modes, weighted=weighted)

    def _cluster(self, n_sets, method=None, modes=(), weighted=True):
        check_is_fitted(self)
        sets = _core.cluster(self.map_, self.spectrum_, n_sets, method, list(modes), weighted)
        warn_of(sets.pop("warnings"), stacklevel=4)
        labels = np.full(self.map_.input_points, -1)
        labels[self.map_.kept] = sets["labels"]
        sets["labels"], sets["memberships"] = labels, self._all_rows(sets["memberships"])
        return sets

    def expectation(self, f):
        """Average of f, of shape (n_samples,) or (n_samples, k), over the invariant measure, with standard error.

        Returns
        -------
        dict
            ``mean``, ``standard_error``, ``standard_deviation``, ``effective_points``.
        """
        check_is_fitted(self)
        f = np.asarray(f, dtype=np.float64)
        averages = _core.expectation(self.stationary_, f[:, None] if f.ndim == 1 else f)
        warn_of(averages.pop("warnings"))
        if f.ndim == 1:
            averages.update({name: averages[name][0] for name in ("mean", "standard_error", "standard_deviation")})
        return averages

    def propagate(self, f, time):
        """E[f(X_t) | X_0 = x] at the points, from the eigenpairs at hand.

        Parameters
        ----------
        f : array-like of shape (n_samples,)
        time : float

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        f = np.asarray(f, dtype=np.float64)[self.map_.kept]
        coefficients = self.spectrum_.left_eigenfunctions.T @ f
        decayed = np.exp(self.spectrum_.eigenvalues * time) * coefficients
        return self._all_rows((self.spectrum_.eigenfunctions @ decayed).real)

    def error_bars(self, n_blocks=10):
        """Noise of the eigenvalues, and their extrapolation to epsilon = 0 and many points with its error.

        Returns
        -------
        dict
            ``noise``, ``extrapolated``, ``extrapolated_error``, ``timescales``, ``timescale_errors``.
        """
        check_is_fitted(self)
        bars = _core.error_bars(self.map_, self.spectrum_, n_blocks)
        warn_of(bars.pop("warnings"))
        return bars

    def summary(self):
        """The tables that the command line prints."""
        check_is_fitted(self)
        return self.map_.report() + "\n" + self.spectrum_.report()

    def _more_tags(self):
        return {"requires_positive_X": False}


def _threads(n_jobs):
    if n_jobs is None or n_jobs == -1:
        return 0
    if not isinstance(n_jobs, numbers.Integral) or n_jobs < 1:
        raise ValueError(f"n_jobs: {n_jobs!r} is not a number of threads; None or -1 takes all cores")
    return int(n_jobs)


def _points(model, X):
    return model._validate_data(X, dtype=np.float64, order="C", ensure_min_samples=2)


def _documented(epsilon):
    def decorate(kind):
        kind.__doc__ = kind.__doc__.replace("{common}", _COMMON.format(epsilon=epsilon).strip("\n")).replace(
            "{attributes}", _ATTRIBUTES.strip("\n"))
        return kind
    return decorate


@_documented("A squared length.")
class DiffusionMap(_Map):
    """The standard diffusion map: the process that the sampling density q dictates.

    The generator approximates Laplacian f + (2 - 2 alpha) grad f . grad log q.

    Parameters
    ----------
{common}
    alpha : float, default=0.5
        1: the Laplace-Beltrami operator; 1/2: overdamped Langevin dynamics of the sampling density.

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

    def __init__(self, n_components=10, *, epsilon="auto", alpha=0.5, engine="auto", cutoff=1e-8, period=None,
                 bandwidth=0.0, bandwidth_neighbors=None, bandwidth_dimension=None, drop_isolated=False,
                 single_precision=False, diffusion_time=1.0, tolerance=1e-9, max_products=20000, spurious_error=0.3,
                 memory=None, n_jobs=None, random_state=0, progress=None):
        super().__init__(n_components, epsilon, engine, cutoff, period, bandwidth, bandwidth_neighbors, bandwidth_dimension,
                         drop_isolated, single_precision, diffusion_time, tolerance, max_products, spurious_error, memory,
                         n_jobs, random_state, progress)
        self.alpha = alpha

    def fit(self, X, y=None):
        """Fits the map to points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Float64 in C order is used without a copy.
        y : ignored

        Returns
        -------
        self
        """
        return self._fit(_points(self, X), method="diffusion_map", alpha=self.alpha)


@_documented("A squared length.")
class TargetMeasureDiffusionMap(_Map):
    """The target measure diffusion map (TMDmap): overdamped Langevin dynamics of a target density.

    The points may be sampled from any density; the generator approximates Laplacian f + grad f . grad log pi.

    Parameters
    ----------
{common}
    target : callable, optional
        log pi as a function of points, shape (n_samples, n_features) to (n_samples,), where `fit` is given none.
        Constant unless given.

{attributes}

    Examples
    --------
    >>> import numpy as np, itomap
    >>> x = np.random.default_rng(1).uniform(-3, 3, size=(2000, 1))
    >>> model = itomap.TargetMeasureDiffusionMap(n_components=2, epsilon=0.02).fit(x, log_target=-0.5 * x[:, 0]**2)
    >>> model.eigenvalues_.round(0)              # of the Ornstein-Uhlenbeck process: 0 -1 -2
    array([ 0., -1., -2.])
    """

    def __init__(self, n_components=10, *, epsilon="auto", target=None, engine="auto", cutoff=1e-8, period=None,
                 bandwidth=0.0, bandwidth_neighbors=None, bandwidth_dimension=None, drop_isolated=False,
                 single_precision=False, diffusion_time=1.0, tolerance=1e-9, max_products=20000, spurious_error=0.3,
                 memory=None, n_jobs=None, random_state=0, progress=None):
        super().__init__(n_components, epsilon, engine, cutoff, period, bandwidth, bandwidth_neighbors, bandwidth_dimension,
                         drop_isolated, single_precision, diffusion_time, tolerance, max_products, spurious_error, memory,
                         n_jobs, random_state, progress)
        self.target = target

    def fit(self, X, y=None, *, log_target=None):
        """Fits the map to points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Float64 in C order is used without a copy.
        y : ignored
        log_target : array-like of shape (n_samples,), optional
            log pi at the points, up to a constant; `target` at the points unless given.

        Returns
        -------
        self
        """
        X = _points(self, X)
        if log_target is None:
            log_target = np.zeros(X.shape[0]) if self.target is None else self.target(X)
        log_target = check_array(log_target, ensure_2d=False, dtype=np.float64, force_all_finite=False)
        if log_target.shape != (X.shape[0],):
            raise ValueError(f"log_target: shape {log_target.shape} for {X.shape[0]} points; give one number for each")
        return self._fit(X, method="target_measure_map", log_target=log_target)


@_documented("A time.")
class LocalKernelDiffusionMap(_Map):
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

    def __init__(self, n_components=10, *, epsilon="auto", drift=None, diffusion=1.0, density_epsilon="auto", eta=0.0,
                 biased=False, keep_traps=False, engine="auto", cutoff=1e-8, period=None, bandwidth=0.0,
                 bandwidth_neighbors=None, bandwidth_dimension=None, drop_isolated=False, single_precision=False,
                 diffusion_time=1.0, tolerance=1e-9, max_products=20000, spurious_error=0.3, memory=None, n_jobs=None,
                 random_state=0, progress=None):
        super().__init__(n_components, epsilon, engine, cutoff, period, bandwidth, bandwidth_neighbors, bandwidth_dimension,
                         drop_isolated, single_precision, diffusion_time, tolerance, max_products, spurious_error, memory,
                         n_jobs, random_state, progress)
        self.drift = drift
        self.diffusion = diffusion
        self.density_epsilon = density_epsilon
        self.eta = eta
        self.biased = biased
        self.keep_traps = keep_traps

    def fit(self, X, y=None, *, drift=None, diffusion=None):
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
        X = _points(self, X)
        self._given = drift is not None or diffusion is not None
        process = self._process(X, drift, diffusion)
        method = "biased_local_kernel_map" if self.biased else "local_kernel_map"
        return self._fit(X, method=method, eta=self.eta, density_epsilon=self.density_epsilon,
                         keep_traps=self.keep_traps, **process)

    def _process(self, X, drift, diffusion):
        drift = self.drift if drift is None else drift
        diffusion = self.diffusion if diffusion is None else diffusion
        drift = np.zeros(X.shape) if drift is None else drift(X) if callable(drift) else drift
        diffusion = diffusion(X) if callable(diffusion) else diffusion
        drift = np.asarray(drift, dtype=np.float64, order="C")
        if drift.shape != X.shape:
            drift = np.array(np.broadcast_to(drift, X.shape)) if drift.shape == X.shape[1:] else drift
        if drift.shape != X.shape:
            raise ValueError(f"drift: shape {drift.shape} for points of shape {X.shape}; give one row for each point")
        return {"drift": drift, "diffusion": np.asarray(diffusion, dtype=np.float64, order="C")}

    def _process_at(self, X, drift=None, diffusion=None):
        if getattr(self, "_given", True) and drift is None and diffusion is None:
            raise ValueError("drift and diffusion were given at the points of the map alone: pass them to extend, or give "
                             "functions to the constructor")
        return self._process(X, drift, diffusion)
