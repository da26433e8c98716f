#!/usr/bin/env python3
"""What the Python call costs over the C++ call: the same map by itomap.TMDmap and by the command line, in turns.

    PYTHONPATH=build/release/python bench/compare/python_overhead.py --itomap build/release/bin/itomap

Of the command line its own clock counts, kernel and eigenpairs without start and files; of Python all of fit(). On a busy machine
look at the processor time, which of the command line includes start and files.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import tempfile
import time
import warnings

import numpy as np

import itomap


def processor_seconds(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def cpp_seconds(program, folder, epsilon):
    before = processor_seconds(resource.RUSAGE_CHILDREN)
    text = subprocess.run([program, "tmd", "--points", folder / "x.npy", "--log-target", folder / "log_target.npy", "--epsilon",
                           str(epsilon), "--json", "--quiet"], check=True, capture_output=True, text=True).stdout
    seconds = json.loads(text)["seconds"]
    return seconds["kernel"] + seconds["eigenpairs"], processor_seconds(resource.RUSAGE_CHILDREN) - before


def python_seconds(x, log_target, epsilon):
    start, before = time.perf_counter(), processor_seconds(resource.RUSAGE_SELF)
    itomap.TMDmap(epsilon=epsilon).fit(x, log_target=log_target)
    return time.perf_counter() - start, processor_seconds(resource.RUSAGE_SELF) - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--itomap", default="build/release/bin/itomap")
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--epsilon", type=float, default=0.01)
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    x = np.random.default_rng(1).uniform(-2, 2, size=(options.points, 2))
    log_target = -4.0 * (x[:, 0] ** 2 - 1) ** 2 - 2.0 * x[:, 1] ** 2
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.save(folder / "x.npy", x)
        np.save(folder / "log_target.npy", log_target)
        times = [(cpp_seconds(options.itomap, folder, options.epsilon), python_seconds(x, log_target, options.epsilon))
                 for _ in range(options.turns)]
    for name, (cpp, python) in zip(("clock", "processor"), np.min(times, axis=0).T):
        print(f"{options.points} points, best of {options.turns}, {name}: C++ {cpp:.3f} s, Python {python:.3f} s, "
              f"ratio {python / cpp:.3f}")


if __name__ == "__main__":
    main()
