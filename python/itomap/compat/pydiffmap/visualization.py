"""pyDiffMap's two pictures; itomap.plot has more."""
import numpy as np

try:
    import matplotlib.pyplot as plt
except ImportError:
    plt = None


def embedding_plot(dmap_instance, dim=2, scatter_kwargs=None, show=True):
    """The first two or three diffusion coordinates; returns the figure."""
    names = [rf"$\psi_{n + 1}$" for n in range(dim)]
    return _scatter(dmap_instance.dmap, names, "diffusion coordinates", scatter_kwargs or {}, show)


def data_plot(dmap_instance, n_evec=1, dim=2, scatter_kwargs=None, show=True):
    """The first two or three coordinates of the data, coloured by diffusion coordinate `n_evec`; returns the figure."""
    colours = {"c": dmap_instance.dmap[:, n_evec - 1], **(scatter_kwargs or {})}
    return _scatter(dmap_instance.data, ["x", "y", "z"][:dim], rf"data, colour $\psi_{n_evec}$", colours, show)


def _scatter(points, names, title, options, show):
    if plt is None:
        raise ImportError("pictures need matplotlib: pip install matplotlib")
    if len(names) not in (2, 3) or np.shape(points)[1] < len(names):
        raise ValueError(f"dim: {len(names)} of {np.shape(points)[1]} coordinates cannot be drawn; 2 or 3 can")
    figure = plt.figure(figsize=(6, 6))
    axes = figure.add_subplot(projection="3d" if len(names) == 3 else None)
    axes.scatter(*np.asarray(points)[:, :len(names)].T, **options)
    axes.set(title=title, **{f"{axis}label": name for axis, name in zip("xyz", names)})
    if show:
        plt.show()
    return figure
