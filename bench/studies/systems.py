#!/usr/bin/env python3
"""Error bars on systems that nothing was tuned on: does the truth lie where they say?

    bench/studies/systems.py [--points 200000] [--seeds 10] [--blocks 10] [--only NAME] [--itomap FILE]

A surface of Müller and Brown and a triple well, sampled at twice the temperature of the target; a sphere whose points lie in
patches; a process on a torus that circulates, with an A(x) that is full and differs from place to place. Epsilon is what
`--epsilon auto` chooses on the sample of seed 0, which is not judged. References: finite volumes on two grids, -l(l + 1), and a Galerkin
method with trigonometric polynomials.
"""
import pathlib
import sys
import tempfile

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import eigsh

import judged


def mueller_brown(x, y):
    """A fifteenth of the textbook's: barriers of two to seven."""
    terms = [(-200, -1, 0, -10, 1, 0), (-100, -1, 0, -10, 0, 0.5), (-170, -6.5, 11, -6.5, -0.5, 1.5), (15, 0.7, 0.6, 0.7, -1, 1)]
    return sum(h * np.exp(a * (x - s) ** 2 + b * (x - s) * (y - t) + c * (y - t) ** 2) for h, a, b, c, s, t in terms) / 15


def triple_well(x, y):
    return (6 * np.exp(-x ** 2 - (y - 1 / 3) ** 2) - 6 * np.exp(-x ** 2 - (y - 5 / 3) ** 2) - 10 * np.exp(-(x - 1) ** 2 - y ** 2)
            - 10 * np.exp(-(x + 1) ** 2 - y ** 2) + 0.4 * x ** 4 + 0.4 * (y - 1 / 3) ** 4)


class Plane:
    """exp(-U) in the plane, sampled by exp(-U / 2) where U is less than 14 above its minimum."""
    command = ["tmd"]
    deepest = 14.0

    def __init__(self, potential, box, modes):
        self.potential, self.box, self.modes = potential, np.array(box, dtype=float), modes

    def grid(self, cells):
        x, y = (low + (high - low) * (np.arange(cells) + 0.5) / cells for low, high in self.box)
        return np.meshgrid(x, y, indexing="ij")

    def sample(self, random, m):
        lowest = self.potential(*self.grid(400)).min()
        found = np.empty((0, 2))
        while len(found) < m:
            p = random.uniform(*self.box.T, (4 * m, 2))
            above = self.potential(*p.T) - lowest
            found = np.vstack([found, p[(above < self.deepest) & (random.random(len(p)) < np.exp(-above / 2))]])
        return found[:m]

    def write(self, x, scratch):
        np.save(scratch / "log_target.npy", -self.potential(*x.T))
        return ["--log-target", scratch / "log_target.npy"]

    def rates(self, cells):
        """Between cells of h x h the process goes at the rate (pi_j / pi_i)^1/2 / h^2."""
        u = self.potential(*self.grid(cells))
        number = np.arange(u.size).reshape(u.shape)
        width = (self.box[:, 1] - self.box[:, 0]) / cells
        size = (u.size, u.size)
        rates = sparse.csr_matrix(size)
        stays = np.zeros(u.size)
        for axis in range(2):
            first = np.take(number, range(cells - 1), axis).ravel()
            second = np.take(number, range(1, cells), axis).ravel()
            step = (u.ravel()[first] - u.ravel()[second]) / 2
            np.add.at(stays, first, np.exp(step) / width[axis] ** 2)
            np.add.at(stays, second, np.exp(-step) / width[axis] ** 2)
            one = sparse.csr_matrix((np.full(first.size, 1 / width[axis] ** 2), (first, second)), shape=size)
            rates = rates + one + one.T
        return np.sort(eigsh((sparse.diags(stays) - rates).tocsc(), self.modes + 1, sigma=-0.05, return_eigenvectors=False))[1:]

    def exact(self):
        coarse, fine = self.rates(160), self.rates(320)
        return np.c_[(4 * fine - coarse) / 3, np.zeros(self.modes)]


class Sphere:
    """Five patches on an even ground of a third of the points."""
    command = ["tmd"]
    modes = 8

    def sample(self, random, m):
        centres = np.random.default_rng(1).normal(size=(5, 3))
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
        x = random.normal(size=(m, 3))
        patchy = random.random(m) > 1 / 3
        x[patchy] = centres[random.integers(5, size=patchy.sum())] + 0.35 * x[patchy]
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    def write(self, x, scratch):
        np.save(scratch / "log_target.npy", np.zeros(len(x)))
        return ["--log-target", scratch / "log_target.npy"]

    def exact(self):
        return np.c_[[2.0] * 3 + [6.0] * 5, np.zeros(8)]


