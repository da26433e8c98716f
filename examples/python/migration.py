"""From pyDiffMap or datafold to itomap: the same maps in other words.

    python3 examples/python/migration.py            prints the same eigenvalues twice, and those that datafold would give
"""
import numpy as np

import itomap
from itomap.compat.pydiffmap import diffusion_map as dm  # was: from pydiffmap import diffusion_map as dm

angle = np.random.default_rng(0).uniform(0, 2 * np.pi, 2_000)
points = np.c_[2 * np.cos(angle), np.sin(angle)]  # an ellipse: a curve without ends


def change_of_measure(point):
    return np.exp(-2 * point[0]**2)


# A script for pyDiffMap, as it was but for the import.
mydmap = dm.TMDmap(alpha=1.0, n_evecs=4, epsilon=0.05, k=2_000, change_of_measure=change_of_measure)
dmap = mydmap.fit_transform(points)
print("pyDiffMap's words", mydmap.evals.round(5))

# The same in itomap's: the logarithm of the target at all points, the same epsilon, and no number of neighbours.
log_target = -2 * points[:, 0]**2
model = itomap.TMDmap(n_components=4, epsilon=0.05).fit(points, log_target=log_target)
print("itomap's words   ", model.eigenvalues_[1:5].round(5))
evecs = model.eigenfunctions_[:, 1:5] / np.linalg.norm(model.eigenfunctions_[:, 1:5], axis=0)
print("largest difference of vectors", abs(abs(evecs) - abs(mydmap.evecs)).max().round(6))

# What datafold calls DiffusionMaps(GaussianKernel(epsilon=0.1), n_eigenpairs=5, alpha=1.0): half its epsilon.
model = itomap.DiffusionMap(n_components=4, epsilon=0.05, alpha=1.0).fit(points)
print("datafold's eigenvalues", (1 + model.epsilon_ * model.eigenvalues_[:5]).round(5))
