"""pyDiffMap's kernel object: the choice of epsilon, and the kernel as a matrix for those who ask for it."""
import numbers

import numpy as np
from scipy.sparse import csr_matrix, vstack
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.neighbors import NearestNeighbors

CUTOFF = 1e-12  # of the kernel: four digits below the 1e-8 of itomap, for the same numbers as without one
_MOST_POINTS = 20_000
_BLOCK = 256
_SPEED_ONLY = {"algorithm", "leaf_size", "n_jobs", "p", "radius"}  # of a Euclidean search for k neighbours


class Kernel:
    """The Gaussian exp(-d^2 / (4 epsilon)).

    Parameters
    ----------
    kernel_type : "gaussian"
    epsilon : float, "bgh" or "bgh_generous"
        A number, or where the sum over the k nearest neighbours grows most steeply; twice that if generous.
    k : int
        Neighbours that ``"bgh"`` looks at. The kernel has all of them.
    neighbor_params : dict, optional
        ``n_jobs`` is taken, what else concerns the speed of the search is not needed.
    metric : "euclidean"
    metric_params, bandwidth_type : None

    Attributes
    ----------
    epsilon_fitted, d, data : scale, dimension (of ``"bgh"`` alone) and points, after `fit`

    Examples
    --------
    >>> import numpy as np
    >>> kernel = Kernel(k=10).fit(np.arange(100.0)[:, None])
    >>> float(kernel.epsilon_fitted), float(kernel.d)
    (0.25, 1.0)
    """

    def __init__(self, kernel_type="gaussian", epsilon="bgh", k=64, neighbor_params=None, metric="euclidean",
                 metric_params=None, bandwidth_type=None):
        if kernel_type != "gaussian":
            raise ValueError(f"kernel_type: {kernel_type!r} cannot be had; 'gaussian' is the one there is")
        if metric != "euclidean" or metric_params is not None:
            raise ValueError(f"metric: {metric!r} with metric_params {metric_params!r} cannot be had; 'euclidean' "
                             "without any is the one there is")
        if bandwidth_type is not None:
            raise ValueError("bandwidth_type: cannot be had; take None, or the bandwidth= of itomap.DiffusionMap")
        if not isinstance(epsilon, numbers.Number) and epsilon not in ("bgh", "bgh_generous"):
            raise ValueError(f"epsilon: {epsilon!r} is neither a number nor 'bgh' nor 'bgh_generous'")
        unknown = set(neighbor_params or {}) - _SPEED_ONLY
        if unknown:
            raise ValueError(f"neighbor_params: {sorted(unknown)} cannot be had; n_jobs is what counts")
        self.kernel_type, self.metric, self.metric_params, self.bandwidth_type = kernel_type, metric, None, None
        self.epsilon, self.k, self.neighbor_params = epsilon, k, dict(neighbor_params or {})
        self.epsilon_fitted = self.d = self.bandwidths = None

    def fit(self, X):
        """Keeps the points and chooses epsilon."""
        self.data = np.asarray(X)
        return self.choose_optimal_epsilon()

    def choose_optimal_epsilon(self, epsilon=None):
        """Sets `epsilon_fitted`, by another rule than the constructor's if one is given."""
        epsilon = self.epsilon if epsilon is None else epsilon
        if isinstance(epsilon, numbers.Number):
            self.epsilon_fitted = epsilon
            return self
        search = NearestNeighbors(n_neighbors=min(self.k, len(self.data)), n_jobs=self.neighbor_params.get("n_jobs"))
        distances, _ = search.fit(self.data).kneighbors(self.data)
        self.epsilon_fitted, self.d = choose_optimal_epsilon_BGH(distances**2)
        if epsilon == "bgh_generous":
            self.epsilon_fitted *= 2
        return self

    def compute(self, Y=None):
        """Kernel between the points Y, of shape (n, n_features), and the data, or within the data.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n, n_points)
            For at most 20,000 points; entries below 1e-12 are left out.
        """
        if len(self.data) > _MOST_POINTS:
            raise ValueError(f"kernel_matrix: {len(self.data)} points have too many entries to be listed; "
                             f"{_MOST_POINTS} are the most")
        rows = self.blocks(self.data if Y is None else np.asarray(Y))
        return vstack([csr_matrix(np.where(block < CUTOFF, 0, block)) for block in rows], format="csr")

    def blocks(self, Y):
        """Rows of the kernel matrix, as many at a time as memory does not feel."""
        for first in range(0, len(Y), _BLOCK):
            yield np.exp(-cdist(Y[first:first + _BLOCK], self.data, "sqeuclidean") / (4 * self.epsilon_fitted))


def choose_optimal_epsilon_BGH(scaled_distsq, epsilons=None):
    """The epsilon of Berry, Giannakis and Harlim (2015): where the sum of the kernel grows most steeply with it.

    Parameters
    ----------
    scaled_distsq : array-like
        Squared distances, in any shape.
    epsilons : array-like, optional
        To choose from; powers of 2 from 2^-40 to 2^40 unless given.

    Returns
    -------
    epsilon, d : float
        The choice, and the dimension that the steepness tells.
    """
    squares = np.ravel(scaled_distsq)
    epsilons = 2.0**np.arange(-40, 41) if epsilons is None else np.sort(np.asarray(epsilons, dtype=float))
    sums = [logsumexp(-squares / (4 * epsilon)) for epsilon in epsilons]
    steepness = np.diff(sums) / np.diff(np.log(epsilons))
    best = np.argmax(steepness)
    return epsilons[best], np.round(2 * steepness[best])
