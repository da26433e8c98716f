"""What the three maps share: everything but what defines the process."""
from __future__ import annotations

import numbers
import os
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

try:
    from sklearn.utils.validation import validate_data

    _NOT_FINITE = {"ensure_all_finite": False}
except ImportError:  # before scikit-learn 1.6 it was a method
    _NOT_FINITE = {"force_all_finite": False}

    def validate_data(estimator, X, **options):
        return estimator._validate_data(X, **options)

from . import _core
from ._check import real, reals, refuse_complex, whole, wholes
from ._generator import Generator
from ._html import HtmlOfFit
from ._progress import callback_of, closing
from ._ranks import present_ranks
from ._report import write_report
from ._types import Answer, Array, ArrayLike, Floats, Sequence
from ._warnings import warn, warn_of


class Map(HtmlOfFit, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A fitted map, and what is read off it; the process is the subclasses'."""

    eigenvalues_: Array
    eigenfunctions_: Array
    left_eigenfunctions_: Array
    timescales_: Floats
    timescales_log_: Floats
    rates_log_: Array
    residuals_: Floats
    converged_: Array
    spurious_: Array
    stationary_: Floats
    density_: Floats
    embedding_: Floats
    epsilon_: float
    diagnostics_: Answer
    plan_: Answer
    n_features_in_: int

    def __init__(self, n_components, epsilon, engine, cutoff, period, bandwidth, bandwidth_neighbors,
                 bandwidth_dimension, normalization, drop_isolated, single_precision, landmarks, landmark_error,
                 diffusion_time, tolerance, max_products, spurious_error, memory, n_jobs, random_state, progress):
        self.n_components = n_components
        self.epsilon = epsilon
        self.engine = engine
        self.cutoff = cutoff
        self.period = period
        self.bandwidth = bandwidth
        self.bandwidth_neighbors = bandwidth_neighbors
        self.bandwidth_dimension = bandwidth_dimension
        self.normalization = normalization
        self.drop_isolated = drop_isolated
        self.single_precision = single_precision
        self.landmarks = landmarks
        self.landmark_error = landmark_error
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
            normalization=self.normalization, drop_isolated=self.drop_isolated, single_precision=self.single_precision,
            landmarks=0 if self.landmarks is None else self.landmarks, landmark_error=self.landmark_error,
            threads=threads_of(self.n_jobs), memory=self.memory, progress=callback_of(self.progress),
            ranks=present_ranks())

    def _precomputed(self):
        return getattr(self, "metric", "euclidean") == "precomputed"

    def _more_tags(self):  # until scikit-learn 1.5
        return {"pairwise": self._precomputed()}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        return tags

    def _fit(self, X, **process):
        definition = self._definition()
        with closing(definition["progress"]):
            cloud = {"distances" if self._precomputed() else "points": X}
            core_map = _core.make_map(**cloud, **process, **definition)
            count = self._count(core_map.size)
            spectrum = _core.eigenpairs(
                core_map, count=count, tolerance=real(self.tolerance, "tolerance"),
                max_products=whole(self.max_products, "max_products"), seed=seed_of(self.random_state),
                spurious_error=real(self.spurious_error, "spurious_error"))
        warn_of(core_map.diagnostics["warnings"] + spectrum.warnings)
        return self._take(core_map, spectrum)

    def _count(self, points):
        if not isinstance(self.n_components, numbers.Integral) or self.n_components < 1:
            raise ValueError(f"n_components: {self.n_components!r} is not a whole number > 0; 10 is the default")
        if self.n_components >= points:
            warn(f"n_components: {self.n_components} of {points} points; {points - 1} are all there are")
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
    def generator_(self) -> Generator:
        check_is_fitted(self)
        return Generator(self.map_)

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]

    def _all_rows(self, values):
        if self.map_.size == self.map_.input_points:
            return values
        missing = complex(np.nan, np.nan) if np.iscomplexobj(values) else np.nan
        whole = np.full((self.map_.input_points, *values.shape[1:]), missing, dtype=values.dtype)
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

    def fit_transform(self, X: ArrayLike, y: Any = None, **fit_params: Any) -> Floats:
        """Fits to X and returns its diffusion coordinates.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self.fit(X, y, **fit_params).embedding_

    def transform(self, X: ArrayLike) -> Floats:
        """Diffusion coordinates of new points (Nyström extension).

        Rows of points that see no point of the map are NaN, with a warning.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or distances, one row for each new point and one column for each point of the map.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self._coordinates(self.extend(X)["eigenfunctions"])

    def extend(self, X: ArrayLike, **process: ArrayLike) -> Answer:
        """Eigenfunctions at new points, with what is known of their error.

        Returns
        -------
        dict
            ``eigenfunctions``, ``interpolation_error`` of each mode, ``outside`` and ``beyond``: points that see no
            data, and points beyond it.
        """
        check_is_fitted(self)
        cloud = cloud_of(self, X, reset=False)
        extension = _core.extend(self.map_, self.spectrum_, cloud, **self._process_at(cloud, **process))
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

    def _values(self, values, name, columns=False):
        """Numbers at the points, finite."""
        values = reals(values, name)
        if values.shape[:1] != (self.map_.input_points,) or values.ndim > (2 if columns else 1):
            raise ValueError(f"{name}: shape {values.shape} for {self.map_.input_points} points; give one "
                             f"{'row' if columns else 'number'} for each")
        if not np.isfinite(values[self.map_.kept]).all():
            raise ValueError(f"{name}: not all values are finite")
        return values

    def committor(self, source: ArrayLike, sink: ArrayLike, tolerance: float = 1e-8,
                  passage_times: bool = True) -> Answer:
        """Committors, passage times, reactive flux and rate from one set of points to another.

        Parameters
        ----------
        source, sink : array-like of int, or mask
            Disjoint sets of points.

        Returns
        -------
        dict
            ``forward`` and ``backward`` committor, ``time_to_sink``, ``time_to_source`` and ``flux`` at the points;
            ``rate``, ``reverse_rate``, ``total_flux``, ``source_to_sink``, ``sink_to_source``.
        """
        check_is_fitted(self)
        result = _core.committor(self.map_, self.spectrum_, self._indices(source, "source"),
                                 self._indices(sink, "sink"), real(tolerance, "tolerance"), bool(passage_times))
        warn_of(result.pop("warnings"))
        for name in ("forward", "backward", "flux", "time_to_sink", "time_to_source"):
            if result[name].size:
                result[name] = self._all_rows(result[name])
        return result

    def committor_error_bars(self, source: ArrayLike, sink: ArrayLike, n_blocks: int = 10, runs: Sequence[int] = (),
                             passage_times: bool = True) -> Answer:
        """Error bars of what `committor` returns, and its values at epsilon = 0 and for many points.

        All systems are solved some 3 (n_blocks + 1) times.

        Returns
        -------
        dict
            ``rate``, ``reverse_rate``, ``total_flux``, ``source_to_sink``, ``sink_to_source``: dicts with ``noise``,
            ``extrapolated`` and its ``error``. ``forward``, ``time_to_sink``, ``time_to_source``: dicts with
            ``extrapolated`` and ``error`` at the points. How they were found: ``blocks``, ``power`` of epsilon,
            ``wall_weight``, ``correlated_rows``.
        """
        check_is_fitted(self)
        bars = _core.committor_error_bars(
            self.map_, self.spectrum_, self._indices(source, "source"), self._indices(sink, "sink"),
            whole(n_blocks, "n_blocks"), wholes(runs, "runs"), bool(passage_times))
        warn_of(bars.pop("warnings"))
        for name in ("forward", "time_to_sink", "time_to_source"):
            bars[name] = {key: self._all_rows(values) for key, values in bars[name].items() if values.size}
        return bars

    def mfpt(self, source: ArrayLike, sink: ArrayLike) -> float:
        """Mean first passage time from the points of `source`, by stationary weight, to `sink`."""
        return self.committor(source, sink)["source_to_sink"]

    def pcca(self, n_sets: int, modes: Sequence[int] = ()) -> Answer:
        """Metastable sets by PCCA+: ``labels``, soft ``memberships``, ``weights``, ``escape_rates``, ..."""
        return self._cluster(n_sets, "pcca", modes=modes)

    def kmeans(self, n_sets: int, modes: Sequence[int] = (), weighted: bool = True) -> Answer:
        """Sets by k-means on the slow eigenfunctions; the same entries as `pcca`."""
        return self._cluster(n_sets, "kmeans", modes=modes, weighted=weighted)

    def _cluster(self, n_sets, method=None, modes=(), weighted=True):
        check_is_fitted(self)
        sets = _core.cluster(self.map_, self.spectrum_, whole(n_sets, "n_sets"), method, wholes(modes, "modes"),
                             bool(weighted))
        warn_of(sets.pop("warnings"))
        labels = np.full(self.map_.input_points, -1)
        labels[self.map_.kept] = sets["labels"]
        sets["labels"], sets["memberships"] = labels, self._all_rows(sets["memberships"])
        return sets

    def expectation(self, f: ArrayLike, n_blocks: int | None = None, runs: Sequence[int] = ()) -> Answer:
        """Average of f, of shape (n_samples,) or (n_samples, k), over the invariant measure.

        Parameters
        ----------
        f : array-like of shape (n_samples,) or (n_samples, k)
        n_blocks : int, optional
            Error bars, from the map without each of so many blocks of rows and at 2 and 4 epsilon; 10 is a good number.
        runs : sequence of int
            How many rows each of several trajectories has, for blocks that do not reach from one into the next.

        Returns
        -------
        dict
            ``mean``, ``standard_deviation``, ``effective_points``; with `n_blocks` also ``noise`` of the mean,
            ``extrapolated`` and ``extrapolated_error``: the mean at epsilon = 0 and for many points.
        """
        check_is_fitted(self)
        values = self._values(f, "f", columns=True)
        columns = values[:, None] if values.ndim == 1 else values
        if n_blocks is None:
            averages = _core.expectation(self.stationary_, columns)
        else:
            averages = _core.expectation(self.map_, self.spectrum_, columns, whole(n_blocks, "n_blocks"),
                                         wholes(runs, "runs"))
        warn_of(averages.pop("warnings"))
        if values.ndim == 1:
            averages.update({name: value[0] for name, value in averages.items() if isinstance(value, np.ndarray)})
        return averages

    def propagate(self, f: ArrayLike, time: float) -> Floats:
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
        values = self._values(f, "f")[self.map_.kept]
        time = real(time, "time")
        if not 0 <= time < np.inf:
            raise ValueError(f"time: {time:g} is not a time to wait; give a number >= 0")
        coefficients = self.spectrum_.left_eigenfunctions.T @ values
        lambdas = self.spectrum_.eigenvalues
        # The last of the modes may be half of a pair: the other half adds as much again to the real part.
        halves = (lambdas.imag != 0) & ~np.isin(lambdas.conj(), lambdas)
        decayed = np.exp(lambdas * time) * np.where(halves, 2.0, 1.0) * coefficients
        return self._all_rows((self.spectrum_.eigenfunctions @ decayed).real)

    def error_bars(self, n_blocks: int = 10, runs: Sequence[int] = (), functions: bool = False) -> Answer:
        """Noise of the eigenvalues, and their extrapolation to epsilon = 0 and many points with its error.

        Blocks of consecutive rows are left out in turn; there are fewer, longer ones than `n_blocks` where the rows
        remember each other for long.

        Parameters
        ----------
        n_blocks : int
        runs : sequence of int
            How many rows each of several trajectories has, for blocks that do not reach from one into the next.
        functions : bool
            Errors of the eigenfunctions too, point by point.

        Returns
        -------
        dict
            ``noise``, ``extrapolated``, ``extrapolated_error``, ``timescales``, ``timescale_errors``; with `functions`
            also ``extrapolated_functions`` and ``function_errors``, of the shape of `eigenfunctions_`; how they were
            found: ``blocks``, ``power`` of epsilon, ``wall_weight``, ``correlated_rows``.
        """
        check_is_fitted(self)
        bars = _core.error_bars(self.map_, self.spectrum_, whole(n_blocks, "n_blocks"), wholes(runs, "runs"),
                                bool(functions))
        warn_of(bars.pop("warnings"))
        for name in ("extrapolated_functions", "function_errors"):
            if name in bars:
                bars[name] = self._all_rows(bars[name])
        return bars

    def report(self, path: str | os.PathLike[str], *, title: str | None = None, time_unit: str | None = None,
               sets: Answer | None = None, committor: Answer | None = None, committor_error_bars: Answer | None = None,
               error_bars: Answer | None = None,
               values: dict[str, ArrayLike] | None = None, structures: Any = None,
               reference_timescales: Sequence[float] = (), size: int | None = None, force: bool = False) -> None:
        """Writes one interactive HTML page about the model, to look at and to send.

        Parameters
        ----------
        path : str or path
            Must not exist, unless `force`.
        title : str, optional
        time_unit : str, optional
            What times are given in: "ps".
        sets, committor, committor_error_bars, error_bars : dict, optional
            What `pcca` or `kmeans`, `committor`, `committor_error_bars` and `error_bars` of this model returned, to be
            shown; those of functions where there are any.
        values : dict of str to array-like of shape (n_samples,), optional
            More numbers at the points, to colour them by or to take as axes.
        structures : str or path, or sequence of them, optional
            PDB files, one for each set: the folder that `itomap.md.write_sets` wrote, or the files.
        reference_timescales : sequence of float, optional
            Known from elsewhere, drawn beside: t_1, t_2, ... of the modes that are not spurious.
        size : int, optional
            The most bytes that the values of the points may take on the page; by their number unless given.

        Examples
        --------
        >>> import numpy as np, itomap, pathlib, tempfile
        >>> x = np.random.default_rng(0).normal(size=(300, 2))
        >>> model = itomap.DiffusionMap(epsilon=0.1, n_components=3).fit(x)
        >>> page = pathlib.Path(tempfile.mkdtemp()) / "report.html"
        >>> if itomap.has_report():                       # the package was built with npm
        ...     model.report(page, sets=model.pcca(2), values={"radius": np.hypot(*x.T)})
        """
        check_is_fitted(self)
        write_report(self, path, title=title, time_unit=time_unit, sets=sets, committor=committor,
                     committor_error_bars=committor_error_bars, error_bars=error_bars, values=values,
                     structures=structures, reference_timescales=reference_timescales, size=size, force=force)

    def summary(self) -> str:
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


def points_of(model, X, reset=True):
    refuse_complex(X, "points")
    return validate_data(model, X, reset=reset, dtype=np.float64, order="C", ensure_min_samples=2 if reset else 1)


def cloud_of(model, X, reset=True):
    """Points, or distances where the model takes these."""
    if getattr(model, "metric", "euclidean") not in ("euclidean", "precomputed"):
        raise ValueError(f"metric: {model.metric!r} is neither 'euclidean' nor 'precomputed'; compute the distances, "
                         "and give them to fit")
    if not model._precomputed():
        return points_of(model, X, reset)
    refuse_complex(X, "distances")
    # Infinite distances are legal, and the core says which are not: it is not asked here whether all are finite.
    X = validate_data(model, X, reset=reset, dtype=np.float64, order="C", accept_sparse="csr",
                      ensure_min_samples=2 if reset else 1, **_NOT_FINITE)
    if reset and X.shape[0] != X.shape[1]:
        raise ValueError(f"distances: {X.shape[0]} x {X.shape[1]} given; metric='precomputed' needs those of all "
                         "points to each other, one row and one column for each")
    return X
