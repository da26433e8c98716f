"""Other packages on the same points, with the same kernel wherever they can express it: peers.py NAME OUT POINTS ...

Each runs in the interpreter that bench/compare/setup made for it. Points of exp(-U) with alpha = 0 have the same limit
as the target exp(-2U), so packages without a target density are compared with the same exact eigenvalues.
"""
import json
import pathlib
import resource
import sys
from typing import Optional

import numpy as np

PAIRS = 10


def scikit_learn(points: np.ndarray, log_target: np.ndarray, epsilon: float) -> tuple[np.ndarray, None]:
    from sklearn.manifold import SpectralEmbedding
    model = SpectralEmbedding(n_components=PAIRS - 1, affinity="rbf", gamma=0.25 / epsilon, random_state=0)
    return model.fit_transform(points), None  # keeps no eigenvalues


def pydiffmap(points: np.ndarray, log_target: np.ndarray, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    from pydiffmap.diffusion_map import TMDmap
    target = {point.tobytes(): value for point, value in zip(points, np.exp(log_target))}
    # Only a number of neighbours can be given, no radius: all of them, or the kernel would be another.
    model = TMDmap(alpha=1.0, k=len(points), epsilon=epsilon, n_evecs=PAIRS - 1,
                   change_of_measure=lambda point: target[point.tobytes()])
    return model.fit_transform(points), np.concatenate([[0.0], model.evals])


def datafold(points: np.ndarray, log_target: np.ndarray, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    from datafold.dynfold import DiffusionMaps
    from datafold.pcfold import GaussianKernel
    # Its kernel is exp(-r^2 / 2 epsilon). No cut-off: it would factorise the sparse matrix, which takes far more memory
    # and time than the dense one here.
    kernel = GaussianKernel(epsilon=2 * epsilon)
    model = DiffusionMaps(kernel, n_eigenpairs=PAIRS, alpha=0.0).fit(points)
    return np.asarray(model.eigenvectors_), (np.sort(np.real(model.eigenvalues_))[::-1] - 1) / epsilon


def tapkee(points: np.ndarray, log_target: np.ndarray, epsilon: float) -> tuple[np.ndarray, None]:
    import tapkee as package
    # Its kernel is exp(-r^2 / width) and its alpha is always 1, with another limit; it keeps no eigenvalues.
    return package.embed(np.asfortranarray(points.T), method="dm", target_dimension=PAIRS - 1,
                         gaussian_kernel_width=4 * epsilon, diffusion_map_timesteps=1, eigen_method="arpack"), None


def limit_memory() -> None:
    """A peer that asks for too much gets a MemoryError before the machine runs out."""
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
            resource.setrlimit(resource.RLIMIT_AS, (free, free))


PEERS = {"scikit-learn": scikit_learn, "pyDiffMap": pydiffmap, "datafold": datafold, "Tapkee": tapkee}


def main(name: str, out: str, points: str, log_target: str, epsilon: str) -> None:
    limit_memory()
    functions, eigenvalues = PEERS[name](np.load(points), np.load(log_target), float(epsilon))
    folder = pathlib.Path(out)
    folder.mkdir()
    np.save(folder / "eigenfunctions.npy", functions)
    listed: Optional[list[float]] = None if eigenvalues is None else eigenvalues.tolist()
    (folder / "result.json").write_text(json.dumps({"eigenvalues": listed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
