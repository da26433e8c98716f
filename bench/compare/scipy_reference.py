"""The diffusion map a good user writes with NumPy and SciPy: the measure of every ratio.

    scipy_reference.py OUT --points FILE --epsilon X [--log-target FILE | --alpha A] [--pairs K]
    scipy_reference.py OUT --points FILE --epsilon X --drift FILE --diffusion FILE [--pairs K]

Files in, files out, like itomap. Choices that were timed at 10,000 points with 7,000 neighbours each, all for speed:
query_pairs beats sparse_distance_matrix; distances column by column beat rows of differences; a product with the
upper triangle and its transpose beats the sum K = T + T' + I, which takes longer to form than it saves.
"""
import argparse
import json
import pathlib
from typing import Callable, Optional

import numpy as np
import scipy
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import LinearOperator, eigs, eigsh
from scipy.spatial import cKDTree

CUTOFF = 1e-8      # entries of K below it are left out: itomap's default
TOLERANCE = 1e-9   # of each residual: itomap's default

Product = Callable[[np.ndarray], np.ndarray]


def squared_distances(points: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    total = np.zeros(len(i))
    for column in np.ascontiguousarray(points.T):
        difference = column[i]
        difference -= column[j]
        difference *= difference
        total += difference
    return total


def kernel(points: np.ndarray, epsilon: float) -> Product:
    """x -> K x with K_ij = exp(-|x_i - x_j|^2 / 4 epsilon)."""
    m = len(points)
    pairs = cKDTree(points).query_pairs(np.sqrt(-4 * epsilon * np.log(CUTOFF)), output_type="ndarray")
    i, j = np.ascontiguousarray(pairs.T, dtype=np.int32)
    del pairs
    values = squared_distances(points, i, j)
    values *= -0.25 / epsilon
    np.exp(values, out=values)
    upper = csr_matrix((values, (i, j)), shape=(m, m))
    lower = upper.T
    return lambda x: upper @ x + lower @ x + x


def solve(product: Product, weights: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Eigenvalues of P = diag(K d)^-1 K diag(d), its right eigenvectors, weights of averages, and products used."""
    sums = product(weights)
    scale = np.sqrt(weights / sums)
    used = 0

    def symmetric(x: np.ndarray) -> np.ndarray:
        nonlocal used
        used += 1
        return scale * product(scale * x)

    m = len(weights)
    values, vectors = eigsh(LinearOperator((m, m), matvec=symmetric, dtype=np.float64), k=count, which="LA", tol=TOLERANCE)
    order = np.argsort(-values)
    stationary = weights * sums
    stationary /= stationary.sum()
    return values[order], vectors[:, order] / np.sqrt(stationary)[:, None], stationary, used


def local_matrix(points: np.ndarray, drift: np.ndarray, a: float, epsilon: float) -> tuple[csr_matrix, np.ndarray]:
    """P of a local kernel with A = a I, and the density of the points."""
    m, length = len(points), 4 * epsilon * a
    density = kernel(points, epsilon * a)(np.ones(m))
    ends = points + epsilon * drift
    lists = cKDTree(points).query_ball_point(ends, np.sqrt(-length * np.log(CUTOFF)))
    i, j = np.repeat(np.arange(m), [len(near) for near in lists]), np.concatenate(lists).astype(np.int32)
    values = np.exp(-np.sum((ends[i] - points[j]) ** 2, axis=1) / length) / density[j]
    p = csr_matrix((values, (i, j)), shape=(m, m))
    p.data /= np.repeat(np.asarray(p.sum(axis=1)).ravel(), np.diff(p.indptr))
    return p, density


def save_local(options: argparse.Namespace) -> None:
    """Right eigenvectors alone: ARPACK would have to be called again, with the transpose, for the left ones."""
    p, density = local_matrix(np.load(options.points), np.load(options.drift), float(np.load(options.diffusion)[0]),
                              options.epsilon)
    used = 0

    def product(x: np.ndarray) -> np.ndarray:
        nonlocal used
        used += 1
        return p @ x

    operator = LinearOperator(p.shape, matvec=product, dtype=np.float64)
    values, functions = eigs(operator, k=options.pairs, which="LR", tol=TOLERANCE, ncv=max(40, 4 * options.pairs))
    eigenvalues = (values[np.argsort(-values.real)] - 1) / options.epsilon
    options.out.mkdir()
    np.save(options.out / "eigenvalues.npy", eigenvalues)
    np.save(options.out / "eigenfunctions.npy", functions)
    np.save(options.out / "density.npy", density)
    summary = {"eigenvalues": [[value.real, value.imag] for value in eigenvalues], "matvecs": used, "version": scipy.__version__}
    (options.out / "result.json").write_text(json.dumps(summary))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--points", required=True)
    parser.add_argument("--epsilon", type=float, required=True)
    parser.add_argument("--log-target")
    parser.add_argument("--drift")
    parser.add_argument("--diffusion")
    parser.add_argument("--alpha", type=float, default=0.5)
    parser.add_argument("--pairs", type=int, default=10)
    options = parser.parse_args()
    if options.drift:
        save_local(options)
        return

    points = np.load(options.points)
    log_target: Optional[np.ndarray] = np.load(options.log_target) if options.log_target else None
    product = kernel(points, options.epsilon)
    density = product(np.ones(len(points)))
    if log_target is None:
        weights = density ** -options.alpha
    else:
        weights = np.exp(0.5 * (log_target - log_target.max())) / density
    values, functions, stationary, used = solve(product, weights, options.pairs)

    eigenvalues = (values - 1) / options.epsilon
    options.out.mkdir()
    np.save(options.out / "eigenvalues.npy", eigenvalues)
    np.save(options.out / "eigenfunctions.npy", functions)
    np.save(options.out / "stationary.npy", stationary)
    np.save(options.out / "density.npy", density)
    summary = {"eigenvalues": eigenvalues.tolist(), "matvecs": used, "version": scipy.__version__}
    (options.out / "result.json").write_text(json.dumps(summary))


if __name__ == "__main__":
    main()
