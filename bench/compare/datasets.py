"""Points with exactly known spectra, drawn from a fixed seed: datasets.py NAME M FOLDER writes them as .npy files.

Runs as a process of its own: peak memory is inherited by child processes, so the one that measures must stay small.
"""
import pathlib
import sys

import numpy as np

SEED = 20


def well(x: np.ndarray) -> np.ndarray:
    """U = (x^2 - 1)^2 + y^2 (+ z^2 in space)."""
    return (x[:, 0] ** 2 - 1) ** 2 + np.sum(x[:, 1:] ** 2, axis=1)


def well_gradient(x: np.ndarray) -> np.ndarray:
    return np.column_stack([4 * x[:, 0] * (x[:, 0] ** 2 - 1), 2 * x[:, 1:]])


def sample_well(m: int, dimension: int) -> np.ndarray:
    """m independent points of exp(-U) in |x_i| < 2.5: even proposals, each kept with probability exp(-U)."""
    random = np.random.default_rng(SEED)
    points, have = np.empty((m, dimension)), 0
    while have < m:
        proposed = random.uniform(-2.5, 2.5, (1_000_000, dimension))
        kept = proposed[random.random(len(proposed)) < np.exp(-well(proposed))][:m - have]
        points[have:have + len(kept)] = kept
        have += len(kept)
    return points


def write_well(m: int, dimension: int, folder: pathlib.Path) -> None:
    """The sample follows exp(-U), the target is exp(-2U); the same process as drift -grad U and diffusion 1/2."""
    points = sample_well(m, dimension)
    np.save(folder / "points.npy", points)
    np.save(folder / "log_target.npy", -2 * well(points))
    np.save(folder / "drift.npy", -well_gradient(points))
    np.save(folder / "diffusion.npy", np.array([0.5]))


def write_circle(m: int, folder: pathlib.Path) -> None:
    """A circle of radius 1 in 12 dimensions, with noise of 0.05 in each of them."""
    random = np.random.default_rng(SEED)
    angle = random.uniform(0, 2 * np.pi, m)
    points = random.normal(0, 0.05, (m, 12))
    points[:, 0] += np.cos(angle)
    points[:, 1] += np.sin(angle)
    np.save(folder / "points.npy", points)


def write_circles(m: int, folder: pathlib.Path) -> None:
    """Two circles of radius 1 in planes of their own, in 30 dimensions with noise of 0.05 in each of them."""
    random = np.random.default_rng(SEED)
    angle = random.uniform(0, 2 * np.pi, m)
    plane = 2 * random.integers(0, 2, m)
    points = random.normal(0, 0.05, (m, 30))
    rows = np.arange(m)
    points[rows, plane] += np.cos(angle)
    points[rows, plane + 1] += np.sin(angle)
    np.save(folder / "points.npy", points)


def write_gyre(m: int, folder: pathlib.Path) -> None:
    """Two vortices that turn against each other on [0, 2] x [0, 1], with noise: not reversible."""
    points = np.random.default_rng(SEED).random((m, 2)) * [2, 1]
    x, y = np.pi * points.T
    np.save(folder / "points.npy", points)
    np.save(folder / "drift.npy", np.pi * np.column_stack([-np.sin(x) * np.cos(y), np.cos(x) * np.sin(y)]))
    np.save(folder / "diffusion.npy", np.array([0.05]))


def main(name: str, m: str, folder: str) -> None:
    where = pathlib.Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    if name == "circle":
        write_circle(int(m), where)
    elif name == "circles":
        write_circles(int(m), where)
    elif name == "gyre":
        write_gyre(int(m), where)
    else:
        write_well(int(m), {"well2": 2, "well3": 3}[name], where)


if __name__ == "__main__":
    main(*sys.argv[1:])
