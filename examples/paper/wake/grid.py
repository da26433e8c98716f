#!/usr/bin/python3
"""The window of the wake and what is stored of it.

grid.py points FILE           writes the points where OpenFOAM shall sample the velocity
grid.py pack SAMPLES FILE     makes wake.npz of what it sampled
"""

import sys

import numpy as np

POINTS = 255  # in each direction: 255^2 = 65,025, as in the paper
LEFT, BOTTOM, STEP = -0.1, 0.004, 0.004  # metres
SPEED = 40.0  # of the free flow, m/s
SEED = 2020


def window():
    x, y = np.meshgrid(LEFT + STEP * np.arange(POINTS), BOTTOM + STEP * np.arange(POINTS))
    return np.column_stack([x.ravel(), y.ravel()])


def write_points(file):
    with open(file, "w") as out:
        out.write("sets\n(\n  window\n  {\n    type cloud;\n    axis xyz;\n    points\n    (\n")
        out.writelines(f"({x:.6f} {y:.6f} 0.005)\n" for x, y in window())
        out.write("    );\n  }\n);\n")


def grid_index(places):
    column, row = np.rint((places - [LEFT, BOTTOM]) / STEP).astype(int).T
    return row * POINTS + column


def pack(samples, file):
    """Points without a sample lie inside the body: they get a random velocity, as in the paper."""
    table = np.loadtxt(samples)
    velocity = np.random.default_rng(SEED).uniform(-0.1 * SPEED, 0.1 * SPEED, (POINTS**2, 2))
    body = np.ones(POINTS**2)
    index = grid_index(table[:, :2])
    velocity[index] = table[:, 3:5]
    body[index] = 0
    single = np.float32
    np.savez_compressed(file, points=window().astype(single), velocity=velocity.astype(single), body=body.astype(single))
    print(f"{file}: {POINTS}^2 points, {int(body.sum())} of them inside the body")


if __name__ == "__main__":
    {"points": write_points, "pack": pack}[sys.argv[1]](*sys.argv[2:])
