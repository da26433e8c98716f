"""pyDiffMap's maps on the estimators of itomap.

All its choices are weights d of one matrix P = diag(K d)^-1 K diag(d), where K is the kernel and q its row sums:
d = w q^-alpha with the weight function w, or another q in place of the row sums. TMDmap of itomap has
d = sqrt(target) / q, so the target d^2 q^2 gives each of them.
"""
import functools

import numpy as np
from scipy.sparse import identity

import itomap
from itomap import _core
from itomap._warnings import warn

from .kernel import CUTOFF, Kernel


class DiffusionMap:
    """The diffusion map with a weight function, as pyDiffMap has it; usually made by `from_sklearn`.

    Parameters
    ----------
    kernel_object : Kernel
    alpha : float
        Exponent of the density that points are divided by.
    n_evecs : int
        Eigenvectors beyond the constant one.
    weight_fxn : callable, optional
        Of one point: a factor on its weight, larger than 0.
    density_fxn : callable, optional
        Of all points: their density, instead of the kernel sums.
    bandwidth_normalize : bool
        Without effect, as there is no bandwidth.
    oos : "nystroem" or "power"
        How `transform` extends to new points.

    Attributes
    ----------
    evals, evecs, dmap : ndarray
        Eigenvalues of L from the second on, eigenvectors of length 1, and evecs sqrt(-1 / evals).
    epsilon_fitted, q, right_norm_vec, weights, data
        Scale, density, q^-alpha, weight function at the points, points.
    L, kernel_matrix : scipy.sparse.csr_matrix
        Made when asked for, for at most 20,000 points.
    model : itomap.DiffusionMap or itomap.TargetMeasureDiffusionMap
        What does the work, with time scales, committors and all.

    Examples
    --------
    >>> import numpy as np
    >>> angle = 2 * np.pi * np.arange(500) / 500
    >>> circle = np.c_[np.cos(angle), np.sin(angle)]
    >>> mydmap = DiffusionMap.from_sklearn(n_evecs=4, epsilon=0.01, alpha=1.0, k=500).fit(circle)
    >>> mydmap.evals.round(1)
    array([-1., -1., -4., -4.])
    """

    def __init__(self, kernel_object, alpha=0.5, n_evecs=1, weight_fxn=None, density_fxn=None,
                 bandwidth_normalize=False, oos="nystroem"):
        if not isinstance(kernel_object, Kernel):
            raise TypeError(f"kernel_object: a {type(kernel_object).__name__} cannot be had; make one by "
                            "itomap.compat.pydiffmap.kernel.Kernel")
        if oos not in ("nystroem", "power"):
            raise ValueError(f"oos: {oos!r} is neither 'nystroem' nor 'power'")
        self.local_kernel, self.alpha, self.n_evecs = kernel_object, alpha, n_evecs
        self.weight_fxn, self.density_fxn = weight_fxn, density_fxn
        self.bandwidth_normalize, self.oos = bandwidth_normalize, oos
        self.epsilon_fitted = None

    @classmethod
    def from_sklearn(cls, alpha=0.5, k=64, kernel_type="gaussian", epsilon="bgh", n_evecs=1, neighbor_params=None,
                     metric="euclidean", metric_params=None, weight_fxn=None, density_fxn=None, bandwidth_type=None,
                     bandwidth_normalize=False, oos="nystroem"):
        """A map with a kernel from these parameters: see `Kernel`."""
        kernel = Kernel(kernel_type, epsilon, k, neighbor_params, metric, metric_params, bandwidth_type)
        return cls(kernel, alpha=alpha, n_evecs=n_evecs, weight_fxn=weight_fxn, density_fxn=density_fxn,
                   bandwidth_normalize=bandwidth_normalize, oos=oos)

    def construct_Lmat(self, X):
        """Everything but `evals`, `evecs` and `dmap`."""
        self._prepare(X)
        self.model = self._model(n_components=1)
        return self

    def fit(self, X):
        """Fits the map to X of shape (n_points, n_features)."""
        self._prepare(X)
        self.model = self._model(n_components=self.n_evecs)
        self.evals = self.model.eigenvalues_[1:self.n_evecs + 1]
        self._refuse_parts()
        functions = self.model.eigenfunctions_[:, 1:self.n_evecs + 1]
        self.evecs = functions / np.linalg.norm(functions, axis=0)
        self.dmap = self.evecs * np.sqrt(-1 / self.evals)
        return self

    def fit_transform(self, X):
        """Diffusion coordinates `dmap` of X."""
        return self.fit(X).dmap

    def transform(self, Y):
        """Diffusion coordinates of new points, of shape (n, n_features), or of one of shape (n_features,).

        Rows of points that see no point of the map are NaN, with a warning.
        """
        Y = np.atleast_2d(np.asarray(Y, dtype=np.float64))
        if np.array_equal(Y, self.data):
            return self.dmap
        return power_oos(self, Y) if self.oos == "power" else nystroem_oos(self, Y)

    @property
    def L(self):
        if "L" not in self._matrices:
            P = self.model.generator_.to_sparse()
            self._matrices["L"] = (P - identity(P.shape[0], format="csr")) / self.epsilon_fitted
        return self._matrices["L"]

    @property
    def kernel_matrix(self):
        if "kernel" not in self._matrices:
            self._matrices["kernel"] = self.local_kernel.compute()
        return self._matrices["kernel"]

    def _prepare(self, X):
        """Points, scale, density and weights."""
        self.data = np.ascontiguousarray(X, dtype=np.float64)
        self._matrices = {}
        self.local_kernel.fit(self.data)
        self.epsilon_fitted = self.local_kernel.epsilon_fitted
        if self.local_kernel.k < len(self.data):
            _warn_of_neighbours()
        if self.bandwidth_normalize:
            warn("bandwidth_normalize: there is no bandwidth, so nothing is done")
        self._sums = self._kernel_sums()
        self.q = self._sums if self.density_fxn is None else np.asarray(self.density_fxn(self.data), dtype=np.float64)
        _check(self.q, "density_fxn", len(self.data))
        self.right_norm_vec = self.q**-self.alpha
        self.weights = self._compute_weights(self.data)

    def _kernel_sums(self):
        options = itomap.DiffusionMap(**self._options())._definition()
        return np.array(_core.make_map(method="diffusion_map", points=self.data, alpha=0.0, **options).density)

    def _options(self):
        return dict(epsilon=self.epsilon_fitted, cutoff=CUTOFF, n_jobs=self.local_kernel.neighbor_params.get("n_jobs"))

    def _model(self, n_components):
        if self.weights is None and self.density_fxn is None:
            return itomap.DiffusionMap(n_components, alpha=self.alpha, **self._options()).fit(self.data)
        weights = 0.0 if self.weights is None else np.log(self.weights)
        log_target = 2 * (weights - self.alpha * np.log(self.q) + np.log(self._sums))
        return itomap.TargetMeasureDiffusionMap(n_components, **self._options()).fit(self.data, log_target=log_target)

    def _compute_weights(self, X):
        """The weight function, which takes one point at a time."""
        if self.weight_fxn is None:
            return None
        weights = np.array([self.weight_fxn(point) for point in X], dtype=np.float64).reshape(len(X))
        _check(weights, "weight_fxn", len(X))
        return weights

    def _refuse_parts(self):
        parts = self.model.diagnostics_["components"]
        if parts > 1 or not (self.evals < 0).all():
            raise ValueError(f"evals: with epsilon = {self.epsilon_fitted:.3g} the points are {parts} parts that do not "
                             "see each other, an eigenvalue is 0 and its coordinate infinite; take a larger epsilon")


