"""From trajectories to features."""
from __future__ import annotations

from typing import Any

import numpy as np

from .._types import ArrayLike, Floats
from . import _geometry
from ._features import Features
from ._residues import ATOMS, named_dihedrals
from ._trajectories import trajectories_of

_MOST_FRAMES = 20_000


def dihedrals(runs: Any, atoms: str | ArrayLike, *, select: str | ArrayLike | None = None, degrees: bool = False,
              periodic: bool = True) -> Features:
    """Dihedral angles, by four atoms each or by name.

    Parameters
    ----------
    runs : Trajectories, or what it takes
    atoms : array-like of int of shape (n_dihedrals, 4), or str
        Numbers of atoms, or names of angles of a protein: ``"phi psi"``, also ``omega`` and ``chi1``.
    select : str or array-like of int, optional
        For angles by name: only those whose four atoms are all among these.
    degrees : bool, default=False
        Degrees and a period of 360 instead of radians and a period of 2 pi.
    periodic : bool, default=True
        Where there is a box, follow bonds across its border.

    Returns
    -------
    Features
        From -pi to pi, 0 for cis; a positive angle is a clockwise turn of the far bond (IUPAC).

    Examples
    --------
    >>> import MDAnalysis
    >>> from itomap import md
    >>> molecule = MDAnalysis.Universe.empty(4, trajectory=True)
    >>> molecule.atoms.positions = [[0, 1, 0], [0, 0, 0], [1, 0, 0], [1, 0, 1]]
    >>> features = md.dihedrals(molecule, [[0, 1, 2, 3]], degrees=True)
    >>> features.values, features.period
    (array([[90.]]), [360.0])
    """
    runs = trajectories_of(runs)
    if isinstance(atoms, str):
        names, quadruples = _named(runs, atoms, select)
    else:
        quadruples = _tuples(runs, atoms, 4, "atoms")
        names = [f"dihedral {'-'.join(map(str, four))}" for four in quadruples]
    unit = 180 / np.pi if degrees else 1.0

    def angles(positions, boxes, which, where):
        values, undefined = _geometry.dihedrals(positions, which, boxes)
        if undefined.any():
            frame, column = np.argwhere(undefined)[0]
            raise ValueError(f"{names[column]}: three of its atoms lie on a line in {where(frame)}: no angle there")
        return values * unit
    return _collect_tuples(runs, quadruples, angles, names, 2 * np.pi * unit, periodic)


def distances(runs: Any, pairs: ArrayLike, *, periodic: bool = True) -> Features:
    """Distances of pairs of atoms in nm.

    Parameters
    ----------
    runs : Trajectories, or what it takes
    pairs : array-like of int of shape (n_pairs, 2)
        Numbers of atoms.
    periodic : bool, default=True
        Where there is a box, the distance to the nearest image.

    Returns
    -------
    Features

    Examples
    --------
    >>> import MDAnalysis
    >>> from itomap import md
    >>> pair = MDAnalysis.Universe.empty(2, trajectory=True)
    >>> pair.atoms.positions = [[0, 0, 0], [9, 0, 0]]              # MDAnalysis takes angstroms
    >>> md.distances(pair, [[0, 1]]).values
    array([[0.9]])
    >>> pair.dimensions = [10, 10, 10, 90, 90, 90]
    >>> md.distances(pair, [[0, 1]]).values.round(6)
    array([[0.1]])
    """
    runs = trajectories_of(runs)
    pairs = _tuples(runs, pairs, 2, "pairs")
    names = [f"distance {a}-{b}" for a, b in pairs]

    def lengths(positions, boxes, which, _):
        return _geometry.distances(positions, which, boxes)
    return _collect_tuples(runs, pairs, lengths, names, 0.0, periodic)


def aligned_coordinates(runs: Any, atoms: str | ArrayLike | None = None, *, reference: Any = None,
                        periodic: bool = True) -> Features:
    """Coordinates in nm of a few atoms, every frame moved rigidly onto a reference (Kabsch), never through a mirror.

    Parameters
    ----------
    runs : Trajectories, or what it takes
    atoms : str or array-like of int, optional
        At least three; all count the same, whatever their mass. All atoms unless given.
    reference : array-like of shape (n, 3) in nm, or what Trajectories takes; optional
        All atoms, or those that are aligned; of trajectories the first frame. The first frame of `runs` unless given:
        better take a structure from which no frame differs so much that two rotations fit equally well.
    periodic : bool, default=True
        Where there is a box, put each atom at the image nearest to the one before it, so that the molecule is whole.

    Returns
    -------
    Features
        Columns are x, y and z of the first atom, then of the second, ...
    """
    runs = trajectories_of(runs)
    atoms = runs.select(atoms)
    target = _reference(runs, atoms, reference, periodic)
    if _geometry.on_a_line(target):
        raise ValueError("reference: atoms on a line, or fewer than three, can be turned about it; align on others")
    names = [f"{axis} {atom}" for atom in atoms for axis in "xyz"]

    def coordinates(positions, boxes, _):
        return _geometry.superpose(_geometry.whole(positions, boxes), target).reshape(len(positions), -1)
    return _collect(runs, atoms, coordinates, names, 0.0, periodic)


