#!/usr/bin/env python3
"""Makes the data file out of the replicas that run.sh computed, and says where it comes from.

    convert.py work/replica1 work/replica2          writes butane.npz and provenance.txt into the current folder

butane.npz holds one array per replica, frames x 4 x 3: the carbons in nm, 0.05 ps apart, their centre at the origin. The
values are whole multiples of 2^-14 nm = 6.1e-5 nm in float32, which stores them exactly and lets them compress to two
bytes each. A carbon moves by about 0.02 nm from frame to frame, and by rounding 1.8e-5 nm (root mean square).
"""
import re
import sys
from pathlib import Path

import numpy as np

CARBONS = 4
DROPPED = 50.0  # ps: from fresh velocities to thermal motion
QUANTUM = 2.0**-14  # nm


def read_xtc(path):
    """Times, boxes and coordinates. Fewer than ten atoms are stored uncompressed: a frame is a fixed number of words.

    A frame that is still being written is left out.
    """
    words = 14 + 3 * CARBONS  # magic, atoms, step, time, box (9), atoms, coordinates
    raw = np.fromfile(path, dtype=">i4")
    raw = raw[: len(raw) // words * words].reshape(-1, words)
    if not ((raw[:, 0] == 1995).all() and (raw[:, [1, 13]] == CARBONS).all()):
        sys.exit(f"{path}: is not a trajectory of {CARBONS} atoms; run.sh writes one")
    values = raw.view(">f4").astype(float)
    return raw[:, 2], values[:, 3], values[:, 4:13].reshape(-1, 3, 3), values[:, 14:].reshape(-1, CARBONS, 3)


def make_whole(box, atoms):
    """Undoes periodic jumps inside the molecule: bonds are much shorter than half a box."""
    whole = atoms.copy()
    for atom in range(1, CARBONS):
        bond = atoms[:, atom] - atoms[:, atom - 1]
        for axis in (2, 1, 0):  # box vectors are lower triangular
            bond = bond - np.round(bond[:, axis] / box[:, axis, axis])[:, None] * box[:, axis]
        whole[:, atom] = whole[:, atom - 1] + bond
    return whole


def replica(folder):
    step, time, box, atoms = read_xtc(folder / "production.xtc")
    if (np.diff(step) != np.diff(step[:2])).any():
        sys.exit(f"{folder}: frames are missing or doubled; compute it again")
    carbons = make_whole(box, atoms)[time >= DROPPED - 0.001]
    carbons -= carbons.mean(axis=1, keepdims=True)
    return (np.round(carbons / QUANTUM) * QUANTUM).astype(np.float32)


def found(pattern, text, default="unknown"):
    match = re.search(pattern, text, re.M)
    return match.group(1).strip() if match else default


def provenance(folder, frames):
    log = (folder / "production.log").read_text(errors="replace")
    topology = (folder / "topol.top").read_text()
    start = (folder / "butane.gro").read_text().splitlines()[0]
    return (
        f"{folder.name}: start {start}, {found(r'^SOL +([0-9]+)', topology)} waters, "
        f"seed {found(r'^ +ld-seed += (.*)', log)}, {len(frames)} frames = {len(frames) * 0.05 / 1000:.3f} ns, "
        f"GROMACS {found(r'^GROMACS version: +(.*)', log)}, {found(r'^Precision: +(.*)', log)} precision\n"
    )


HEADER = f"""n-butane in water, 300 K: where butane.npz comes from

Force field: OPLS-AA as in GROMACS' oplsaa.ff (opls_135, opls_136, opls_140), water TIP3P; no conformation is held.
Settings: butane.itp, topol.top, minimise.mdp, pressure.mdp, production.mdp. Rhombic dodecahedron, 2.4 nm before the run at
1 bar, then constant volume; PME and cut-offs of 0.9 nm; 2 fs steps with bonds to hydrogen held; stochastic velocity
rescaling with 1 ps. The first {DROPPED:.0f} ps of each replica are dropped.
Commands: run.sh FOLDER SEED DIHEDRAL NANOSECONDS for each replica, then convert.py FOLDER...
The same machine and GROMACS give the same numbers again; another one gives another realisation of the same process.

"""


def main(folders):
    if not folders:
        sys.exit(__doc__)
    runs = {f"replica{number}": replica(Path(folder)) for number, folder in enumerate(folders, start=1)}
    np.savez_compressed("butane.npz", **runs)
    lines = [provenance(Path(folder), frames) for folder, frames in zip(folders, runs.values())]
    Path("provenance.txt").write_text(HEADER + "".join(lines))
    print("".join(lines), end="")


main(sys.argv[1:])