class Torus:
    """Two angles, unevenly sampled."""
    modes = 4
    command = ["lkd", "--period", f"{2 * np.pi},{2 * np.pi}"]

    @staticmethod
    def drift(x, y):
        return 0.6 + 0.5 * np.sin(y) - 0.4 * np.sin(x), 0.3 * np.cos(x) - 0.5 * np.sin(y - 1)

    @staticmethod
    def diffusion(x, y):
        return 1 + 0.4 * np.cos(y), 0.3 * np.sin(x + y), 0.7 + 0.25 * np.sin(x)

    def sample(self, random, m):
        found = np.empty((0, 2))
        while len(found) < m:
            p = random.uniform(0, 2 * np.pi, (3 * m, 2))
            chance = (1 + 0.6 * np.cos(p[:, 0] - 1)) * (1 + 0.6 * np.sin(p[:, 1])) / 2.56
            found = np.vstack([found, p[random.random(len(p)) < chance]])
        return found[:m]

    def write(self, x, scratch):
        a, b, c = self.diffusion(*x.T)
        np.save(scratch / "drift.npy", np.c_[self.drift(*x.T)])
        np.save(scratch / "diffusion.npy", np.stack([a, b, b, c], axis=1).reshape(-1, 2, 2))
        return ["--drift", scratch / "drift.npy", "--diffusion", scratch / "diffusion.npy"]

    def exact(self):
        """On e^(i k x + i l y), |k|, |l| <= 10; products with coefficients by values on a grid."""
        largest, cells = 10, 32
        k = np.array([(i, j) for i in range(-largest, largest + 1) for j in range(-largest, largest + 1)])
        x, y = np.meshgrid(*[2 * np.pi * np.arange(cells) / cells] * 2, indexing="ij")
        waves = np.exp(1j * (np.multiply.outer(x, k[:, 0]) + np.multiply.outer(y, k[:, 1]))).reshape(cells ** 2, -1)
        (b1, b2), (a, b, c) = self.drift(x.ravel(), y.ravel()), self.diffusion(x.ravel(), y.ravel())
        image = 1j * (np.outer(b1, k[:, 0]) + np.outer(b2, k[:, 1]))
        image -= np.outer(a, k[:, 0] ** 2) + 2 * np.outer(b, k[:, 0] * k[:, 1]) + np.outer(c, k[:, 1] ** 2)
        values = np.linalg.eigvals(waves.conj().T @ (image * waves) / cells ** 2)
        values = values[np.argsort(-values.real)][1:self.modes + 1]
        return np.c_[-values.real, np.abs(values.imag)]


SYSTEMS = {
    "mueller-brown": Plane(mueller_brown, [(-2.0, 1.6), (-0.9, 2.5)], 3),
    "triple-well": Plane(triple_well, [(-2.6, 2.6), (-2.2, 3.0)], 3),
    "sphere": Sphere(),
    "torus": Torus(),
}


def measure(options, system, seed, epsilon, scratch, *more):
    x = system.sample(np.random.default_rng(seed), options.points)
    np.save(scratch / "x.npy", x)
    return judged.run(options, *system.command, "--points", scratch / "x.npy", *system.write(x, scratch), "--epsilon", epsilon,
                      "--eigs", system.modes, *more)


def scores(result, exact):
    """z and the relative error of decay and, where there is any, rotation."""
    limit, error = judged.extrapolated(result, len(exact))
    there = np.abs(exact) > 1e-9
    size = np.linalg.norm(exact, axis=1)[:, None] * np.ones(2)
    return ((limit - exact) / error)[there], (np.abs(limit - exact) / size)[there], (error / size)[there]


def main():
    parser = judged.parser(__doc__, 200_000, list(SYSTEMS))
    parser.add_argument("--epsilon", help="instead of what auto chooses")
    options = parser.parse_args()
    for name, system in SYSTEMS.items():
        if options.only and options.only != name:
            continue
        exact = system.exact()
        z, off = [], []
        with tempfile.TemporaryDirectory(prefix="systems-") as directory:
            scratch = pathlib.Path(directory)
            epsilon = options.epsilon or measure(options, system, 0, "auto", scratch)["epsilon"]
            print(f"{name}: epsilon {float(epsilon):.4g}, exact {' '.join(f'{a:.5g}' + (f'+{b:.5g}i' if b else '') for a, b in exact)}",
                  file=sys.stderr, flush=True)
            for seed in range(options.first_seed, options.first_seed + options.seeds):
                one = scores(measure(options, system, seed, epsilon, scratch, "--error-bars", options.blocks), exact)
                z.append(one[0])
                off.append(one[1])
                print(f"  seed {seed:3}: off by at most {one[1].max():.2%}  widest bar {one[2].max():.2%}  "
                      f"z {' '.join(f'{v:+.1f}' for v in one[0])}", file=sys.stderr, flush=True)
        z = np.array(z)
        worst = np.max(off, axis=1)
        print(f"{name}: {options.seeds} samples of {options.points} points, epsilon {float(epsilon):.4g}: worst value off by {worst.max():.2%} (median "
              f"of samples {np.median(worst):.2%}); {judged.verdict(z)}", flush=True)


if __name__ == "__main__":
    main()