class TMDmap(DiffusionMap):
    """The target measure diffusion map as pyDiffMap has it; the target is change_of_measure if alpha is 1.

    Parameters
    ----------
    change_of_measure : callable
        Of one point: the target density, up to a factor and larger than 0.
    **others
        As `DiffusionMap.from_sklearn` takes them.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-4, 4, 800)[:, None]
    >>> mydmap = TMDmap(alpha=1.0, n_evecs=3, epsilon=0.01, k=800, change_of_measure=lambda y: np.exp(-0.5 * y @ y))
    >>> mydmap.fit(x).evals.round(1)             # of the Ornstein-Uhlenbeck process
    array([-1., -2., -3.])
    """

    def __init__(self, alpha=0.5, k=64, kernel_type="gaussian", epsilon="bgh", n_evecs=1, neighbor_params=None,
                 metric="euclidean", metric_params=None, change_of_measure=None, density_fxn=None, bandwidth_type=None,
                 bandwidth_normalize=False, oos="nystroem"):
        if not callable(change_of_measure):
            raise ValueError(f"change_of_measure: {change_of_measure!r} is no function of a point")
        kernel = Kernel(kernel_type, epsilon, k, neighbor_params, metric, metric_params, bandwidth_type)
        super().__init__(kernel, alpha, n_evecs, weight_fxn=lambda point: np.sqrt(change_of_measure(point)),
                         density_fxn=density_fxn, bandwidth_normalize=bandwidth_normalize, oos=oos)


def nystroem_oos(dmap_object, Y):
    """One step of P from the points Y: unlike itomap's own extension not divided by the eigenvalue of the step."""
    _, total, weighted = _sums_at(dmap_object, Y)
    return weighted / total[:, None]


def power_oos(dmap_object, Y):
    """Each point of Y joins the map on its own, and takes the value at which the eigenvalue equation holds there."""
    density, total, weighted = _sums_at(dmap_object, Y)
    own = dmap_object._compute_weights(Y)
    own = density**-dmap_object.alpha * (1.0 if own is None else own)
    step = dmap_object.epsilon_fitted * dmap_object.evals
    return weighted / ((1 + step) * total[:, None] + step * own[:, None])


def _sums_at(dmap_object, Y):
    """Sums over the points of the map, as Y sees them: of ones, of the weights, of the weighted coordinates."""
    weights = dmap_object.right_norm_vec * (1.0 if dmap_object.weights is None else dmap_object.weights)
    columns = np.c_[np.ones(len(weights)), weights, weights[:, None] * dmap_object.dmap]
    sums = np.vstack([rows @ columns for rows in dmap_object.local_kernel.blocks(Y)])
    unseen = np.count_nonzero(sums[:, 1] == 0)
    if unseen:
        warn(f"transform: {unseen} of {len(Y)} points see no point of the map; their rows are NaN")
        sums[sums[:, 1] == 0] = np.nan
    return sums[:, 0], sums[:, 1], sums[:, 2:]


def _check(values, name, points):
    if values.shape != (points,):
        raise ValueError(f"{name}: shape {values.shape} for {points} points; one number for each is needed")
    bad = np.flatnonzero(~(np.isfinite(values) & (values > 0)))
    if bad.size:
        raise ValueError(f"{name}: {values[bad[0]]} at point {bad[0]} is no number > 0; where a density underflows, "
                         "give its logarithm to itomap.TargetMeasureDiffusionMap")


@functools.lru_cache(maxsize=None)  # once is enough
def _warn_of_neighbours():
    warn("k: the kernel is not cut at k neighbours, all of them count; k is for epsilon = 'bgh' alone")
