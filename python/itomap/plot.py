"""Pictures of fitted models. Each function draws into `ax`, a new figure unless given, and returns the axes.

    eigenfunction, eigenfunctions    over the points
    function                         any numbers over the points: a density, an observable
    timescales, spectrum             with error bars; spurious and unconverged modes are drawn apart
    scan                             which epsilon, and why
    embedding, sets, committor       diffusion coordinates, metastable sets, and the way between them
    flow                             stream lines or arrows of a drift

Points of one coordinate make lines; of more, two coordinates are shown. Clouds of any size can be drawn: points shrink
as they become many, and above 200,000 a random part is shown, which the title says. Colour-blind readers can tell the
colours apart; limits leave out the outermost hundredth of the values.

>>> import numpy as np, itomap, itomap.plot
>>> x = np.random.default_rng(0).uniform(-2, 2, size=(1000, 1))
>>> model = itomap.TMDmap(n_components=3, epsilon=0.01).fit(x, log_target=-2 * (x[:, 0]**2 - 1)**2)
>>> axes = itomap.plot.eigenfunction(model, 1)
>>> axes.figure.savefig("eigenfunction.png")                                                       # doctest: +SKIP
"""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

try:
    from matplotlib import pyplot
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize, to_rgba
except ImportError:
    raise ImportError("itomap.plot needs matplotlib: pip install matplotlib") from None

from . import _drawing as draw
from ._check import reals
from ._map import Map
from ._types import Answer, Array, ArrayLike, FunctionOfPoints, Sequence

__all__ = ["committor", "eigenfunction", "eigenfunctions", "embedding", "flow", "function", "scan", "sets", "spectrum",
           "timescales"]


def function(model: Map, values: ArrayLike, *, label: str = "", points: ArrayLike | None = None,
             coordinates: Sequence[int] = (0, 1), cmap: str | None = None, limits: Sequence[float] | None = None,
             title: str = "", ax: Axes | None = None) -> Axes:
    """Numbers at the points: a line over one coordinate, colours over two.

    Parameters
    ----------
    model : estimator
        Fitted.
    values : array-like of shape (n_samples,)
        NaN is left out.
    label : str
        Of the values.
    points : array-like of shape (n_samples, k), optional
        Where to draw, if not at the points of the model: angles instead of positions, say.
    coordinates : pair of int, default=(0, 1)
        Columns that are shown, if there are more than two.
    cmap : str, optional
        Diverging and centred at 0 if values have both signs, else sequential, unless given.
    limits : pair of float, optional
        Of the colours; quantiles unless given.
    title : str
    ax : matplotlib.axes.Axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).normal(size=(500, 2))
    >>> model = itomap.DiffusionMap(n_components=2, epsilon=0.2).fit(x)
    >>> axes = itomap.plot.function(model, model.density_, label="density")
    """
    where, names = draw.places(model, points, coordinates)
    values = draw.numbers(values, len(where))
    ax = draw.axes_of(ax)
    if where.shape[1] == 1:
        draw.line(ax, where[:, 0], values, color=draw.COLOURS[len(ax.lines) % len(draw.COLOURS)], label=label)
        ax.set(xlabel=names[0], ylabel=label, title=title)
        return draw.legend(ax)
    signed = np.nanmin(values) < 0 < np.nanmax(values)
    cmap = cmap or (draw.DIVERGING if signed else draw.SEQUENTIAL)
    limits = draw.limits_of(values, signed) if limits is None else limits
    drawn, note = draw.cloud(ax, where, values, cmap=cmap, norm=Normalize(*limits))
    draw.colourbar(ax, drawn, values, limits, label)
    draw.name(ax, names, title, note)
    return ax


