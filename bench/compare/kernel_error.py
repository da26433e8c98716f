"""Runs itomap and adds to its result.json how far its densities are from row sums of the kernel, on rows of its own.

    kernel_error.py itomap dmap --points FILE --epsilon X .. --out OUT
"""
import json
import pathlib
import subprocess
import sys

import numpy as np

ROWS = 500


def argument(name: str) -> str:
    return sys.argv[sys.argv.index(name) + 1]


def main() -> None:
    subprocess.run(sys.argv[1:], check=True)
    out = pathlib.Path(argument("--out"))
    points, density = np.load(argument("--points")), np.load(out / "density.npy")
    random = np.random.default_rng(1)
    errors = []
    for i in random.choice(len(points), min(ROWS, len(points)), replace=False):
        exact = np.exp(((points - points[i]) ** 2).sum(axis=1) * (-0.25 / float(argument("--epsilon")))).sum()
        errors.append(density[i] / exact - 1)
    result = json.loads((out / "result.json").read_text())
    result["true"] = {"sum_error": float(np.sqrt(np.mean(np.square(errors))))}
    (out / "result.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()
