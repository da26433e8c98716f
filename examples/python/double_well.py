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
    from matplotlib import pyplot
except ImportError:
    print("without matplotlib there is no picture")
else:
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 4), sharey=True, constrained_layout=True)
    for axis, values, title in ((axes[0], model.eigenfunctions_[:, 1], "slowest eigenfunction"),
                                (axes[1], passage["forward"], "committor")):
        figure.colorbar(axis.scatter(*points.T, c=values, s=2, cmap="cividis"), ax=axis, label=title)
    figure.savefig("double_well.png", dpi=120)
    print("double_well.png")
