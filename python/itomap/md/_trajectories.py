"""Trajectories of one molecule, whichever library reads them."""
from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from .._types import Array, ArrayLike, Floats, PathLike, Sequence
from ._readers import one_line, open_reader

_BLOCK_BYTES = 1 << 24


class Trajectories:
    """Frames of one molecule or system, read a block at a time through MDAnalysis or MDTraj.

    Lengths are in nm and times in ps, whichever library reads. Atoms are numbered from 0 in what is given: those of a
    Universe, of an AtomGroup (0 is its first atom), of an MDTraj topology.

    Parameters
    ----------
    source : str or path, MDAnalysis Universe or AtomGroup, mdtraj.Trajectory, or a list of such objects
        A path is that of a topology, or of a structure with its frames.
    files : str, path or list of such, optional
        The trajectories that belong to a topology. Every file is a trajectory of its own: nothing reaches from the
        end of one to the start of the next.
    stride : int, default=1
        Every stride-th frame of each trajectory, from its first.
    dt : float, optional
        Time between two frames of the files, where they do not say, in any unit.
    library : {"mdanalysis", "mdtraj"}, optional
        What reads files; MDAnalysis unless given, or MDTraj where MDAnalysis is missing or cannot.

    Attributes
    ----------
    n_atoms : int
    files : list of str
        Where each trajectory comes from.
    library : str
        What reads.
    """

    def __init__(self, source: Any, files: PathLike | Sequence[PathLike] | None = None, *, stride: int = 1,
                 dt: float | None = None, library: str | None = None) -> None:
        if not isinstance(stride, numbers.Integral) or stride < 1:
            raise ValueError(f"stride: {stride!r} is not a whole number > 0; 1 takes every frame")
        if dt is not None and not (isinstance(dt, numbers.Real) and 0 < dt < np.inf):
            raise ValueError(f"dt: {dt!r} is not a time > 0")
        self.stride, self._dt = int(stride), None if dt is None else float(dt)
        self._reader = open_reader(source, files, library)
        self.n_atoms, self.files, self.library = self._reader.n_atoms, self._reader.files, self._reader.library

    def __len__(self) -> int:
        return len(self.files)

    def __repr__(self):
        stride = "" if self.stride == 1 else f", every {self.stride}th frame"
        plural = "y" if len(self) == 1 else "ies"
        return f"<{len(self)} trajector{plural} of {self.n_atoms} atoms through {self.library}{stride}>"

    def select(self, atoms: str | ArrayLike | None = None) -> Array:
        """Numbers of atoms.

        Parameters
        ----------
        atoms : str or array-like of int, optional
            A selection in the language of the library that reads, or numbers; all atoms unless given.

        Returns
        -------
        ndarray of int
        """
        if atoms is None:
            return np.arange(self.n_atoms)
        if not isinstance(atoms, str):
            return self.numbers(atoms, 1, "atoms")
        try:
            found = np.asarray(self._reader.select(atoms))
        except Exception as error:  # each library has errors of its own
            raise ValueError(f"atoms: {self.library} does not understand '{atoms}': {one_line(error)}") from error
        if found.size == 0:
            raise ValueError(f"atoms: '{atoms}' selects none of the {self.n_atoms} atoms")
        return found

    def numbers(self, atoms, dimensions, name):
        """Numbers of atoms as an array of so many dimensions, checked."""
        given = np.asarray(atoms)
        if given.ndim != dimensions or given.size == 0 or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"{name}: give numbers of atoms, counted from 0")
        if given.min() < 0 or given.max() >= self.n_atoms:
            wrong = given[(given < 0) | (given >= self.n_atoms)][0]
            raise ValueError(f"{name}: there is no atom {wrong}; atoms are numbered from 0 to {self.n_atoms - 1}")
        return given

    def residues(self, names):
        """Residues with those of their atoms that have one of these names."""
        try:
            return self._reader.residues(names)
        except AttributeError as error:
            raise ValueError(f"atoms: {self.library} knows no names of atoms here: {one_line(error)}") from error

    def positions(self, trajectory: int = 0, frame: int = 0) -> Floats:
        """All atoms in one frame of the file, in nm.

        Parameters
        ----------
        trajectory, frame : int
            Counted from 0; the stride does not matter.

        Returns
        -------
        ndarray of shape (n_atoms, 3)
        """
        return self.frame(trajectory, frame)[0]

    def frame(self, trajectory, frame):
        """Positions and box (None where there is none) of one frame of the file."""
        if not 0 <= trajectory < len(self):
            raise ValueError(f"trajectory: there is no {trajectory}; they are numbered from 0 to {len(self) - 1}")
        if frame < 0:
            raise ValueError(f"frame: {frame} is wrong; frames are numbered from 0")
        try:
            return self._reader.frame(trajectory, frame)
        except Exception as error:
            raise ValueError(f"{self.files[trajectory]}: frame {frame} cannot be read: {one_line(error)}") from error

    def blocks(self, trajectory, atoms, columns=0):
        """(frame numbers, positions, boxes or None, times or None) of a few frames at a time.

        What a block takes does not grow with the number of frames, atoms or `columns` computed from it.
        """
        size = max(1, _BLOCK_BYTES // (24 * max(self.n_atoms, columns)))
        blocks = self._reader.blocks(trajectory, atoms, self.stride, size)
        while True:
            try:
                frames, positions, boxes, times = next(blocks)
            except StopIteration:
                return
            except Exception as error:
                raise ValueError(f"{self.files[trajectory]}: cannot be read: {one_line(error)}") from error
            self._check(trajectory, frames, positions, boxes)
            if self._dt is not None:
                times = frames * self._dt
            known = all(time is not None for time in times)
            yield (frames, positions, None if boxes[0] is None else np.array(boxes),
                   np.asarray(times, dtype=np.float64) if known else None)

    def write_pdb(self, path, frames):
        """Writes (positions, box) of each frame as models of a PDB file."""
        try:
            self._reader.write_pdb(path, frames)
        except OSError:
            raise
        except Exception as error:  # coordinates too large for the format, and the like
            raise ValueError(f"{self.library} cannot write a PDB file of these frames: {one_line(error)}") from error

    def _check(self, trajectory, frames, positions, boxes):
        wrong = np.flatnonzero(~np.isfinite(positions).all(axis=(1, 2)))
        if wrong.size:
            raise ValueError(f"{self.files[trajectory]}: frame {frames[wrong[0]]} has positions that are no numbers")
        if len({box is None for box in boxes}) > 1:
            raise ValueError(f"{self.files[trajectory]}: some frames have a box and some have none; cut it in two")


def trajectories_of(source):
    return source if isinstance(source, Trajectories) else Trajectories(source)
