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
    from itomap import plot
except ImportError:
    print("without matplotlib there is no picture")
else:
    figure, axes = matplotlib.pyplot.subplots(1, 3, figsize=(14, 4), constrained_layout=True)
    plot.eigenfunction(model, 1, part="phase", ax=axes[0])
    plot.flow(model, ax=axes[1])
    plot.spectrum(model, ax=axes[2])
    figure.savefig("rotating_flow.png", dpi=120)
    print("rotating_flow.png")
