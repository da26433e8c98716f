"""The page about a fitted model: what its arguments become for the C++ library."""
from __future__ import annotations

import json
import os
import pathlib

import numpy as np

from . import _core
from ._check import real, whole


def write_report(model, path, *, title, time_unit, sets, committor, committor_error_bars, error_bars, values, structures,
                 reference_timescales, size, force):
    if committor is None and committor_error_bars is not None:
        raise ValueError("committor_error_bars: are shown beside a committor; give committor= too")
    given = dict(
        title=title, time_unit=time_unit, error_bars=_error_bars(model, error_bars), sets=_sets(model, sets),
        committor=_committor(model, committor), committor_error_bars=_committor_error_bars(model, committor_error_bars),
        values=_values(model, values), structures=_structures(structures),
        reference_timescales=[real(time, "reference_timescales") for time in reference_timescales],
        size=None if size is None else whole(size, "size"), force=bool(force),
        columns=column_names(model), parameters=json.dumps(simple_parameters(model)))
    _core.write_report(os.fspath(path), model.map_, model.spectrum_, **given)


def column_names(model):
    """Of a data frame that the model was fitted to; none of an array."""
    return [str(name) for name in getattr(model, "feature_names_in_", [])]


def simple_parameters(model):
    """Those that JSON can hold."""
    return {name: value for name, value in model.get_params().items()
            if isinstance(value, (bool, int, float, str, type(None)))}


def _sets(model, sets):
    """Labels of the points that are in the map; the others have none."""
    if sets is None:
        return None
    labels = np.asarray(sets["labels"])
    if labels.shape != (model.map_.input_points,):
        raise ValueError(f"sets: labels of {labels.size} points, but the model has {model.map_.input_points}; "
                         "pass what pcca or kmeans of this model returned")
    return {**sets, "labels": [int(label) for label in labels[model.map_.kept]]}


def _kept_rows(model, answer, names, what):
    """The answer with those of its entries that have a row for each point cut to the points that are in the map."""
    rows = {name: np.asarray(answer[name]) for name in names if np.size(answer.get(name, ()))}
    for name, values in rows.items():
        if len(values) != model.map_.input_points:
            raise ValueError(f"{what}: {name} of {len(values)} points, but the model has {model.map_.input_points}; "
                             f"pass what {what} of this model returned")
    return {**answer, **{name: values[model.map_.kept] for name, values in rows.items()}}


def _committor(model, committor):
    rows = ("forward", "backward", "flux", "time_to_sink", "time_to_source")
    return None if committor is None else _kept_rows(model, committor, rows, "committor")


def _committor_error_bars(model, bars):
    if bars is None:
        return None
    rows = {name: _kept_rows(model, bars[name], ("extrapolated", "error"), "committor_error_bars")
            for name in ("forward", "time_to_sink", "time_to_source") if bars.get(name)}
    return {**bars, **rows}


def _error_bars(model, bars):
    rows = ("extrapolated_functions", "function_errors")
    return None if bars is None else _kept_rows(model, bars, rows, "error_bars")


def _values(model, values):
    pairs = []
    for name, column in ({} if values is None else values).items():
        column = np.asarray(column, dtype=np.float64)
        if column.shape != (model.map_.input_points,):
            raise ValueError(f"values: {name!r} has the shape {column.shape}; one number for each of the "
                             f"{model.map_.input_points} points is needed")
        pairs.append((str(name), column))
    return pairs


def _structures(structures):
    """Name and text of each file: those of a folder that itomap.md.write_sets wrote, or a list of files."""
    if structures is None:
        return []
    if isinstance(structures, (str, os.PathLike)):
        folder = pathlib.Path(structures)
        files = [folder / f"set_{k}.pdb" for k in range(len(list(folder.glob("set_*.pdb"))))]
        if not files:
            raise FileNotFoundError(f"structures: there is no set_0.pdb in {folder}; itomap.md.write_sets writes them")
    else:
        files = [pathlib.Path(file) for file in structures]
    return [(f"set {k}", file.read_text(errors="replace")) for k, file in enumerate(files)]
