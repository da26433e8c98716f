"""The generator of a fitted map as linear operators."""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import LinearOperator

_MOST_POINTS = 20_000
_BLOCK = 256


class Generator:
    """Backward and forward generator and transition matrix of a map, applied without being stored.

    Attributes
    ----------
    backward : scipy.sparse.linalg.LinearOperator
        L = (P - I) / epsilon: acts on functions of the points (Kolmogorov).
    forward : scipy.sparse.linalg.LinearOperator
        L*: acts on densities with respect to volume (Fokker-Planck).
    transition : scipy.sparse.linalg.LinearOperator
        The Markov matrix P of one step of the time ``time_step``.

    Examples
    --------
    >>> import numpy as np, itomap
    >>> x = np.random.default_rng(1).normal(size=(200, 1))
    >>> generator = itomap.DiffusionMap(n_components=2, epsilon=0.1).fit(x).generator_
    >>> bool(abs(generator.backward @ np.ones(200)).max() < 1e-12)
    True
    """

    def __init__(self, core_map: Any) -> None:
        self._map = core_map
        shape = (core_map.size, core_map.size)
        self.time_step = core_map.time_step
        self.backward = LinearOperator(shape, matvec=_of_vectors(core_map.backward), dtype=np.float64)
        self.forward = LinearOperator(shape, matvec=_of_vectors(core_map.forward), dtype=np.float64)
        step, transposed = _of_blocks(core_map.markov), _of_blocks(core_map.markov_transpose)
        self.transition = LinearOperator(
            shape, matvec=lambda f: step(f.reshape(-1, 1))[:, 0], matmat=step,
            rmatvec=lambda w: transposed(w.reshape(-1, 1))[:, 0], rmatmat=transposed, dtype=np.float64)

    def to_sparse(self) -> csr_matrix:
        """P as a SciPy matrix in CSR format, for at most 20,000 points.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_points, n_points)
        """
        m = self._map.size
        if m > _MOST_POINTS:
            raise ValueError(f"to_sparse: {m} points have too many entries to be listed; {_MOST_POINTS} are the most, "
                             "and `transition` applies the matrix to any number of vectors")
        blocks = []
        for first in range(0, m, _BLOCK):
            rows = np.zeros((m, min(_BLOCK, m - first)))
            rows[first:first + rows.shape[1]] = np.eye(rows.shape[1])
            blocks.append(csr_matrix(self._map.markov_transpose(rows).T))
        from scipy.sparse import vstack
        return vstack(blocks, format="csr")


def _of_blocks(product):
    """A real matrix applied to real or complex values."""
    def apply(values):
        if np.iscomplexobj(values):
            return product(np.ascontiguousarray(values.real)) + 1j * product(np.ascontiguousarray(values.imag))
        return product(np.asarray(values, dtype=np.float64))
    return apply


def _of_vectors(product):
    apply = _of_blocks(product)
    return lambda values: apply(values.reshape(-1))
