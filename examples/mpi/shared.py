"""A fit that several processes share, by mpi4py.

    mpirun -n 4 python3 -m mpi4py examples/mpi/shared.py       writes result/

-m mpi4py: an exception in one process ends all of them.
"""
import numpy as np
from mpi4py import MPI

import itomap

rng = np.random.default_rng(0)  # the same points in all processes
points = rng.normal(0, 0.05, size=(4000, 6))
angle = rng.uniform(0, 2 * np.pi, 4000)
points[:, :2] += np.c_[np.cos(angle), np.sin(angle)]

with itomap.shared(MPI.COMM_WORLD):
    model = itomap.DiffusionMap(4, epsilon=0.02, alpha=1, engine="sparse").fit(points)
slope = model.generator_.backward @ points[:, 0]  # a product with the kernel: for all processes together
if MPI.COMM_WORLD.rank == 0:
    print(model.eigenvalues_.round(2))
    itomap.save_result(model, "result")
