"""Which frames to look at, and writing them as PDB files."""
from __future__ import annotations

import os
import pathlib

import numpy as np
from sklearn.utils import check_random_state

from .._map import Map
from .._types import Answer, Array, ArrayLike, PathLike, Seed
from . import _geometry
from ._features import Features

_CANDIDATES = 12  # frames at a level of the committor that a path may choose from


def representatives(model: Map, sets: Answer, n_frames: int = 1, random_state: Seed = 0) -> list[Array]:
    """Frames that stand for each metastable set.

    The first is the most probable one: greatest membership times density of the invariant measure. The others are
    drawn from the invariant measure of the set, so that they show how much its structures differ. (Points of highest
    membership alone would be those at the far end of a set, outliers more often than not.)

    Parameters
    ----------
    model : estimator
        Fitted.
    sets : dict
        Of ``model.pcca`` or ``model.kmeans``.
    n_frames : int, default=1
        How many for each set; fewer if the set has fewer points.
    random_state : int, RandomState or None, default=0
        Of those that are drawn.

    Returns
    -------
    list of ndarray of int
        Numbers of points of the model, for each set.
    """
    if n_frames < 1:
        raise ValueError(f"n_frames: {n_frames} is not a whole number > 0")
    random = check_random_state(random_state)
    chosen = []
    for number in range(sets["memberships"].shape[1]):
        members = np.flatnonzero(sets["labels"] == number)  # points that were left out of the map have no set
        weights = np.maximum(model.stationary_[members] * sets["memberships"][members, number], 0)
        best = np.argmax(weights * model.density_[members])  # weights of points times points in a volume
        weights[best] = 0
        count = min(n_frames - 1, np.count_nonzero(weights))
        others = random.choice(len(members), count, replace=False, p=weights / weights.sum()) if count else []
        chosen.append(members[[best, *others]])
    return chosen


def committor_path(features: Features, committor: ArrayLike, levels: ArrayLike | None = None, *,
                   tolerance: float | None = None, rows: ArrayLike | None = None) -> Array:
    """Frames from one set to another: one at each level of the committor, each like the one before.

    Of the twelve frames nearest to each level the path takes those whose steps are shortest: least sum of squared
    distances between successive frames in the space of the features.

    Parameters
    ----------
    features : Features
    committor : array-like of shape (n_points,)
        As ``forward`` of ``model.committor``; NaN for points that were left out.
    levels : array-like, optional
        0.1, 0.2, ..., 0.9 unless given.
    tolerance : float, optional
        Frames farther than this from a level do not count, and a level without any is an error; half of the least
        distance between levels unless given.
    rows : array-like of int, optional
        Which rows of `features` are the points of the model; all unless given.

    Returns
    -------
    ndarray of int
        Rows of `features`, one for each level.
    """
    levels = np.arange(1, 10) / 10 if levels is None else np.asarray(levels, dtype=np.float64)
    if levels.ndim != 1 or levels.size == 0 or not np.all((levels >= 0) & (levels <= 1)):
        raise ValueError("levels: give numbers from 0 to 1")
    if tolerance is None:
        tolerance = 0.5 * np.abs(np.diff(levels)).min() if levels.size > 1 else 0.05
    committor = np.asarray(committor, dtype=np.float64)
    rows = rows_of(features, rows, committor.size)
    candidates = [_near(committor, level, tolerance) for level in levels]
    points = [features.values[rows[some]] for some in candidates]
    cost, back = np.zeros(len(candidates[0])), []
    for before, here in zip(points, points[1:]):
        steps = cost[:, None] + _square_distances(before, here, np.array(features.period))
        back.append(steps.argmin(axis=0))
        cost = steps.min(axis=0)
    path = [int(cost.argmin())]
    for previous in reversed(back):
        path.append(int(previous[path[-1]]))
    return np.array([rows[some[k]] for some, k in zip(candidates, reversed(path))])


def write_pdb(features: Features, rows: int | ArrayLike, path: PathLike, *, align: str | ArrayLike | None = None,
              force: bool = False) -> pathlib.Path:
    """Writes frames as models of a PDB file, through the library that read them.

    Parameters
    ----------
    features : Features
    rows : int or array-like of int
        Of `features`: one model for each.
    path : str or path
        Ends in .pdb; must not exist, unless `force`. It appears whole or not at all.
    align : str or array-like of int, optional
        Atoms by which all models are moved onto the first one; as they are unless given.
    force : bool, default=False
        Replaces a file.

    Returns
    -------
    pathlib.Path
    """
    return _write_all(features, [(rows, path)], align, force)[0]


