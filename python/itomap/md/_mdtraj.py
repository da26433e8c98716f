"""Frames through MDTraj, in nanometres and picoseconds."""
import os
import pathlib

import numpy as np

from ._residues import Residue

# Of other formats MDTraj numbers the frames and calls that the time.
_WITH_TIMES = {".xtc", ".trr", ".nc", ".netcdf", ".ncdf", ".h5", ".hdf5", ".tng", ".dtr", ".stk"}


class MDTrajReader:
    """Files with one topology, or trajectories in memory."""

    library = "MDTraj"

    def __init__(self, pieces, topology):
        self._pieces = pieces
        self._topology = topology
        self.n_atoms = topology.n_atoms
        self.files = [piece if isinstance(piece, str) else "memory" for piece in pieces]

    @classmethod
    def of_files(cls, topology, files):
        import mdtraj
        reader = cls([*files], mdtraj.load_topology(topology))
        for number, file in enumerate(files):
            positions, _ = reader.frame(number, 0)
            if len(positions) != reader.n_atoms:
                raise ValueError(f"{file}: has {len(positions)} atoms, and {topology} has {reader.n_atoms}")
        return reader

    @classmethod
    def of_trajectories(cls, trajectories):
        return cls([*trajectories], trajectories[0].topology)

    def identities(self):
        return [[atom.name for atom in (self._topology if isinstance(piece, str) else piece.topology).atoms]
                for piece in self._pieces]

    def select(self, words):
        return self._topology.select(words)

    def residues(self, names):
        """Residues with those of their atoms that have one of these names."""
        found = {}
        for atom in self._topology.atoms:
            if atom.name in names:
                residue = atom.residue
                empty = Residue(residue.name, residue.resSeq, str(residue.chain.index), {})
                found.setdefault(residue.index, empty).atoms[atom.name] = atom.index
        return [*found.values()]

    def blocks(self, number, atoms, stride, size):
        """Frame numbers, positions, boxes and times of one trajectory, `size` frames at a time.

        A box is None where there is none, a time where it is unknown.
        """
        piece = self._pieces[number]
        timed = not isinstance(piece, str) or pathlib.Path(piece).suffix.lower() in _WITH_TIMES
        start = 0
        for part in self._parts(piece, atoms, size):
            # Every frame passes by here: what MDTraj's own stride does with chunks differs between formats.
            kept = np.arange(-start % stride, part.n_frames, stride)
            cells = part.unitcell_vectors
            boxes = [None] * len(kept) if cells is None else [_box(cells[k]) for k in kept]
            times = part.time[kept].tolist() if timed else [None] * len(kept)
            if len(kept):
                yield start + kept, part.xyz[kept].astype(np.float64), boxes, times
            start += part.n_frames

    def _parts(self, piece, atoms, size):
        if isinstance(piece, str):
            import mdtraj
            yield from mdtraj.iterload(piece, chunk=size, top=self._topology, atom_indices=atoms)
            return
        for first in range(0, piece.n_frames, size):
            yield piece[first:first + size].atom_slice(atoms)

    def frame(self, number, frame):
        """Positions of all atoms in one frame, and its box."""
        piece = self._pieces[number]
        if isinstance(piece, str):
            import mdtraj
            try:
                one = mdtraj.load_frame(piece, frame, top=self._topology)
            except NotImplementedError:  # formats in which MDTraj cannot seek, such as .gro
                one = mdtraj.load(piece, top=self._topology)[frame]
        else:
            one = piece[frame]
        return one.xyz[0].astype(np.float64), None if one.unitcell_vectors is None else _box(one.unitcell_vectors[0])

    def write_pdb(self, path, frames):
        """One model for each (positions, box)."""
        import mdtraj
        model = mdtraj.Trajectory(np.array([positions for positions, _ in frames]), self._topology)
        boxes = [box for _, box in frames]
        if all(box is not None for box in boxes):
            model.unitcell_vectors = np.array(boxes)
        model.save_pdb(os.fspath(path))


def _box(vectors):
    return vectors.astype(np.float64) if np.all(np.diagonal(vectors)) else None
