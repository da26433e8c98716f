"""Numbers that describe the shape of a molecule in every frame."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from .._types import Floats

if TYPE_CHECKING:
    from ._trajectories import Trajectories


class Features:
    """A row of numbers for each frame of a few trajectories; `fit` and `estimate_dynamics` take it as it is.

    Made by `dihedrals`, `distances`, `aligned_coordinates`, `rmsd` and `join`.

    Attributes
    ----------
    values : ndarray of shape (n_frames, n_features)
        Frames of all trajectories, one after the other.
    names : list of str
        Of the columns.
    period : list of float
        Of the columns, 0 for one that does not come back: as ``period=`` of the estimators.
    lengths : list of int
        Frames of each trajectory.
    times : ndarray of shape (n_frames,) or None
        Time of each frame in its trajectory, in ps; None if the files do not say.
    runs : Trajectories
        Where the frames come from.
    """

    def __init__(self, values: Floats, names: list[str], period: list[float], lengths: list[int], times: Floats | None,
                 runs: Trajectories) -> None:
        self.values, self.names, self.period = values, names, period
        self.lengths, self.times, self.runs = lengths, times, runs

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        return self.values.astype(self.values.dtype if dtype is None else dtype, copy=bool(copy))

    def __repr__(self):
        plural = "y" if len(self.lengths) == 1 else "ies"
        columns = f"{len(self.names)} feature{'s' if len(self.names) != 1 else ''}"
        return f"<{columns} of {len(self)} frames in {len(self.lengths)} trajector{plural}>"

    @property
    def trajectories(self) -> list[Floats]:
        """The values of each trajectory: a list of arrays, not copied."""
        return np.split(self.values, np.cumsum(self.lengths)[:-1])

    @property
    def dt(self) -> float:
        """Time between two frames in ps, the stride included; a ValueError if it is unknown or not always the same."""
        if self.times is None:
            raise ValueError("dt: the files do not say when their frames are; give dt to md.Trajectories")
        steps = {}
        for number, times in enumerate(np.split(self.times, np.cumsum(self.lengths)[:-1])):
            if len(times) > 1:
                steps.setdefault(_time_step(times, f"trajectory {number} ({self.runs.files[number]})"), number)
        if not steps:
            raise ValueError("dt: a trajectory of one frame has no time step; take a smaller stride, or longer ones")
        (dt, first), *others = steps.items()
        for other, number in others:
            if not math.isclose(other, dt, rel_tol=1e-6):
                raise ValueError(f"dt: frames of trajectory {first} are {dt:g} ps apart, those of trajectory {number} "
                                 f"are {other:g} ps apart; take those of one kind")
        return dt

    def locate(self, row: int) -> tuple[int, int]:
        """Where a frame is found again.

        Parameters
        ----------
        row : int
            Of `values`.

        Returns
        -------
        trajectory, frame : int
            Number of the trajectory, and of the frame in its file (the stride is undone); both count from 0.
        """
        if not -len(self) <= row < len(self):
            raise ValueError(f"row: there is no frame {row}; they are numbered from 0 to {len(self) - 1}")
        row = int(row) % len(self)
        ends = np.cumsum(self.lengths)
        trajectory = int(np.searchsorted(ends, row, side="right"))
        return trajectory, (row - int(ends[trajectory]) + self.lengths[trajectory]) * self.runs.stride


def join(*features: Features) -> Features:
    """Columns of several features of the same frames side by side.

    Returns
    -------
    Features
    """
    if not features or not all(isinstance(one, Features) for one in features):
        raise TypeError("join: give features of the same frames")
    first = features[0]
    for other in features[1:]:
        if not _same_frames(first, other):
            raise ValueError(f"join: {first!r} and {other!r} are not of the same frames")
    return Features(np.concatenate([one.values for one in features], axis=1), sum((one.names for one in features), []),
                    sum((one.period for one in features), []), first.lengths, first.times, first.runs)


def _same_frames(a, b):
    """Files may be called the same, memory always is: the first and the last frame tell."""
    if (a.lengths, a.runs.files, a.runs.stride) != (b.lengths, b.runs.files, b.runs.stride):
        return False
    return all(np.array_equal(a.runs.positions(*a.locate(row)), b.runs.positions(*b.locate(row))) for row in (0, -1))


def _time_step(times, where):
    """The shortest decimal that explains all times within the single precision in which files store them."""
    rounding = 2 * float(np.spacing(np.float32(np.abs(times).max())))
    mean = float(times[-1] - times[0]) / (len(times) - 1)
    steps = np.diff(times)
    wrong = np.flatnonzero(~(np.abs(steps - mean) <= rounding + 1e-3 * abs(mean)))
    if wrong.size or not mean > 0:
        _refuse_times(times, steps, where)
    candidates = (float(f"{mean:.{digits}g}") for digits in range(1, 17))
    return next((dt for dt in candidates if abs(dt - mean) * (len(times) - 1) <= rounding), mean)


def _refuse_times(times, steps, where):
    usual = float(np.median(steps))
    odd = int(np.argmax(np.abs(steps - usual)))
    raise ValueError(f"dt: {where} is not evenly spaced in time: {usual:.3g} ps, but from {times[odd]:g} to "
                     f"{times[odd + 1]:g} ps at row {odd}; cut it there, or give dt to md.Trajectories")
