#!/usr/bin/env python3
"""Error bars at walls, over independent samples: does the truth lie where they say?

    bench/studies/walls.py [--points 1000000] [--seeds 10] [--epsilon 0.001] [--blocks 10] [--only NAME] [--itomap FILE]

The unit square with points of density 1/2 + x and the disc with 1 + x/2, each with a constant target and with e^x, under
bistochastic normalisation. Prints, for the five slowest modes, the largest error of rates_log at epsilon and of the extrapolated
values, and how often the truth lies within two standard errors; then the same rates by the paper's normalisation.
A million points and ten seeds take an hour on two cores.
"""
import pathlib
import sys
import tempfile

import numpy as np

import judged

PI2 = np.pi ** 2
# Neumann's eigenvalues. e^x on the square separates: pi^2 k^2 + 1/4 along x. Disc: squares of the zeros of derivatives of
# Bessel functions; e^x by a Galerkin method with Zernike polynomials of degree 14.
EXACT = {
    ("square", "constant"): [PI2, PI2, 2 * PI2, 4 * PI2, 4 * PI2],
    ("square", "exponential"): [PI2, PI2 + 0.25, 2 * PI2 + 0.25, 4 * PI2, 4 * PI2 + 0.25],
    ("disc", "constant"): [3.389958, 3.389958, 9.328363, 9.328363, 14.681971],
    ("disc", "exponential"): [3.511439, 3.616689, 9.506453, 9.507027, 14.931971],
}


def square(random, m):
    return np.c_[0.5 * (np.sqrt(1 + 8 * random.random(m)) - 1), random.random(m)]


def disc(random, m):
    found = np.empty((0, 2))
    while len(found) < m:
        p = random.uniform(-1, 1, (2 * m, 2))
        inside = (p ** 2).sum(axis=1) < 1
        found = np.vstack([found, p[inside & (1.5 * random.random(2 * m) < 1 + 0.5 * p[:, 0])]])
    return found[:m]


SHAPES = {"square": square, "disc": disc}


def arguments():
    parser = judged.parser(__doc__, 1_000_000, ["-".join(name) for name in EXACT])
    parser.add_argument("--epsilon", type=float, default=0.001)
    return parser.parse_args()


def run(options, scratch, normalization, *more):
    return judged.run(options, "tmd", "--points", scratch / "x.npy", "--log-target", scratch / "log_target.npy", "--epsilon",
                      options.epsilon, "--eigs", 5, "--normalization", normalization, *more)


def rates(result):
    return -np.array(result["rates_log"][1:6])


def measure(options, shape, target, seed, scratch):
    x = SHAPES[shape](np.random.default_rng(seed), options.points)
    np.save(scratch / "x.npy", x)
    np.save(scratch / "log_target.npy", x[:, 0] if target == "exponential" else np.zeros(len(x)))
    exact = np.array(EXACT[shape, target])
    paper = run(options, scratch, "paper")
    result = run(options, scratch, "bistochastic", "--error-bars", options.blocks)
    limit, error = (parts[:, 0] for parts in judged.extrapolated(result, len(exact)))
    return {"paper": np.abs(rates(paper) / exact - 1).max(), "bistochastic": np.abs(rates(result) / exact - 1).max(),
            "limit": np.abs(limit / exact - 1).max(), "z": (limit - exact) / error, "bar": (error / exact).max()}


def main():
    options = arguments()
    for name in EXACT:
        if options.only and options.only != "-".join(name):
            continue
        found = []
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            with tempfile.TemporaryDirectory(prefix="walls-") as scratch:
                found.append(measure(options, *name, seed, pathlib.Path(scratch)))
            one = found[-1]
            print(f"  seed {seed:3}: paper {one['paper']:.2%}  bistochastic {one['bistochastic']:.3%}  limit {one['limit']:.3%}  "
                  f"widest bar {one['bar']:.3%}  z {' '.join(f'{z:+.1f}' for z in one['z'])}", file=sys.stderr, flush=True)
        z = np.array([one["z"] for one in found])
        worst = {key: max(one[key] for one in found) for key in ("paper", "bistochastic", "limit")}
        print(f"{' '.join(name)}: worst of five modes, {options.seeds} samples of {options.points} points: paper {worst['paper']:.2%}, "
              f"bistochastic {worst['bistochastic']:.3%}, extrapolated {worst['limit']:.3%} (median "
              f"{np.median([one['limit'] for one in found]):.3%}); {judged.verdict(z)}", flush=True)


if __name__ == "__main__":
    main()
