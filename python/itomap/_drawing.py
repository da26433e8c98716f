"""What the pictures of itomap.plot are made of: where points are drawn, in which colours, and how many of them."""
import numpy as np
from matplotlib import pyplot
from matplotlib.colors import Normalize
from matplotlib.ticker import FuncFormatter, LogLocator
from matplotlib.tri import Triangulation
from scipy.interpolate import LinearNDInterpolator
from scipy.spatial import QhullError, cKDTree
from sklearn.utils.validation import check_is_fitted

from ._check import reals

MOST_POINTS = 200_000  # that are drawn; a million take ten times as long and look the same
MOST_TRIANGULATED = 20_000  # points under a contour or a stream line
CLIPPED = 0.01  # share of the values beyond the limits of the colours
GRID = 60  # cells of stream lines along an axis
SEQUENTIAL, DIVERGING, CYCLIC = "cividis", "coolwarm", "twilight"
# Okabe and Ito's colours, which colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
BLUE, ORANGE, GREY = COLOURS[0], COLOURS[5], "0.55"


def axes_of(ax):
    return pyplot.subplots(constrained_layout=True)[1] if ax is None else ax


# Where ----------------------------------------------------------------------------------------------------------------


def places(model, points, coordinates):
    """Where the points are drawn, in one or two columns, and the names of these; NaN for points that were left out."""
    check_is_fitted(model)
    if points is None and model.map_.dimension == 0:
        raise ValueError("points: the model has distances alone; give the coordinates to draw at")
    names = getattr(model, "feature_names_in_", None) if points is None else getattr(points, "columns", None)
    where = reals(model.map_.points if points is None else points, "points")
    if where.ndim != 2 or len(where) != model.map_.input_points:
        raise ValueError(f"points: shape {where.shape}; {model.map_.input_points} rows are needed, one for each point")
    if model.map_.size < len(where):
        shown = np.full_like(where, np.nan)
        shown[model.map_.kept] = where[model.map_.kept]
        where = shown
    names = [rf"$x_{{{i + 1}}}$" for i in range(where.shape[1])] if names is None else [str(name) for name in names]
    if where.shape[1] == 1:
        return where, names
    return columns_of(where, coordinates), [names[i] for i in coordinates]


def columns_of(values, coordinates):
    """Two columns of at least two."""
    count = values.shape[1]
    if len(coordinates) != 2 or not all(0 <= i < count for i in coordinates):
        raise ValueError(f"coordinates: {coordinates!r} are not two of the {count} there are, numbered from 0")
    return values[:, list(coordinates)]


def numbers(values, count):
    values = reals(values, "values")
    if values.shape != (count,):
        raise ValueError(f"values: shape {values.shape} for {count} points; give one number for each")
    if not np.isfinite(values).any():
        raise ValueError("values: none of them is a number, there is nothing to draw")
    return values


def part_of(rows, most=None):
    """Rows that are drawn, and a note if these are not all."""
    most = MOST_POINTS if most is None else most
    if len(rows) <= most:
        return rows, ""
    return np.sort(np.random.default_rng(0).choice(rows, most, replace=False)), f"{most:,} of {len(rows):,} points"


def complete(*columns):
    """Rows without a NaN."""
    return np.flatnonzero(np.isfinite(np.column_stack(columns)).all(axis=1))


# Points and lines -----------------------------------------------------------------------------------------------------


def line(ax, x, y, **style):
    """Over one coordinate, in its order."""
    rows, _ = part_of(complete(x, y))
    rows = rows[np.argsort(x[rows])]
    ax.plot(x[rows], y[rows], **style)


def marker_size(ax, count):
    """Area of a marker in square points: together they would cover the axes about twice."""
    box = ax.get_window_extent()
    return np.clip(2 * box.width * box.height * (72 / ax.figure.dpi)**2 / max(count, 1), 0.5, 16)


def cloud(ax, where, values=None, **style):
    """A scatter plot of as many points as can be told apart, and a note if these are not all."""
    rows, note = part_of(complete(where) if values is None else complete(where, values))
    colours = {} if values is None else {"c": values[rows]}
    drawn = ax.scatter(*where[rows].T, s=marker_size(ax, len(rows)), linewidths=0, rasterized=True, **colours, **style)
    return drawn, note


def limits_of(values, signed):
    """Quantiles, so that a few outliers do not take all the colours; symmetric if values are signed."""
    values = values[np.isfinite(values)]
    if signed:
        most = np.quantile(abs(values), 1 - CLIPPED) or abs(values).max()
        return -most, most
    low, high = np.quantile(values, [CLIPPED / 2, 1 - CLIPPED / 2])
    return (low, high) if low < high else (values.min(), values.max())


def colourbar(ax, drawn, values, limits, label):
    """With tips where values go on beyond the limits."""
    below, above = np.nanmin(values) < limits[0], np.nanmax(values) > limits[1]
    extend = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[int(below), int(above)]
    bar = ax.figure.colorbar(drawn, ax=ax, label=label, extend=extend)
    if drawn.get_cmap().name == CYCLIC:
        bar.set_ticks([-np.pi, 0, np.pi])
        bar.set_ticklabels([r"$-\pi$", "0", r"$\pi$"])


# Words ----------------------------------------------------------------------------------------------------------------


def name(ax, names, title, note="", may_be_equal=True):
    """Labels and title; axes of one scale if the ranges are so alike that they have the same unit."""
    ax.set(xlabel=names[0], ylabel=names[1], title="\n".join(words for words in (title, note) if words))
    wide, high = (np.ptp(limits) for limits in (ax.get_xlim(), ax.get_ylim()))
    if may_be_equal and 0.5 < wide / high < 2:
        ax.set_aspect("equal", adjustable="datalim")  # a box that shrinks would leave its colour bar behind


