"""A double well from a biased sample: the process of a density that the points do not follow.

    python3 examples/python/double_well.py          prints the time scales; draws double_well.png if matplotlib is there
"""
import numpy as np

import itomap

rng = np.random.default_rng(0)
points = rng.uniform([-2.2, -2.0], [2.2, 2.0], size=(20_000, 2))  # anywhere: the sample is not the model
log_target = -2.0 * ((points[:, 0]**2 - 1)**2 + points[:, 1]**2)

model = itomap.TMDmap(n_components=4, epsilon=0.01).fit(points, log_target=log_target)
print(model.timescales_[1:])

sets = model.pcca(2)
print("weights of the wells", sets["weights"].round(3))
passage = model.committor(points[:, 0] < -1, points[:, 0] > 1)
print("rate from left to right", round(passage["rate"], 4))

try:
    import matplotlib
    matplotlib.use("Agg")
    from itomap import plot
except ImportError:
    print("without matplotlib there is no picture")
else:
    figure, axes = matplotlib.pyplot.subplots(1, 3, figsize=(14, 4), constrained_layout=True)
    plot.eigenfunction(model, 1, ax=axes[0])
    plot.committor(model, passage, ax=axes[1])
    plot.timescales(model, errors=True, ax=axes[2])
    figure.savefig("double_well.png", dpi=120)
    print("double_well.png")
