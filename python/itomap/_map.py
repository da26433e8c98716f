"""What the three maps share: everything but what defines the process."""
import numbers
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6 it was a method

    def validate_data(estimator, X, **options):
        return estimator._validate_data(X, **options)

from . import _core
from ._generator import Generator
from ._warnings import warn_of


class Map(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A fitted map, and what is read off it; the process is the subclasses'."""

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
            period=None if self.period is None else [float(p) for p in self.period], bandwidth=self.bandwidth,
            bandwidth_neighbours=self.bandwidth_neighbors, bandwidth_dimension=self.bandwidth_dimension,
            drop_isolated=self.drop_isolated, single_precision=self.single_precision, threads=threads_of(self.n_jobs),
            memory=self.memory, progress=self.progress)

    def _fit(self, X, **process):
        core_map = _core.make_map(points=X, **process, **self._definition())
        count = self._count(core_map.size)
        spectrum = _core.eigenpairs(core_map, count=count, tolerance=self.tolerance, max_products=self.max_products,
                                    seed=seed_of(self.random_state), spurious_error=self.spurious_error)
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
        X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
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


def threads_of(n_jobs):
    if n_jobs is None or n_jobs == -1:
        return 0
    if not isinstance(n_jobs, numbers.Integral) or n_jobs < 1:
        raise ValueError(f"n_jobs: {n_jobs!r} is not a number of threads; None or -1 takes all cores")
    return int(n_jobs)


def seed_of(random_state):
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return check_random_state(random_state).randint(2**31)


def points_of(model, X):
    return validate_data(model, X, dtype=np.float64, order="C", ensure_min_samples=2)