def write_sets(features: Features, model: Map, sets: Answer, folder: PathLike, *, n_frames: int = 1,
               random_state: Seed = 0, rows: ArrayLike | None = None, align: str | ArrayLike | None = None,
               force: bool = False) -> list[pathlib.Path]:
    """Writes the `representatives` of each set: set_0.pdb, set_1.pdb, ... in a folder.

    Parameters
    ----------
    features : Features
    model, sets, n_frames, random_state
        As of `representatives`.
    folder : str or path
        Is made if it is not there.
    rows : array-like of int, optional
        Which rows of `features` are the points of the model; all unless given.
    align, force
        As of `write_pdb`; either all files appear or none.

    Returns
    -------
    list of pathlib.Path
    """
    rows = rows_of(features, rows, len(model.stationary_))
    chosen = representatives(model, sets, n_frames, random_state)
    folder = pathlib.Path(folder)
    jobs = [(rows[points], folder / f"set_{number}.pdb") for number, points in enumerate(chosen)]
    return _write_all(features, jobs, align, force)


def rows_of(features, rows, n_points):
    """The rows of features that are the points of a model."""
    if not isinstance(features, Features):
        raise TypeError("features: give what md.dihedrals or its like returned")
    rows = np.arange(len(features)) if rows is None else np.asarray(rows)
    if rows.ndim != 1 or not np.issubdtype(rows.dtype, np.integer):
        raise ValueError("rows: give the number of a frame for each point")
    if len(rows) != n_points:
        raise ValueError(f"rows: {len(rows)} frames for {n_points} points of the model; say which frames they are")
    if rows.size and (rows.min() < 0 or rows.max() >= len(features)):
        raise ValueError(f"rows: frames are numbered from 0 to {len(features) - 1}")
    return rows


def _near(committor, level, tolerance):
    """The points nearest to a level, not too many."""
    distance = np.abs(committor - level)
    distance[np.isnan(distance)] = np.inf
    nearest = np.argsort(distance, kind="stable")[:_CANDIDATES]
    nearest = nearest[distance[nearest] <= tolerance]
    if nearest.size == 0:
        raise ValueError(f"committor: no point is within {tolerance:g} of {level:g}; leave out this level, or give a "
                         "larger tolerance")
    return nearest


def _square_distances(a, b, period):
    steps = b[None, :, :] - a[:, None, :]
    wrapped = period > 0
    steps[..., wrapped] -= period[wrapped] * np.round(steps[..., wrapped] / period[wrapped])
    return (steps**2).sum(axis=2)


def _write_all(features, jobs, align, force):
    """All files or none: each is written under another name first."""
    jobs = [(np.atleast_1d(rows), pathlib.Path(path)) for rows, path in jobs]
    for rows, path in jobs:
        if path.suffix != ".pdb":
            raise ValueError(f"{path}: name it .pdb")
        if path.exists() and not force:
            raise FileExistsError(f"{path}: exists; force=True replaces it")
        rows_of(features, rows, len(rows))
        if rows.size == 0:
            raise ValueError(f"{path}: there is no frame to write")
    atoms = None if align is None else features.runs.select(align)
    parts = [path.with_name(f".{path.stem}-{os.getpid()}.pdb") for _, path in jobs]
    try:
        for (rows, path), part in zip(jobs, parts):
            path.parent.mkdir(parents=True, exist_ok=True)
            features.runs.write_pdb(part, _models(features, rows, atoms))
        for (_, path), part in zip(jobs, parts):
            os.replace(part, path)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)
    return [path for _, path in jobs]


def _models(features, rows, atoms):
    """Positions and box of each row, moved onto the first by `atoms` unless that is None."""
    frames = [features.runs.frame(*features.locate(row)) for row in rows]
    if atoms is None:
        return frames
    moved = []
    for positions, box in frames:
        positions[atoms] = _geometry.whole(positions[None, atoms], None if box is None else box[None])[0]
        target = positions[atoms] if not moved else moved[0][0][atoms]
        if _geometry.on_a_line(target):
            raise ValueError("align: atoms on a line, or fewer than three, can be turned about it; align on others")
        moved.append((_geometry.superpose(positions[None], target, atoms)[0], None))  # a box would have to turn along
    return moved