def rmsd(runs: Any, atoms: str | ArrayLike | None = None, *, reference: Any = None, periodic: bool = True) -> Features:
    """Root mean square distance from a reference after superposition, in nm; arguments as of `aligned_coordinates`.

    Returns
    -------
    Features
        One column.
    """
    runs = trajectories_of(runs)
    atoms = runs.select(atoms)
    target = _reference(runs, atoms, reference, periodic)

    def deviation(positions, boxes, _):
        return _geometry.rmsd(_geometry.whole(positions, boxes), target)[:, None]
    return _collect(runs, atoms, deviation, ["rmsd"], 0.0, periodic)


def pairwise_rmsd(coordinates: Features) -> Floats:
    """The rmsd of every frame to every other after superposition: distances for ``metric="precomputed"``.

    Parameters
    ----------
    coordinates : Features
        Of `aligned_coordinates`; what they are aligned on does not matter.

    Returns
    -------
    ndarray of shape (n_frames, n_frames)
        Symmetric, in nm.

    Examples
    --------
    >>> import MDAnalysis, numpy as np
    >>> from itomap import md
    >>> molecule = MDAnalysis.Universe.empty(3, trajectory=True)
    >>> frames = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[5, 5, 5], [5, 6, 5], [4, 5, 5]]])
    >>> md.pairwise_rmsd(md.aligned_coordinates(molecule.load_new(frames))).round(6)       # the same shape, turned
    array([[0., 0.],
           [0., 0.]])
    """
    if not isinstance(coordinates, Features) or any(name[:2] not in ("x ", "y ", "z ") for name in coordinates.names):
        raise TypeError("coordinates: give the features of md.aligned_coordinates")
    if len(coordinates) > _MOST_FRAMES:
        raise ValueError(f"pairwise_rmsd: {len(coordinates)} frames have too many pairs; {_MOST_FRAMES} are the most: "
                         "give md.Trajectories a stride")
    return _geometry.pairwise_rmsd(coordinates.values.reshape(len(coordinates), -1, 3))


def _named(runs, kinds, select):
    names, quadruples = named_dihedrals(kinds.replace(",", " ").split(), runs.residues(ATOMS))
    if select is not None:
        allowed = set(runs.select(select).tolist())
        kept = [k for k, four in enumerate(quadruples) if allowed.issuperset(four)]
        names, quadruples = [names[k] for k in kept], [quadruples[k] for k in kept]
    if not quadruples:
        raise ValueError(f"atoms: there is no angle '{kinds}' in these atoms")
    return names, np.array(quadruples)


def _tuples(runs, atoms, count, name):
    """Numbers of atoms in rows of `count`, all different."""
    atoms = runs.numbers(np.atleast_2d(atoms), 2, name)
    if atoms.shape[1] != count:
        raise ValueError(f"{name}: shape {atoms.shape}; give {count} atoms in each row")
    for row in atoms:
        if len(set(row.tolist())) < count:
            raise ValueError(f"{name}: {row.tolist()} names an atom twice")
    return atoms


def _reference(runs, atoms, reference, periodic):
    """Positions of `atoms` in the reference."""
    box = None
    if reference is None:
        positions, box = runs.frame(0, 0)
    elif isinstance(reference, (np.ndarray, list, tuple)):
        positions = np.asarray(reference, dtype=np.float64)
    else:
        positions, box = trajectories_of(reference).frame(0, 0)
    if positions.ndim != 2 or positions.shape[1] != 3 or len(positions) not in (runs.n_atoms, len(atoms)):
        raise ValueError(f"reference: shape {positions.shape}; give x, y and z of all {runs.n_atoms} atoms, or of the "
                         f"{len(atoms)} that are aligned")
    if not np.isfinite(positions).all():
        raise ValueError("reference: has positions that are no numbers")
    if len(positions) == runs.n_atoms:
        positions = positions[atoms]
    return _geometry.whole(positions[None], box[None] if periodic and box is not None else None)[0]


def _collect_tuples(runs, tuples, compute, names, period, periodic):
    """Features of few atoms out of many: only those are kept from a frame."""
    atoms, places = np.unique(tuples, return_inverse=True)
    places = places.reshape(tuples.shape)

    def of_places(positions, boxes, where):
        return compute(positions, boxes, places, where)
    return _collect(runs, atoms, of_places, names, period, periodic)


def _collect(runs, atoms, compute, names, period, periodic):
    """`compute` of every block of frames of every trajectory; only its result is kept."""
    values, times, lengths = [], [], []
    for number, file in enumerate(runs.files):
        count = 0
        for frames, positions, boxes, when in runs.blocks(number, atoms, len(names)):
            values.append(compute(positions, boxes if periodic else None,
                                  lambda k: f"frame {frames[k]} of trajectory {number} ({file})"))
            times.append(when)
            count += len(frames)
        if count == 0:
            raise ValueError(f"trajectory {number} ({file}) has no frames")
        lengths.append(count)
    known = all(when is not None for when in times)
    return Features(np.concatenate(values), names, [float(period)] * len(names), lengths,
                    np.concatenate(times) if known else None, runs)
