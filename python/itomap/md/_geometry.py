"""Angles, distances and rigid motions of many frames: positions are (frames, atoms, 3), boxes (frames, 3, 3)."""
import itertools

import numpy as np

_NEIGHBOURS = [np.array(shift, dtype=float) for shift in itertools.product((-1, 0, 1), repeat=3) if any(shift)]
_ON_A_LINE = 1e-6  # sine of an angle that single precision cannot tell from 0


def minimum_image(vectors, boxes):
    """The shortest of all periodic images of each vector, of shape (frames, count, 3).

    Rows of a box are its vectors, the first along x, the second in the plane of x and y.
    """
    if boxes is None:
        return vectors
    cells = _reduced(boxes)
    steps = vectors @ np.linalg.inv(cells)
    shortest = (steps - np.round(steps)) @ cells
    if np.any(cells[:, [1, 2, 2], [0, 0, 1]]):  # in a skew box the nearest image may be that of a neighbouring cell
        best = (shortest**2).sum(axis=2)
        start = shortest.copy()
        for shift in _NEIGHBOURS:
            image = start + (shift @ cells)[:, None, :]
            length = (image**2).sum(axis=2)
            nearer = length < best
            best[nearer], shortest[nearer] = length[nearer], image[nearer]
    return shortest


def _reduced(boxes):
    """The same lattices by vectors that are as upright as they can be."""
    cells = np.array(boxes, dtype=np.float64)
    for row, by in ((2, 1), (2, 0), (1, 0)):
        cells[:, row] -= np.round(cells[:, row, by] / cells[:, by, by])[:, None] * cells[:, by]
    return cells


def whole(positions, boxes):
    """Atoms moved by whole boxes so that each is at the image nearest to the atom before it."""
    if boxes is None or positions.shape[1] < 2:
        return positions
    steps = minimum_image(np.diff(positions, axis=1), boxes)
    return np.concatenate([positions[:, :1], positions[:, :1] + np.cumsum(steps, axis=1)], axis=1)


def distances(positions, pairs, boxes):
    """Distance of each pair of atoms, of shape (frames, pairs)."""
    return np.linalg.norm(minimum_image(positions[:, pairs[:, 1]] - positions[:, pairs[:, 0]], boxes), axis=2)


def dihedrals(positions, quadruples, boxes):
    """Angle of each four atoms in radians, 0 for cis and pi for trans, and where three of them lie on a line.

    Seen along the bond in the middle, with the near atom on top, a positive angle takes the far one clockwise (IUPAC).
    """
    first, middle, last = (minimum_image(positions[:, quadruples[:, k + 1]] - positions[:, quadruples[:, k]], boxes)
                           for k in range(3))
    left, right = np.cross(first, middle), np.cross(middle, last)
    length = np.linalg.norm(middle, axis=2)
    angles = np.arctan2(length * (first * right).sum(axis=2), (left * right).sum(axis=2))
    undefined = np.zeros(angles.shape, dtype=bool)
    for normal, bond in ((left, first), (right, last)):
        undefined |= np.linalg.norm(normal, axis=2) <= _ON_A_LINE * length * np.linalg.norm(bond, axis=2)
    return angles, undefined


def centred(positions):
    return positions - positions.mean(axis=-2, keepdims=True)


def on_a_line(positions):
    """Whether atoms of one structure leave a rotation about their line open."""
    widths = np.linalg.svd(centred(positions), compute_uv=False)
    return len(positions) < 3 or widths[1] <= _ON_A_LINE * widths[0]


def superpose(positions, reference, atoms=slice(None)):
    """Every frame moved rigidly, never mirrored, so that `atoms` are nearest to the reference (Kabsch)."""
    chosen = positions[:, atoms]
    left, _, right = np.linalg.svd(np.swapaxes(centred(chosen), 1, 2) @ centred(reference))
    left[:, :, 2] *= np.sign(np.linalg.det(left) * np.linalg.det(right))[:, None]
    return (positions - chosen.mean(axis=1, keepdims=True)) @ (left @ right) + reference.mean(axis=0)


def rmsd(positions, reference):
    """Root mean square distance of each frame from the reference after superposition."""
    return np.sqrt(((superpose(positions, reference) - reference)**2).sum(axis=2).mean(axis=1))


def pairwise_rmsd(positions):
    """The rmsd of every frame to every other after superposition, of shape (frames, frames).

    From singular values alone: |x|^2 + |y|^2 - 2 (s_1 + s_2 +- s_3), the sign being that of the determinant.
    """
    count, atoms, _ = positions.shape
    shapes = centred(positions)
    squares = (shapes**2).sum(axis=(1, 2))
    result = np.zeros((count, count))
    for i in range(count - 1):
        products = np.tensordot(shapes[i + 1:], shapes[i], axes=(1, 0))
        singular = np.linalg.svd(products, compute_uv=False)
        singular[:, 2] *= np.sign(np.linalg.det(products))
        difference = squares[i] + squares[i + 1:] - 2 * singular.sum(axis=1)
        result[i, i + 1:] = result[i + 1:, i] = np.sqrt(np.maximum(difference, 0) / atoms)
    return result
