"""A flow that turns: an irreversible process has complex eigenvalues.

    python3 examples/python/rotating_flow.py        prints decay and rotation; draws rotating_flow.png if matplotlib is there
"""
import numpy as np

import itomap


def drift(x):
    """Pulled to the unit circle, and turned by one radian a unit of time."""
    radius = np.linalg.norm(x, axis=1, keepdims=True)
    return x * (1 - radius**2) + np.c_[-x[:, 1], x[:, 0]]


points = np.random.default_rng(0).uniform(-1.9, 1.9, size=(8_000, 2))
# Functions of points: the map can then be evaluated at new points, too.
model = itomap.LKDmap(n_components=4, epsilon=0.02, drift=drift, diffusion=0.1).fit(points)
for value in model.eigenvalues_[1:]:
    print(f"decays at the rate {-value.real:.3f}, turns by {value.imag:+.3f} a unit of time")
print("on the circle:", model.transform([[1.0, 0.0], [0.0, 1.0]])[:, :2].round(2).tolist())

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    print("without matplotlib there is no picture")
else:
    figure, axis = pyplot.subplots(constrained_layout=True)
    phase = np.angle(model.eigenfunctions_[:, 1])
    figure.colorbar(axis.scatter(*points.T, c=phase, s=3, cmap="twilight"), ax=axis, label="phase of psi_1")
    some = points[:400]
    axis.quiver(*some.T, *drift(some).T, color="0.1", width=0.004)
    axis.set_aspect("equal")
    figure.savefig("rotating_flow.png", dpi=120)
    print("rotating_flow.png")
