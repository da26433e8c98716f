"""Frames through MDAnalysis, in nanometres and picoseconds."""
import os
import warnings

import numpy as np

from ._residues import Residue

_NM = 0.1  # of an angstrom


class MDAnalysisReader:
    """A few AtomGroups of the same atoms, each with a part of its Universe's trajectory.

    The frame that a Universe of the caller stands at is the same before and after.
    """

    library = "MDAnalysis"

    def __init__(self, groups):
        self._pieces = [piece for group in groups for piece in _pieces(group)]
        self.atoms = self._pieces[0][0]
        self.n_atoms = self.atoms.n_atoms
        self.files = [name for *_, name in self._pieces]

    @classmethod
    def of_files(cls, topology, files):
        import MDAnalysis
        for file in files:
            _refuse_hidden_frames(file)
        # MDAnalysis chains the files of a list; _pieces takes the chain apart again.
        with _no_box():
            return cls([MDAnalysis.Universe(topology, files if len(files) > 1 else files[0]).atoms])

    def identities(self):
        """Names of the atoms of each piece, to tell molecules apart."""
        return [[*group.names] if hasattr(group, "names") else [None] * group.n_atoms for group, *_ in self._pieces]

    def select(self, words):
        found = self.atoms.select_atoms(words)
        return np.flatnonzero(np.isin(self.atoms.indices, found.indices))

    def residues(self, names):
        """Residues with those of their atoms that have one of these names."""
        place = np.flatnonzero(np.isin(self.atoms.names, [*names]))
        chosen, found = self.atoms[place], {}
        for number, index, atom, name, residue, chain in zip(
                place, chosen.resindices, chosen.names, chosen.resnames, chosen.resids, chosen.segids):
            found.setdefault(index, Residue(name, int(residue), str(chain), {})).atoms[atom] = int(number)
        return [*found.values()]

    def blocks(self, number, atoms, stride, size):
        """Frame numbers, positions, boxes and times of one trajectory, `size` frames at a time.

        A box is None where there is none, a time where it is unknown.
        """
        group, start, stop, _ = self._pieces[number]
        reader, chosen = group.universe.trajectory, group[atoms].indices
        before = reader.frame
        try:
            for first in range(start, stop, stride * size):
                last = min(stop, first + stride * size)
                frames = np.arange(first, last, stride)
                positions, boxes, times = np.empty((len(frames), len(chosen), 3)), [], []
                with _no_box():
                    for k, step in enumerate(reader[first:last:stride]):
                        positions[k] = step.positions[chosen]
                        boxes.append(_box(step))
                        times.append(_time(step, reader))
                if len(times) < len(frames):  # MDAnalysis takes an error of the file for its end
                    raise EOFError(f"ends within frame {frames[len(times)] - start}; cut it off there")
                yield frames - start, positions * _NM, boxes, times
        finally:
            with _no_box():
                reader[before]

    def frame(self, number, frame):
        """Positions of all atoms in one frame, and its box."""
        group, start, stop, _ = self._pieces[number]
        reader = group.universe.trajectory
        if not start <= start + frame < stop:
            raise IndexError(f"there are {stop - start} frames")
        before = reader.frame
        try:
            with _no_box():
                step = reader[start + frame]
            return step.positions[group.indices].astype(np.float64) * _NM, _box(step)
        finally:
            with _no_box():
                reader[before]

    def write_pdb(self, path, frames):
        """One model for each (positions, box)."""
        import MDAnalysis
        from MDAnalysis.coordinates.memory import MemoryReader
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of columns of a PDB that this molecule has nothing for
            copy = MDAnalysis.Merge(self.atoms)
            copy.load_new(np.array([positions for positions, _ in frames]) / _NM, format=MemoryReader)
            with MDAnalysis.Writer(os.fspath(path), n_atoms=self.n_atoms, multiframe=len(frames) > 1) as writer:
                for step, (_, box) in zip(copy.trajectory, frames):
                    step.dimensions = None if box is None else _dimensions(box / _NM)
                    writer.write(copy.atoms)


def _pieces(group):
    """(atoms, first frame, end, name) of each file that the trajectory of a group is made of."""
    reader = group.universe.trajectory
    parts = getattr(reader, "readers", [reader])  # a chain of readers keeps them
    lengths = [part.n_frames for part in parts]
    if sum(lengths) != reader.n_frames:  # overlaps were cut: the caller wants it to be one
        parts, lengths = [reader], [reader.n_frames]
    ends = np.cumsum(lengths)
    return [(group, int(end - length), int(end), str(part.filename or "memory"))
            for part, length, end in zip(parts, lengths, ends)]


def _refuse_hidden_frames(file):
    """MDAnalysis reads the first frame of a .gro file, whatever follows."""
    if file.lower().endswith(".gro"):
        with open(file) as lines:
            next(lines, None)
            atoms = next(lines, "0").strip()
            if atoms.isdigit() and sum(1 for line in lines if line.strip()) > int(atoms) + 1:
                raise ValueError("reads one frame of a .gro file, and this one has more; convert it to .xtc")


def _no_box():
    """MDAnalysis computes the angles of a box of size 0 before it says that there is none."""
    return np.errstate(invalid="ignore")


def _box(step):
    if step.dimensions is None or not np.all(step.dimensions[:3]):
        return None
    return step.triclinic_dimensions.astype(np.float64) * _NM


def _time(step, reader):
    """None where MDAnalysis would make up a time of 1 ps a frame."""
    return step.time if "time" in step.data or "dt" in step.data or hasattr(reader, "_get_dt") else None


def _dimensions(box):
    from MDAnalysis.lib.mdamath import triclinic_box
    return triclinic_box(*box)
