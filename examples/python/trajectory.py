"""From a trajectory to time scales: drift and diffusion by Kramers-Moyal, then LKDmap.

    python3 examples/python/trajectory.py           prints estimated and exact time scales; draws trajectory.png
"""
import numpy as np

import itomap

# dX = -grad U dt + sqrt(2) dW, U = |x|^2 / 2 with a rotation: eigenvalues -1 +- i, -2, -2 +- 2i, ...
dt, steps = 0.01, 200_000
rng = np.random.default_rng(0)
noise = np.sqrt(2 * dt) * rng.normal(size=(steps, 2))
turn = np.array([[1 - dt, dt], [-dt, 1 - dt]])
frames = np.zeros((steps, 2))
for t in range(1, steps):
    frames[t] = turn @ frames[t - 1] + noise[t]

queries = frames[::40]
estimate = itomap.estimate_dynamics(frames, queries, dt=dt, n_neighbors=800, leave_out_poor=True)
print("diffusion", estimate["diffusion"].mean(axis=0).round(2).tolist(), "exact [[1, 0], [0, 1]]")

# The frames end somewhere: with these weights the process turns back there instead of being drawn inwards.
model = itomap.LKDmap(5, epsilon=0.05, eta=estimate["suggested_eta"], normalization="bistochastic")
model.fit(estimate["points"], drift=estimate["drift"], diffusion=estimate["diffusion"])
print("eigenvalues", model.eigenvalues_[1:].round(2), "exact -1 +- i, -2, ...")

try:
    import matplotlib
    matplotlib.use("Agg")
    from itomap import plot
except ImportError:
    print("without matplotlib there is no picture")
else:
    figure, axes = matplotlib.pyplot.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    plot.flow(model, estimate["drift"], ax=axes[0])
    plot.spectrum(model, errors=True, ax=axes[1])
    figure.savefig("trajectory.png", dpi=120)
    print("trajectory.png")