def make_logarithmic(ax, which):
    """With labels at 2 and 5 where there are few powers of ten."""
    getattr(ax, f"set_{which}scale")("log")
    low, high = getattr(ax, f"get_{which}lim")()
    axis, words = getattr(ax, f"{which}axis"), FuncFormatter(lambda value, _: f"{value:g}")
    axis.set_major_formatter(words)
    if high < 100 * low:
        axis.set_minor_locator(LogLocator(subs=(2, 5)))
        axis.set_minor_formatter(words)


def legend(ax, outside=False):
    """If there is more than one thing; below the axes where it would hide points."""
    count = len(ax.get_legend_handles_labels()[0])
    if count > 1:
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.12), "ncol": min(count, 3), "frameon": False}
        ax.legend(**(below if outside else {"edgecolor": "none"}))
    return ax


def remark_on(model, n):
    """What to say of a mode that is not to be trusted, the colour to say it in, and the dashes of its line."""
    if n in model.spurious_:
        return "spurious", GREY, "--"
    if not model.converged_[n]:
        return f"not converged ({model.residuals_[n]:.0e})", ORANGE, ":"
    return "", "black", "-"


def kinds_of_modes(model):
    """The kinds that there are: label, mask over all modes, style of the markers."""
    spurious = np.isin(np.arange(len(model.eigenvalues_)), model.spurious_)
    unconverged = ~spurious & ~np.asarray(model.converged_, dtype=bool)
    kinds = (("converged", ~spurious & ~unconverged, {"marker": "o", "color": BLUE}),
             ("not converged", unconverged, {"marker": "x", "color": ORANGE, "markeredgewidth": 2}),
             ("spurious", spurious, {"marker": "D", "color": GREY, "markerfacecolor": "none"}))
    return [(label, mask, {"linestyle": "none", **style}) for label, mask, style in kinds if mask.any()]


def coordinate_names(model):
    """Of the columns of the embedding, which leaves out spurious modes and has complex ones in two parts."""
    names = []
    for n in range(1, len(model.eigenvalues_)):
        turn = np.imag(model.eigenvalues_[n])
        real, part = ("", "") if turn == 0 else (r"\mathrm{Re}", r"\mathrm{Im}\," if turn < 0 else r"\mathrm{Re}\,")
        if n not in model.spurious_:
            names.append(rf"$e^{{{real}\lambda_{{{n}}}t}}\,{part}\psi_{{{n}}}$")
    return names


# Fields ---------------------------------------------------------------------------------------------------------------


def contour(ax, where, values, level):
    """The line at `level`, but not across gaps between the points."""
    rows, _ = part_of(complete(where, values), MOST_TRIANGULATED)
    if len(rows) < 3 or not values[rows].min() < level < values[rows].max():
        return
    try:
        triangles = Triangulation(*where[rows].T)
    except (RuntimeError, ValueError):  # all points are on one line
        return
    corners = where[rows][triangles.triangles]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    triangles.set_mask(longest > 6 * np.median(longest))
    ax.tricontour(triangles, values[rows], levels=[level], colors="black", linewidths=1.2)
    ax.autoscale_view(tight=False)  # the contour has taken away the margins


def streams(ax, where, velocity, color):
    """Stream lines on a grid; cells that are far from all points stay empty."""
    rows, _ = part_of(complete(where, velocity), MOST_TRIANGULATED)
    low, span = where[rows].min(axis=0), np.ptp(where[rows], axis=0)
    x, y = (low[i] + span[i] * np.linspace(0, 1, GRID) for i in range(2))
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    try:
        field = LinearNDInterpolator(where[rows], velocity[rows], rescale=True)(grid)
    except QhullError:
        raise ValueError("flow: the points are on one line and have no stream lines; take arrows=True") from None
    gap, _ = cKDTree(where[rows] / span).query(grid / span)
    field[gap > 3 / GRID] = np.nan
    field = np.ma.masked_invalid(field)
    speed = np.ma.sqrt((field**2).sum(axis=-1))
    norm = Normalize(*limits_of(speed.compressed(), signed=False))
    style = {"color": speed, "cmap": SEQUENTIAL, "norm": norm} if color is None else {"color": color}
    return ax.streamplot(x, y, field[..., 0], field[..., 1], density=1.3, linewidth=1, arrowsize=0.9, **style).lines


def arrows(ax, where, velocity, color):
    """Directions at one point in each cell of a grid, so that the arrows do not lie on each other."""
    rows, _ = part_of(complete(where, velocity), MOST_TRIANGULATED)
    low, span = where[rows].min(axis=0), np.ptp(where[rows], axis=0)
    cells = np.floor(24 * (where[rows] - low) / np.where(span > 0, span, 1)).astype(int)
    rows = rows[np.unique(cells, axis=0, return_index=True)[1]]
    speed = np.linalg.norm(velocity[rows], axis=1)
    rows, speed = rows[speed > 0], speed[speed > 0]
    direction = velocity[rows] / speed[:, None]  # of one length: speeds often span decades
    norm = Normalize(*limits_of(speed, signed=False))
    drawn = ax.quiver(*where[rows].T, *direction.T, speed, cmap=SEQUENTIAL, norm=norm, scale=26, width=0.004)
    if color is not None:
        drawn.set_array(None)
        drawn.set_color(color)
    return drawn
