#!/usr/bin/env python3
"""Prints n-butane with a given C-C-C-C dihedral angle (degrees) as a .gro file: start.py 180 > butane.gro"""
import sys

import numpy as np

CC, CH = 0.1529, 0.1090  # bond lengths, nm
TETRAHEDRAL = np.degrees(np.arccos(-1.0 / 3.0))


def place(a, b, c, length, angle, dihedral):
    """The atom d with |cd| = length, angle b-c-d and dihedral a-b-c-d (degrees)."""
    angle, dihedral = np.radians(angle), np.radians(dihedral)
    axis = (c - b) / np.linalg.norm(c - b)
    normal = np.cross(b - a, axis)
    normal /= np.linalg.norm(normal)
    side = np.cross(normal, axis)
    return c + length * (-np.cos(angle) * axis + np.sin(angle) * (np.cos(dihedral) * side + np.sin(dihedral) * normal))


def butane(dihedral):
    c2, c3 = np.zeros(3), np.array([CC, 0.0, 0.0])
    c1 = CC * np.array([np.cos(np.radians(112.7)), np.sin(np.radians(112.7)), 0.0])
    c4 = place(c1, c2, c3, CC, 112.7, dihedral)
    methyl_1 = [place(c3, c2, c1, CH, TETRAHEDRAL, turn) for turn in (60, 180, 300)]
    on_c2 = [place(c4, c3, c2, CH, TETRAHEDRAL, dihedral + turn) for turn in (120, 240)]
    on_c3 = [place(c1, c2, c3, CH, TETRAHEDRAL, dihedral + turn) for turn in (120, 240)]
    methyl_4 = [place(c2, c3, c4, CH, TETRAHEDRAL, turn) for turn in (60, 180, 300)]
    return np.array([c1, c2, c3, c4, *methyl_1, *on_c2, *on_c3, *methyl_4])


NAMES = "C1 C2 C3 C4 H11 H12 H13 H21 H22 H31 H32 H41 H42 H43".split()

atoms = butane(float(sys.argv[1]))
atoms -= atoms.mean(axis=0)
print(f"n-butane, dihedral {sys.argv[1]} degrees\n{len(atoms):5d}")
for number, (name, (x, y, z)) in enumerate(zip(NAMES, atoms), start=1):
    print(f"{1:5d}{'BUT':<5s}{name:>5s}{number:5d}{x:8.3f}{y:8.3f}{z:8.3f}")
print("   2.40000   2.40000   2.40000")
