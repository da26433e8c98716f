"""Two torsion angles: periodic coordinates, and the barrier between conformations.

    python3 examples/python/torsions.py             prints time scales and sets; draws torsions.png if matplotlib is there
"""
import numpy as np

import itomap

rng = np.random.default_rng(0)
angles = rng.uniform(-180, 180, size=(10_000, 2))  # degrees
phi, psi = np.radians(angles.T)
log_target = 1.5 * np.cos(2 * phi) + 1.0 * np.cos(psi)  # two minima in phi, one in psi

model = itomap.TMDmap(n_components=3, epsilon=30.0, period=[360, 360]).fit(angles, log_target=log_target)
print("time scales", model.timescales_[1:].round(0), "in units of degrees^2 / D")

sets = model.pcca(2)
print("weights", sets["weights"].round(2), "exit times", sets["exit_times"].round(0))

# Across -180 / 180 the slowest function goes on as if there were no border.
border = model.transform([[-179.9, 0.0], [179.9, 0.0]])[:, 0]
print("at either side of the border", border.round(3))

try:
    import matplotlib
    matplotlib.use("Agg")
    from itomap import plot
except ImportError:
    print("without matplotlib there is no picture")
else:
    figure, axes = matplotlib.pyplot.subplots(1, 2, figsize=(10, 4.5), constrained_layout=True)
    plot.eigenfunction(model, 1, ax=axes[0])
    plot.sets(model, sets, ax=axes[1])
    for axis in axes:
        axis.set(xlabel="phi (degrees)", ylabel="psi (degrees)")
    figure.savefig("torsions.png", dpi=120)
    print("torsions.png")
