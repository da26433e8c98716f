"""A molecule from file to conformations: n-butane in water, through MDAnalysis or MDTraj.

    python3 examples/python/butane.py       prints sets and time scales, writes butane.pdb, run1.xtc, run2.xtc, the
                                            conformations and a way between two of them as PDB files, and butane.png
"""
import importlib
import pathlib
import sys

import numpy as np

import itomap
from itomap import md

DATA = pathlib.Path(__file__).resolve().parents[1] / "paper/butane/butane.npz"
STRIDE, DT = 5, 0.25  # of the 0.05 ps between frames of the data, and in ps


def installed(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def write_structure(path, carbons):
    """A PDB file: what an MD program would have been started with. Positions in nm, the file in angstroms."""
    lines = [f"ATOM  {k:5d}  C{k}  BUT A   1    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           C"
             for k, (x, y, z) in enumerate(10 * carbons, 1)]
    bonds = [f"CONECT{k:5d}{k + 1:5d}" for k in range(1, len(carbons))]
    pathlib.Path(path).write_text("\n".join([*lines, *bonds, "END", ""]))


def write_trajectory(path, frames):
    """An XTC file, which neither library would be needed for had it come from a simulation."""
    if MDTRAJ:
        from mdtraj.formats import XTCTrajectoryFile
        with XTCTrajectoryFile(path, "w") as file:
            file.write(frames, time=(DT * np.arange(len(frames))).astype(np.float32))
        return
    molecule = MDANALYSIS.Universe.empty(frames.shape[1], trajectory=True)
    with MDANALYSIS.Writer(path, n_atoms=frames.shape[1]) as writer:
        for number, positions in enumerate(frames):
            molecule.trajectory.ts.positions, molecule.trajectory.ts.time = 10 * positions, DT * number
            writer.write(molecule.atoms)


def correlation_time(values, lengths, lag):
    """Decay time of the autocorrelation at a lag, in frames; pairs never reach from one run into the next."""
    runs = np.split(values - values.mean(), np.cumsum(lengths)[:-1])
    products = sum(run[:-lag] @ run[lag:] for run in runs)
    squares = sum(run[:-lag] @ run[:-lag] + run[lag:] @ run[lag:] for run in runs) / 2
    return -lag / np.log(products / squares)


MDANALYSIS, MDTRAJ = installed("MDAnalysis"), installed("mdtraj")
if not (MDANALYSIS or MDTRAJ):
    print("this example needs MDAnalysis or MDTraj: apt install python3-mdanalysis, or pip install MDAnalysis")
    sys.exit(0)

with np.load(DATA) as data:
    write_structure("butane.pdb", data["replica1"][0])
    write_trajectory("run1.xtc", data["replica1"][::STRIDE])
    write_trajectory("run2.xtc", data["replica2"][::STRIDE])

# From here on as with any molecule: files to features, features to a map.
runs = md.Trajectories("butane.pdb", ["run1.xtc", "run2.xtc"])
features = md.dihedrals(runs, [[0, 1, 2, 3]])
print(f"{features}, {features.dt} ps apart, read through {runs.library}")

# The runs are in equilibrium: with alpha = 1/2 the density of the frames says what the molecule does.
model = itomap.DiffusionMap(n_components=4, epsilon=0.003, alpha=0.5, period=features.period).fit(features)

# A map of angles alone knows no picoseconds. The runs do: how long do they remember the slow functions?
for n in (1, 2):
    time = features.dt * correlation_time(model.eigenfunctions_[:, n], features.lengths, round(5 / features.dt))
    print(f"psi_{n} decays in {time:.1f} ps")

sets = model.pcca(3)
angles = np.degrees(features.values[:, 0]) % 360
for number, points in enumerate(md.representatives(model, sets)):
    run, frame = features.locate(points[0])
    print(f"set {number}: {sets['weights'][number]:.3f} of the time, like frame {frame} of {runs.files[run]}, "
          f"{angles[points[0]]:.0f} degrees")
for path in md.write_sets(features, model, sets, "conformations", n_frames=5, align="all", force=True):
    print(path)

# From anti to one gauche form: structures at committor 0.1, 0.2, ..., 0.9.
passage = model.committor(abs(angles - 180) < 15, abs(angles - 67) < 10, passage_times=False)
path = md.committor_path(features, passage["forward"])
print("on the way at", angles[path].round().astype(int).tolist(), "degrees")
print(md.write_pdb(features, path, "anti_to_gauche.pdb", align="all", force=True))

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    print("without matplotlib there is no picture")
else:
    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.6), constrained_layout=True)
    for number, colour in enumerate(("#0072b2", "#e69f00", "#009e73")):
        axes[0].hist(angles[sets["labels"] == number], bins=np.arange(0, 361, 4), color=colour, label=f"set {number}")
    axes[0].legend()
    order = np.argsort(angles)
    axes[1].plot(angles[order], model.eigenfunctions_[order, 1:3], label=["psi_1", "psi_2"])
    axes[1].legend()
    axes[2].plot(angles[order], passage["forward"][order], color="0.6")
    axes[2].plot(angles[path], passage["forward"][path], "o", color="#d55e00")
    for axis, title in zip(axes, ("frames", "slow functions", "committor from anti to gauche")):
        axis.set(xlabel="dihedral angle (degrees)", title=title, xticks=range(0, 361, 60))
    figure.savefig("butane.png", dpi=120)
    print("butane.png")