def eigenfunction(model: Map, n: int = 1, *, part: str = "real", points: ArrayLike | None = None,
                  coordinates: Sequence[int] = (0, 1), ax: Axes | None = None) -> Axes:
    """Eigenfunction n over the points.

    The title says if the mode is spurious or did not converge; over one coordinate its line is dashed or dotted.

    Parameters
    ----------
    model : estimator
        Fitted.
    n : int, default=1
        The slowest after the constant one is 1.
    part : {"real", "imag", "phase", "modulus"}, default="real"
        Of a complex one.
    points, coordinates, ax
        As `function` takes them.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).normal(size=(500, 2))
    >>> axes = itomap.plot.eigenfunction(itomap.DiffusionMap(n_components=2, epsilon=0.2).fit(x), 2)
    """
    check_is_fitted(model)
    if not 0 <= n < len(model.eigenvalues_):
        raise ValueError(f"n: there is no mode {n}; they are numbered from 0 to {len(model.eigenvalues_) - 1}")
    label, values, colours = _part(model.eigenfunctions_[:, n], part, rf"\psi_{{{n}}}")
    remark, color, dashes = draw.remark_on(model, n)
    ax = draw.axes_of(ax)
    lines = len(ax.lines)
    function(model, values, label=label, points=points, coordinates=coordinates, ax=ax,
             title=f"{label}, time scale {model.timescales_[n]:.3g}", **colours)
    if remark:
        ax.set_title(f"{ax.get_title()}\n{remark}", color=color)
    if len(ax.lines) > lines:  # over one coordinate, where several can be drawn
        ax.lines[-1].set(linestyle=dashes, label=f"{label} {remark}")
    if len(ax.lines) > lines > 0:
        ax.set_title("eigenfunctions", color="black")
        ax.set_ylabel("")
        draw.legend(ax)
    return ax


