"""A Swiss roll with more points on one side: geometry alone, whatever the density.

    python3 examples/python/swiss_roll.py           prints how well the roll is unrolled; draws swiss_roll.png
"""
import numpy as np

import itomap

rng = np.random.default_rng(0)
along = 1.5 * np.pi * (1 + 2 * rng.beta(1.5, 3.0, size=6_000))  # most of them at the inner end
across = rng.uniform(0, 10, size=along.size)
points = np.c_[along * np.cos(along), across, along * np.sin(along)]

# alpha = 1 is the Laplace-Beltrami operator; wider kernels where points are rare.
model = itomap.DiffusionMap(n_components=3, epsilon=0.5, alpha=1.0, bandwidth=0.5).fit(points)
slowest = model.embedding_[:, 0]
order = np.argsort(along)
print("rank correlation with the length along the roll",
      abs(np.corrcoef(np.argsort(np.argsort(slowest)), np.argsort(order))[0, 1]).round(3))

try:
    import matplotlib
    matplotlib.use("Agg")
    from itomap import plot
except ImportError:
    print("without matplotlib there is no picture")
else:
    figure, axes = matplotlib.pyplot.subplots(1, 3, figsize=(14, 4), constrained_layout=True)
    plot.eigenfunction(model, 1, coordinates=(0, 2), ax=axes[0])
    plot.eigenfunction(model, 1, points=np.c_[along, across], ax=axes[1]).set(xlabel="along", ylabel="across")
    plot.embedding(model, color=along, label="along", ax=axes[2])
    figure.savefig("swiss_roll.png", dpi=120)
    print("swiss_roll.png")
