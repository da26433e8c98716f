"""What the studies of error bars share: runs of the command line, and what their bars say about a known truth."""
import argparse
import json
import os
import pathlib
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]


def parser(doc, points, names):
    result = argparse.ArgumentParser(description=doc.splitlines()[0])
    result.add_argument("--points", type=int, default=points)
    result.add_argument("--seeds", type=int, default=10)
    result.add_argument("--first-seed", type=int, default=1)
    result.add_argument("--blocks", type=int, default=10)
    result.add_argument("--only", choices=names)
    result.add_argument("--itomap", default=os.environ.get("ITOMAP", ROOT / "build/release/bin/itomap"))
    return result


def run(options, *arguments):
    """result.json of a run that must succeed."""
    command = [options.itomap, *arguments, "--json", "--quiet"]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def extrapolated(result, modes):
    """Of the slowest modes that are not flagged: decay and rotation at epsilon -> 0, and their errors, modes x 2."""
    trusted = [n for n in range(1, len(result["eigenvalues"])) if n not in result["spurious"]][:modes]
    bars = result["error_bars"]
    limit = np.array(bars["extrapolated"], dtype=float)[trusted]
    error = np.array(bars["extrapolated_errors"], dtype=float)[trusted]  # null, not a number: unknown
    return np.c_[-limit[:, 0], np.abs(limit[:, 1])], error


def verdict(z):
    """Of z = (extrapolated - truth) / error, samples x modes."""
    runs = np.mean(np.all(np.abs(z) < 2, axis=1))
    by_mode = " ".join(f"{v:.2f}" for v in np.mean(z ** 2, axis=0))
    return (f"within two errors {np.mean(np.abs(z) < 2):.0%} of values (all of them in {runs:.0%} of samples), "
            f"mean z^2 {np.mean(z ** 2):.2f}, by mode {by_mode}")