def eigenfunctions(model: Map, modes: Sequence[int] | None = None, *, part: str = "real",
                   points: ArrayLike | None = None, coordinates: Sequence[int] = (0, 1)) -> Array:
    """The slowest eigenfunctions side by side, in a figure of their own.

    Parameters
    ----------
    model : estimator
        Fitted.
    modes : sequence of int, optional
        The first six beyond the constant one unless given.
    part, points, coordinates
        As `eigenfunction` takes them.

    Returns
    -------
    ndarray of matplotlib.axes.Axes, one for each mode

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).normal(size=(500, 2))
    >>> axes = itomap.plot.eigenfunctions(itomap.DiffusionMap(n_components=3, epsilon=0.2).fit(x), [1, 2, 3])
    >>> axes.shape
    (3,)
    """
    check_is_fitted(model)
    modes = list(range(1, min(len(model.eigenvalues_), 7)) if modes is None else modes)
    columns = min(len(modes), 3)
    rows = -(-len(modes) // columns)
    _, grid = pyplot.subplots(rows, columns, figsize=(4 * columns, 3.2 * rows), squeeze=False, constrained_layout=True)
    for ax in grid.flat[len(modes):]:
        ax.remove()
    return np.array([eigenfunction(model, n, part=part, points=points, coordinates=coordinates, ax=ax)
                     for n, ax in zip(modes, grid.flat)])


def timescales(model: Map, errors: Answer | bool | None = None, *, unit: str = "", ax: Axes | None = None) -> Axes:
    """Time scales of the modes, on a logarithmic axis if they span a factor of ten.

    Parameters
    ----------
    model : estimator
        Fitted.
    errors : dict or True, optional
        What ``model.error_bars()`` returned, or True to ask for it now: adds time scales extrapolated to epsilon = 0,
        with their standard errors.
    unit : str
        Of time, for the axis.
    ax : matplotlib.axes.Axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).normal(size=(500, 2))
    >>> model = itomap.DiffusionMap(n_components=4, epsilon=0.2).fit(x)
    >>> axes = itomap.plot.timescales(model, errors=True, unit="ps")
    >>> axes.get_ylabel()
    'time scale (ps)'
    """
    check_is_fitted(model)
    ax = draw.axes_of(ax)
    errors = model.error_bars() if errors is True else errors
    modes, times = np.arange(1, len(model.timescales_)), model.timescales_[1:]
    finite = np.isfinite(times)
    top = 2 * times[finite].max() if finite.any() else 1.0
    for label, mask, style in draw.kinds_of_modes(model):
        shown = mask[1:] & finite
        if shown.any():
            ax.plot(modes[shown], times[shown], label=label, **style)
    if not finite.all():
        ax.plot(modes[~finite], np.full((~finite).sum(), top), "^", color=draw.GREY, label="infinite")
    if errors is not None:
        _extrapolated(ax, model, errors)
    if finite.any() and times[finite].max() > 10 * times[finite].min():
        draw.make_logarithmic(ax, "y")
    else:
        ax.set_ylim(bottom=0)
    ax.set_xticks(modes if len(modes) <= 12 else modes[::-(-len(modes) // 12)])
    ax.set(xlabel="mode", ylabel=f"time scale ({unit})" if unit else "time scale", title="implied time scales")
    return draw.legend(ax)


def spectrum(model: Map, errors: Answer | bool | None = None, *, ax: Axes | None = None) -> Axes:
    """Eigenvalues in the complex plane: decay to the left, rotation up and down.

    Parameters
    ----------
    model : estimator
        Fitted.
    errors : dict or True, optional
        What ``model.error_bars()`` returned, or True to ask for it now: adds the noise of real and imaginary part.
    ax : matplotlib.axes.Axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).normal(size=(1000, 2))
    >>> model = itomap.LKDmap(4, epsilon=0.1, drift=lambda x: np.c_[x[:, 1] - x[:, 0], -x[:, 0] - x[:, 1]]).fit(x)
    >>> axes = itomap.plot.spectrum(model)
    """
    check_is_fitted(model)
    ax = draw.axes_of(ax)
    values = np.asarray(model.eigenvalues_, dtype=complex)
    errors = model.error_bars() if errors is True else errors
    ax.axhline(0, color="0.8", linewidth=0.8, zorder=0)
    ax.axvline(0, color="0.8", linewidth=0.8, zorder=0)
    for label, mask, style in draw.kinds_of_modes(model):
        ax.plot(values[mask].real, values[mask].imag, label=label, **style)
    if errors is not None:
        true = np.setdiff1d(np.arange(len(values)), model.spurious_)  # the noise of others means nothing
        noise = np.asarray(errors["noise"])[true]
        ax.errorbar(values[true].real, values[true].imag, xerr=noise.real, yerr=noise.imag, fmt="none",
                    ecolor=draw.ORANGE, zorder=3, capsize=2, label="noise")
    ax.margins(0.08)
    if not values.imag.any():
        ax.set_yticks([0])
    ax.set(xlabel="real part (decay)", ylabel="imaginary part (rotation)", title="eigenvalues of the generator")
    return draw.legend(ax)


def scan(result: Answer, of: str = "timescales", *, unit: str = "", ax: Axes | None = None) -> Axes:
    """A scan of `itomap.scan_epsilon` over epsilon, with the choice marked.

    Parameters
    ----------
    result : dict
        Of `itomap.scan_epsilon`.
    of : {"timescales", "errors"}, default="timescales"
        The leading time scales with their estimated errors: look for the plateau; or the parts of that error.
    unit : str
        Of time, for the axis.
    ax : matplotlib.axes.Axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).uniform(-3, 3, size=(500, 1))
    >>> axes = itomap.plot.scan(itomap.scan_epsilon(x, log_target=-0.5 * x[:, 0]**2))
    """
    if of not in ("timescales", "errors"):
        raise ValueError(f"of: {of!r} is neither 'timescales' nor 'errors'")
    ax = draw.axes_of(ax)
    rows = [row for row in result["rows"] if row["usable"]]
    if not rows:
        raise ValueError("scan: none of its scales is usable; look at result['report']")
    (_scan_of_timescales if of == "timescales" else _scan_of_errors)(ax, rows, unit)
    ax.axvline(result["epsilon"], color="0.3", linestyle="--", linewidth=1, label=f"choice, {result['epsilon']:.3g}")
    draw.make_logarithmic(ax, "x")
    draw.make_logarithmic(ax, "y")
    ax.set_xlabel("epsilon")
    return draw.legend(ax)


def embedding(model: Map, coordinates: Sequence[int] = (0, 1), *, color: ArrayLike | None = None, label: str = "",
              ax: Axes | None = None) -> Axes:
    """Two diffusion coordinates of the points.

    Parameters
    ----------
    model : estimator
        Fitted, with at least two coordinates.
    coordinates : pair of int, default=(0, 1)
        Columns of ``model.embedding_``.
    color : array-like of shape (n_samples,), or a colour; optional
        What the points are coloured by.
    label : str
        Of `color`, for the colour bar.
    ax : matplotlib.axes.Axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).normal(size=(500, 2))
    >>> axes = itomap.plot.embedding(itomap.DiffusionMap(n_components=2, epsilon=0.2).fit(x), color=x[:, 0], label="x")
    """
    check_is_fitted(model)
    if model.embedding_.shape[1] < 2:
        raise ValueError("embedding: the model has fewer than two coordinates; fit it with a larger n_components")
    where = draw.columns_of(model.embedding_, coordinates)
    ax = draw.axes_of(ax)
    if color is None or isinstance(color, str):
        _, note = draw.cloud(ax, where, color=color or draw.BLUE)
    else:
        values = draw.numbers(color, len(where))
        limits = draw.limits_of(values, signed=False)
        drawn, note = draw.cloud(ax, where, values, cmap=draw.SEQUENTIAL, norm=Normalize(*limits))
        draw.colourbar(ax, drawn, values, limits, label)
    names = draw.coordinate_names(model)
    title = f"diffusion coordinates, t = {model.diffusion_time:g}"
    draw.name(ax, [names[i] for i in coordinates], title, note, may_be_equal=False)
    return ax


def sets(model: Map, result: Answer, *, points: ArrayLike | None = None, coordinates: Sequence[int] = (0, 1),
         ax: Axes | None = None) -> Axes:
    """Metastable sets over the points, paler where a point belongs to several; over one coordinate the memberships.

    Parameters
    ----------
    model : estimator
        Fitted.
    result : dict
        Of ``model.pcca(n)`` or ``model.kmeans(n)``.
    points, coordinates, ax
        As `function` takes them.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).uniform(-2, 2, size=(1000, 1))
    >>> model = itomap.TMDmap(n_components=3, epsilon=0.01).fit(x, log_target=-2 * (x[:, 0]**2 - 1)**2)
    >>> axes = itomap.plot.sets(model, model.pcca(2))
    """
    where, names = draw.places(model, points, coordinates)
    labels, memberships = np.asarray(result["labels"]), np.asarray(result["memberships"])
    if labels.shape != (len(where),):
        raise ValueError(f"result: it has {labels.size} labels for {len(where)} points; take that of model.pcca(n)")
    ax = draw.axes_of(ax)
    over_one = where.shape[1] == 1
    rows, note = draw.part_of(np.flatnonzero(labels >= 0))
    for s, weight in enumerate(result["weights"]):
        turn, color = s // len(draw.COLOURS) % 3, draw.COLOURS[s % len(draw.COLOURS)]  # after eight sets they come back
        words = f"set {s}, weight {weight:.3g}"
        if over_one:
            draw.line(ax, where[:, 0], memberships[:, s], color=color, linestyle=("-", "--", ":")[turn], label=words)
            continue
        own = rows[labels[rows] == s]
        # Opaque where the point is of this set alone, pale where it could as well be of another.
        opacity = np.clip(2 * memberships[own, s] - 1, 0.15, 1)
        colours = np.column_stack([np.tile(to_rgba(color)[:3], (len(own), 1)), opacity])
        ax.scatter(*where[own].T, c=colours, s=draw.marker_size(ax, len(rows)), marker="os^"[turn], linewidths=0,
                   rasterized=True)
        ax.plot([], [], "os^"[turn], color=color, label=words)  # the legend's
    title = f"{len(result['weights'])} metastable sets ({result['method']})"
    draw.name(ax, [names[0], "membership"] if over_one else names, title, "" if over_one else note, not over_one)
    return draw.legend(ax, outside=not over_one)


def committor(model: Map, result: Answer | ArrayLike, *, points: ArrayLike | None = None,
              coordinates: Sequence[int] = (0, 1), ax: Axes | None = None) -> Axes:
    """The committor over the points, with the line where both sets are equally likely to be next.

    Parameters
    ----------
    model : estimator
        Fitted.
    result : dict or array-like of shape (n_samples,)
        Of ``model.committor(source, sink)``, of which the forward committor is drawn; or numbers from 0 to 1.
    points, coordinates, ax
        As `function` takes them. The line is drawn if the points have two coordinates and no more.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).uniform(-2, 2, size=(1000, 1))
    >>> model = itomap.TMDmap(n_components=3, epsilon=0.01).fit(x, log_target=-2 * (x[:, 0]**2 - 1)**2)
    >>> axes = itomap.plot.committor(model, model.committor(x[:, 0] < -1, x[:, 0] > 1))
    """
    values = result["forward"] if isinstance(result, dict) else result
    ax = function(model, values, label="committor", points=points, coordinates=coordinates, cmap=draw.DIVERGING,
                  limits=(0, 1), title="chance to reach the sink first", ax=ax)
    where, _ = draw.places(model, points, coordinates)
    if where.shape[1] == 1:
        ax.axhline(0.5, color="0.3", linestyle="--", linewidth=1)
    elif np.shape(model.map_.points if points is None else points)[1] == 2:
        draw.contour(ax, where, draw.numbers(values, len(where)), 0.5)
    return ax


def flow(model: Map, drift: ArrayLike | FunctionOfPoints | None = None, *, points: ArrayLike | None = None,
         coordinates: Sequence[int] = (0, 1), arrows: bool = False, color: Any = None,
         ax: Axes | None = None) -> Axes:
    """Stream lines of a drift that is known at the points, or arrows.

    Parameters
    ----------
    model : estimator
        Fitted.
    drift : array-like of shape (n_samples, n_features), or callable; optional
        At the points, or as a function of them; that of the model's constructor unless given.
    points, coordinates, ax
        As `function` takes them. Two coordinates of the drift are shown, as if there were no others.
    arrows : bool, default=False
        Arrows at some of the points instead of stream lines between them; all have one length.
    color : optional
        One colour for all, to draw over another picture; coloured by speed unless given.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, itomap, itomap.plot
    >>> x = np.random.default_rng(0).normal(size=(1000, 2))
    >>> model = itomap.LKDmap(4, epsilon=0.1, drift=lambda x: np.c_[x[:, 1] - x[:, 0], -x[:, 0] - x[:, 1]]).fit(x)
    >>> axes = itomap.plot.flow(model)
    """
    where, names = draw.places(model, points, coordinates)
    velocity = _drift_at(model, drift, points)
    if where.shape[1] != 2 or velocity.ndim != 2 or velocity.shape[1] < 2 or len(velocity) != len(where):
        raise ValueError(f"drift: shape {velocity.shape} for {len(where)} points; one row for each and at least two "
                         "columns are needed")
    ax = draw.axes_of(ax)
    drawn = (draw.arrows if arrows else draw.streams)(ax, where, draw.columns_of(velocity, coordinates), color)
    if color is None:
        ax.figure.colorbar(drawn, ax=ax, label="speed", extend="both")
    if not ax.get_title():  # alone, not over another picture
        draw.name(ax, names, "drift")
    return ax


def _part(values, part, name):
    """Label, numbers, and how they are coloured."""
    if part not in ("real", "imag", "phase", "modulus"):
        raise ValueError(f"part: {part!r} is neither 'real', 'imag', 'phase' nor 'modulus'")
    if part == "phase":
        return f"phase of ${name}$", np.angle(values), {"cmap": draw.CYCLIC, "limits": (-np.pi, np.pi)}
    if part == "modulus":
        return f"$|{name}|$", abs(values), {}
    prefix = {"real": "Re ", "imag": "Im "}[part] if np.iscomplexobj(values) else ""
    return f"{prefix}${name}$", np.where(np.isnan(values), np.nan, getattr(values, part)), {}


def _extrapolated(ax, model, errors):
    modes = np.setdiff1d(np.arange(1, len(model.timescales_)), model.spurious_)
    times, bars = np.asarray(errors["timescales"])[modes], np.asarray(errors["timescale_errors"])[modes]
    known = np.isfinite(times) & np.isfinite(bars)
    ax.errorbar(modes[known] + 0.15, times[known], bars[known], fmt="_", color=draw.ORANGE, capsize=3,
                label="extrapolated to epsilon = 0")


def _scan_of_timescales(ax, rows, unit):
    epsilons, times = [row["epsilon"] for row in rows], np.array([row["timescales"] for row in rows])
    errors = np.array([row["error"] for row in rows])[:, None] * times
    for n in range(times.shape[1]):
        ax.errorbar(epsilons, times[:, n], np.minimum(errors[:, n], 0.9 * times[:, n]), fmt="o-", markersize=4,
                    capsize=2, color=draw.COLOURS[n % len(draw.COLOURS)], label=f"mode {n + 1}")
    ax.set(ylabel=f"time scale ({unit})" if unit else "time scale", title="time scales over epsilon")


def _scan_of_errors(ax, rows, unit):
    parts = (("bias", "bias of the width", "--"), ("few_points", "bias of few points", ":"), ("noise", "noise", "-."),
             ("error", "together", "-"))
    for n, (name, label, line) in enumerate(parts):
        ax.plot([row["epsilon"] for row in rows], [100 * row[name] for row in rows], line, marker="o", markersize=4,
                color=draw.COLOURS[n], label=label)
    ax.set(ylabel="error of the time scales (%)", title="estimated errors over epsilon")


def _drift_at(model, drift, points):
    drift = getattr(model, "drift", None) if drift is None else drift
    if drift is None:
        raise ValueError("drift: the model has none; give the drift at the points, or a function of them")
    if callable(drift):
        drift = drift(model.map_.points if points is None else np.asarray(points))
    return reals(drift, "drift")
