"""Shortest paths on a graph instead of coordinates: a spiral unrolls.

    python3 examples/python/graph_distances.py      prints eigenvalues beside those of a line; draws graph_distances.png
"""
import numpy as np
from scipy.sparse.csgraph import shortest_path
from sklearn.neighbors import kneighbors_graph

import itomap

# Points on a spiral whose arms are close to each other: straight lines between them say little.
rng = np.random.default_rng(0)
length = rng.uniform(0, 1, 1500)
angle = 2 * np.pi * np.sqrt(1 + 24 * length)
points = np.c_[angle * np.cos(angle), angle * np.sin(angle)]

graph = kneighbors_graph(points, 8, mode="distance")
geodesic = shortest_path(graph, directed=False)
model = itomap.DiffusionMap(n_components=3, alpha=1.0, metric="precomputed").fit(geodesic)

along = geodesic.max()  # the spiral's length
print("eigenvalues  ", model.eigenvalues_[1:].round(6))
print("of a line    ", (-(np.pi * np.arange(1, 4) / along) ** 2).round(6))
correlation = abs(np.corrcoef(model.embedding_[:, 0], np.cos(np.pi * length))[0, 1])
print("first function and cos(pi s / l): correlation", correlation.round(4))

try:
    from matplotlib import pyplot
except ImportError:
    print("without matplotlib there is no picture")
else:
    figure, axis = pyplot.subplots(constrained_layout=True)
    figure.colorbar(axis.scatter(*points.T, c=model.eigenfunctions_[:, 1], s=4, cmap="cividis"), ax=axis)
    axis.set(aspect="equal", title="slowest eigenfunction, by shortest paths")
    figure.savefig("graph_distances.png", dpi=120)
    print("graph_distances.png")
