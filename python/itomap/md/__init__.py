"""Molecules: from files of a simulation to features, and from sets and committors back to structures.

Reads what MDAnalysis or MDTraj reads, a block of frames at a time; either may be absent. Nanometres and picoseconds,
angles in radians unless degrees are asked for.

    runs = md.Trajectories("protein.pdb", ["run1.xtc", "run2.xtc"])
    features = md.dihedrals(runs, "phi psi")
    model = itomap.DiffusionMap(period=features.period).fit(features)
    md.write_sets(features, model, model.pcca(3), "conformations")

>>> import MDAnalysis, numpy as np
>>> from itomap import md
>>> molecule = MDAnalysis.Universe.empty(2, trajectory=True)
>>> frames = np.zeros((5, 2, 3))
>>> frames[:, 1, 0] = [10, 11, 12, 13, 14]                     # angstroms
>>> runs = md.Trajectories(molecule.load_new(frames, dt=0.5), stride=2)
>>> features = md.distances(runs, [[0, 1]])
>>> features.values.ravel(), features.dt, features.locate(1)   # nm, ps, trajectory and frame
(array([1. , 1.2, 1.4]), 1.0, (0, 2))
"""
from ._collect import aligned_coordinates, dihedrals, distances, pairwise_rmsd, rmsd
from ._features import Features, join
from ._frames import committor_path, representatives, write_pdb, write_sets
from ._trajectories import Trajectories

__all__ = ["Features", "Trajectories", "aligned_coordinates", "committor_path", "dihedrals", "distances", "join",
           "pairwise_rmsd", "representatives", "rmsd", "write_pdb", "write_sets"]
