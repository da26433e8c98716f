"""Molecules: MDAnalysis and MDTraj give the same numbers, those of formulas by hand, and structures come back whole."""
import doctest
import functools
import gzip
import importlib
import pathlib
import subprocess
import sys
import tempfile
import tracemalloc
import unittest
import unittest.mock
import warnings

import numpy as np
from scipy.spatial.transform import Rotation

import itomap
from itomap import md

DATA = pathlib.Path(__file__).resolve().parents[2] / "examples/paper/butane/butane.npz"


def importable(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            return None


MDAnalysis, mdtraj = importable("MDAnalysis"), importable("mdtraj")
LIBRARIES = [name for name, module in (("mdanalysis", MDAnalysis), ("mdtraj", mdtraj)) if module]
SINGLE = 2e-6  # relative precision of the positions that both libraries read


def pdb_line(serial, atom, residue, number, chain, place):
    x, y, z = 10 * np.asarray(place)
    return (f"ATOM  {serial:5d} {atom:^4s} {residue:3s} {chain}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00"
            f"          {atom[0]:>2s}\n")


def write_butane(path, carbons):
    lines = [pdb_line(k, f"C{k}", "BUT", 1, "A", place) for k, place in enumerate(carbons, 1)]
    path.write_text("".join(lines) + "END\n")


def write_atoms(path, count):
    """So many atoms that are nowhere yet."""
    path.write_text("".join(pdb_line(k + 1, "C", "ARG", k // 10 + 1, "A", (0, 0, 0)) for k in range(count)) + "END\n")


def write_xtc(path, frames, dt=0.05, box=None, shift=0.0):
    """Frames in nm, box as three vectors; through whichever library is there."""
    times = shift + dt * np.arange(len(frames))
    if mdtraj:
        from mdtraj.formats import XTCTrajectoryFile
        boxes = np.zeros((len(frames), 3, 3), dtype=np.float32)
        boxes[:] = 0 if box is None else box
        with XTCTrajectoryFile(str(path), "w") as file:
            file.write(frames.astype(np.float32), time=times.astype(np.float32), box=boxes)
        return
    from MDAnalysis.lib.mdamath import triclinic_box
    universe = MDAnalysis.Universe.empty(frames.shape[1], trajectory=True)
    with MDAnalysis.Writer(str(path), n_atoms=frames.shape[1]) as writer:
        for positions, time in zip(frames, times):
            universe.trajectory.ts.positions, universe.trajectory.ts.time = 10 * positions, time
            universe.dimensions = None if box is None else triclinic_box(*10 * np.asarray(box))
            writer.write(universe.atoms)


def four_atoms(angles):
    """Chains of known dihedral angle, in nm: along z with the near atom at +y, clockwise is towards -x."""
    near, far = [[0.0, 1.0, -0.3]] * len(angles), np.c_[-np.sin(angles), np.cos(angles), np.full(len(angles), 1.4)]
    return np.stack([near, np.zeros((len(angles), 3)), [[0.0, 0.0, 1.0]] * len(angles), far], axis=1) * 0.15


def kabsch(frame, reference):
    """Root mean square distance after the best rotation, by SciPy."""
    x, y = frame - frame.mean(axis=0), reference - reference.mean(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a planar molecule has a second rotation that is as good
        rotation, _ = Rotation.align_vectors(y, x)
    return np.sqrt(((rotation.apply(x) - y)**2).sum(axis=1).mean())


@functools.lru_cache
def replica(name, count):
    """Frames 5 ps apart: all conformations are among a few hundred."""
    with np.load(DATA) as file:
        return file[name][::100][:count].astype(float)


def each_library(test):
    @functools.wraps(test)
    def run(self):
        for library in LIBRARIES:
            with self.subTest(library=library):
                test(self, library)
    return run


@unittest.skipUnless(LIBRARIES, "neither MDAnalysis nor MDTraj is installed")
class Molecules(unittest.TestCase):
    """A folder with butane.pdb, a.xtc (600 frames) and b.xtc (250 frames); the data as arrays."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        context = warnings.catch_warnings()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        warnings.simplefilter("ignore")
        self.a, self.b = replica("replica1", 600), replica("replica2", 250)
        write_butane(self.folder / "butane.pdb", self.a[0])
        write_xtc(self.folder / "a.xtc", self.a)
        write_xtc(self.folder / "b.xtc", self.b)

    def runs(self, library, *files, **options):
        files = [self.folder / file for file in files or ("a.xtc", "b.xtc")]
        return md.Trajectories(self.folder / "butane.pdb", files, library=library, **options)

    def objects(self, library, structure="butane.pdb", file="a.xtc"):
        """What a user of the library would hold."""
        structure, file = str(self.folder / structure), str(self.folder / file)
        return MDAnalysis.Universe(structure, file) if library == "mdanalysis" else mdtraj.load(file, top=structure)

    def refused(self, error, words, call):
        with self.assertRaises(error) as caught:
            call()
        self.assertIn(words, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))


class Numbers(Molecules):
    @each_library
    def test_a_library_has_the_name_it_gives_itself(self, library):
        name = self.runs(library).library
        self.assertEqual(name.lower(), library)
        self.assertEqual(self.runs(name).library, name)

    @each_library
    def test_dihedrals_of_known_angle(self, library):
        wanted = np.radians([-179, -120, -60, -1, 0, 1, 60, 120, 180])
        turn = Rotation.from_rotvec([0.3, -1.1, 0.7]).as_matrix()
        write_xtc(self.folder / "known.xtc", four_atoms(wanted) @ turn.T + [0.4, 0.5, 0.6])
        runs = self.runs(library, "known.xtc")
        radians, degrees = md.dihedrals(runs, [[0, 1, 2, 3]]), md.dihedrals(runs, [[0, 1, 2, 3]], degrees=True)
        off = (radians.values[:, 0] - wanted + np.pi) % (2 * np.pi) - np.pi
        self.assertLess(abs(off).max(), 1e-5)
        self.assertEqual((radians.period, degrees.period), ([2 * np.pi], [360.0]))
        np.testing.assert_allclose(degrees.values, np.degrees(radians.values))

    @each_library
    def test_dihedrals_and_distances_are_those_of_the_libraries(self, library):
        box = np.array([[0.35, 0, 0], [0.05, 0.33, 0], [-0.1, 0.12, 0.36]])  # smaller than the molecule
        cut = self.a[:50] % 0.3
        write_xtc(self.folder / "box.xtc", cut, box=box)
        runs = self.runs(library, "box.xtc")
        angles = md.dihedrals(runs, [[0, 1, 2, 3], [3, 2, 1, 0]]).values
        lengths = md.distances(runs, [[0, 3], [1, 2], [0, 2]]).values
        held = self.objects(library, file="box.xtc")
        if library == "mdtraj":
            np.testing.assert_allclose(angles, mdtraj.compute_dihedrals(held, [[0, 1, 2, 3], [3, 2, 1, 0]]), atol=3e-5)
            np.testing.assert_allclose(lengths, mdtraj.compute_distances(held, [[0, 3], [1, 2], [0, 2]]), atol=1e-6)
            return
        from MDAnalysis.lib import distances
        for row, step in enumerate(held.trajectory):
            x = [step.positions[k:k + 1] for k in range(4)]
            angle = distances.calc_dihedrals(*x, box=step.dimensions)
            length = distances.calc_bonds(x[0], x[3], box=step.dimensions)
            self.assertAlmostEqual(angles[row, 0], angle[0], delta=3e-5)
            self.assertAlmostEqual(lengths[row, 0], length[0] / 10, delta=1e-6)

    @each_library
    def test_distances_are_those_of_the_nearest_image(self, library):
        rng = np.random.default_rng(0)
        images = np.stack(np.meshgrid(*[range(-14, 15)] * 3), axis=-1).reshape(-1, 3)
        boxes = [np.diag([2.0, 3.0, 4.0]), [[3, 0, 0], [1.5, 2.6, 0], [1.5, 0.866, 2.449]],  # rhombic dodecahedron
                 [[3, 0, 0], [1, 2.83, 0], [-1, 1.414, 2.449]], [[2, 0, 0], [3.1, 2, 0], [-2.2, 3.3, 2]]]
        for box in boxes:
            x = rng.uniform(-2, 2, size=(40, 4, 3))
            write_xtc(self.folder / "box.xtc", x, box=box)
            ways = (x[:, 3] - x[:, 0])[:, None] + images @ np.array(box, dtype=float)
            wanted = np.linalg.norm(ways, axis=2).min(axis=1)
            runs = self.runs(library, "box.xtc")
            np.testing.assert_allclose(md.distances(runs, [[0, 3]]).values[:, 0], wanted, atol=1e-5)
            direct = np.linalg.norm(x[:, 3] - x[:, 0], axis=1)
            np.testing.assert_allclose(md.distances(runs, [[0, 3]], periodic=False).values[:, 0], direct, atol=1e-5)

    @each_library
    def test_rmsd_is_that_of_scipy_and_of_the_libraries(self, library):
        reference = self.b[100]
        wanted = [kabsch(frame, reference) for frame in self.a]
        found = md.rmsd(self.runs(library, "a.xtc"), reference=reference)
        np.testing.assert_allclose(found.values[:, 0], wanted, atol=1e-6)
        self.assertEqual((found.names, found.period), (["rmsd"], [0.0]))
        if library == "mdtraj":
            theirs = mdtraj.rmsd(self.objects(library), self.objects(library, file="b.xtc"), 100)
            np.testing.assert_allclose(found.values[:, 0], theirs, atol=2e-5)
        else:
            from MDAnalysis.analysis.rms import rmsd
            self.assertAlmostEqual(found.values[7, 0], rmsd(self.a[7], reference, superposition=True), delta=1e-6)

    @each_library
    def test_rmsd_of_one_structure_is_that_of_a_file(self, library):
        runs = self.runs(library)
        near = md.rmsd(runs, reference=self.folder / "butane.pdb").values[0, 0]
        self.assertLess(near, 1e-4)  # a PDB file has three decimals of an angstrom
        held = md.rmsd(runs, "name C2 C3 C4", reference=self.objects(library, file="b.xtc"))
        np.testing.assert_allclose(held.values[5, 0], kabsch(self.a[5, 1:], self.b[0, 1:]), atol=1e-6)

    @each_library
    def test_alignment_turns_and_never_mirrors(self, library):
        mirrored = self.a[:20] * [1, 1, -1]
        write_xtc(self.folder / "mirror.xtc", np.concatenate([self.a[:20], mirrored]))
        aligned = md.aligned_coordinates(self.runs(library, "mirror.xtc"), reference=self.a[3])
        x = aligned.values.reshape(-1, 4, 3)
        off = np.sqrt(((x - self.a[3])**2).sum(axis=2).mean(axis=1))
        np.testing.assert_allclose(off, [kabsch(frame, self.a[3]) for frame in (*self.a[:20], *mirrored)], atol=1e-6)
        self.assertGreater(off[23], 0.01)  # the mirror image of the reference itself
        # handedness and all distances are those of the frame
        turned = np.linalg.det(x[:, 1:] - x[:, :1]) / np.linalg.det(np.r_[self.a[:20], mirrored][:, 1:] - np.r_[
            self.a[:20], mirrored][:, :1])
        np.testing.assert_allclose(turned, 1, atol=1e-3)
        self.assertEqual(aligned.names[:4], ["x 0", "y 0", "z 0", "x 1"])

    @each_library
    def test_a_molecule_cut_by_the_box_is_made_whole(self, library):
        box = np.array([[2.0, 0, 0], [0.5, 1.8, 0], [0.3, -0.4, 2.2]])
        inside = np.linalg.solve(box.T, (self.a[:100] + [0.03, 0.02, 0.04]).reshape(-1, 3).T).T % 1.0
        cut = (inside @ box).reshape(-1, 4, 3)
        self.assertGreater(np.linalg.norm(np.diff(cut, axis=1), axis=2).max(), 1.0)
        write_xtc(self.folder / "cut.xtc", cut, box=box)
        runs, whole = self.runs(library, "cut.xtc"), self.runs(library, "a.xtc")
        for compute in (lambda r: md.aligned_coordinates(r, reference=self.a[0]), md.rmsd,
                        lambda r: md.dihedrals(r, [[0, 1, 2, 3]]), lambda r: md.distances(r, [[0, 3]])):
            np.testing.assert_allclose(compute(runs).values, compute(whole).values[:100], atol=2e-5)

    @each_library
    def test_pairwise_rmsd(self, library):
        coordinates = md.aligned_coordinates(self.runs(library, "a.xtc", stride=20))
        found = md.pairwise_rmsd(coordinates)
        wanted = [[kabsch(x, y) for x in self.a[::20]] for y in self.a[::20]]
        np.testing.assert_allclose(found, wanted, atol=1e-6)
        np.testing.assert_array_equal(found, found.T)
        np.testing.assert_array_equal(np.diagonal(found), 0)

    @each_library
    def test_pairwise_rmsd_makes_a_map(self, library):
        if "metric" not in itomap.DiffusionMap().get_params():
            self.skipTest("this version has no metric='precomputed'")
        runs = self.runs(library)
        distances = md.pairwise_rmsd(md.aligned_coordinates(runs))
        model = itomap.DiffusionMap(n_components=2, epsilon=2e-4, metric="precomputed").fit(distances)
        # the slowest function tells the stretched form from the bent ones
        bent = abs(md.dihedrals(runs, [[0, 1, 2, 3]]).values[:, 0]) < 2 * np.pi / 3
        slow = abs(np.corrcoef(model.eigenfunctions_[:, 1:3].T, bent)[2, :2])
        self.assertGreater(slow.max(), 0.8)

    @unittest.skipUnless(len(LIBRARIES) == 2, "needs MDAnalysis and MDTraj")
    def test_both_libraries_give_the_same(self):
        for compute in (lambda r: md.dihedrals(r, [[0, 1, 2, 3]]), lambda r: md.distances(r, [[0, 3]]), md.rmsd,
                        md.aligned_coordinates):
            one, other = (compute(self.runs(library, stride=3)) for library in LIBRARIES)
            np.testing.assert_allclose(one.values, other.values, rtol=SINGLE, atol=SINGLE)
            np.testing.assert_allclose(one.times, other.times)
            for name in ("names", "period", "lengths", "dt"):
                self.assertEqual(getattr(one, name), getattr(other, name))


class Proteins(Molecules):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(1)
        lines, serial = [], 0
        # a gap in the numbers between 4 and 8, and a second chain
        for chain, number, name in (("A", 2, "ALA"), ("A", 3, "SER"), ("A", 4, "VAL"), ("A", 8, "GLY"), ("A", 9, "ALA"),
                                    ("B", 1, "ALA"), ("B", 2, "CYS")):
            sides = {"ALA": ["CB"], "SER": ["CB", "OG"], "VAL": ["CB", "CG1", "CG2"], "CYS": ["CB", "SG"]}
            for atom in ["N", "CA", "C", "O", *sides.get(name, [])]:
                serial += 1
                lines.append(pdb_line(serial, atom, name, number, chain, rng.uniform(0, 2, 3)))
        (self.folder / "peptide.pdb").write_text("".join(lines) + "END\n")
        self.frames = rng.uniform(0, 2, size=(5, serial, 3))
        write_xtc(self.folder / "peptide.xtc", self.frames)

    @each_library
    def test_phi_psi_omega_and_chi1(self, library):
        runs = md.Trajectories(self.folder / "peptide.pdb", self.folder / "peptide.xtc", library=library)
        chains = ("A", "B") if library == "mdanalysis" else ("0", "1")
        found = md.dihedrals(runs, "phi, psi")
        a, b = chains
        self.assertEqual(found.names, [
            f"psi {a} ALA 2", f"phi {a} SER 3", f"psi {a} SER 3", f"phi {a} VAL 4", f"psi {a} GLY 8", f"phi {a} ALA 9",
            f"psi {b} ALA 1", f"phi {b} CYS 2"])
        self.assertEqual(md.dihedrals(runs, "omega").names, [
            f"omega {a} ALA 2", f"omega {a} SER 3", f"omega {a} GLY 8", f"omega {b} ALA 1"])
        self.assertEqual(md.dihedrals(runs, "chi1").names, [f"chi1 {a} SER 3", f"chi1 {a} VAL 4", f"chi1 {b} CYS 2"])
        some = md.dihedrals(runs, "phi psi", select=np.arange(20))
        self.assertEqual(some.names, found.names[:4])
        self.check(library, found)

    def check(self, library, found):
        held = self.objects(library, "peptide.pdb", "peptide.xtc")
        if library == "mdtraj":
            four = [[atom.index for atom in (held.topology.residue(0).atom("C"), *map(held.topology.residue(1).atom,
                                                                                      ("N", "CA", "C")))]]
            np.testing.assert_allclose(found.values[:, 1], mdtraj.compute_dihedrals(held, four)[:, 0], atol=1e-4)
            return
        residues = held.residues
        wanted = [[residues[1].phi_selection().dihedral.value(), residues[1].psi_selection().dihedral.value()]
                  for _ in held.trajectory]
        np.testing.assert_allclose(np.degrees(found.values[:, 1:3]), wanted, atol=1e-2)

    @each_library
    def test_what_is_not_there(self, library):
        runs = md.Trajectories(self.folder / "peptide.pdb", self.folder / "peptide.xtc", library=library)
        self.refused(ValueError, "'phee'", lambda: md.dihedrals(runs, "phee"))
        self.refused(ValueError, "no angle 'phi'", lambda: md.dihedrals(runs, "phi", select="resname GLY"))
        self.refused(ValueError, "no angle 'phi'", lambda: md.dihedrals(self.runs(library), "phi"))


class Frames(Molecules):
    @each_library
    def test_pieces_keep_their_boundaries(self, library):
        features = md.dihedrals(self.runs(library), [[0, 1, 2, 3]])
        self.assertEqual((features.lengths, len(features), features.dt), ([600, 250], 850, 0.05))
        self.assertEqual([len(run) for run in features.trajectories], [600, 250])
        self.assertEqual([features.locate(row) for row in (0, 599, 600, -1)], [(0, 0), (0, 599), (1, 0), (1, 249)])
        np.testing.assert_array_equal(np.concatenate(features.trajectories), np.asarray(features))

    @each_library
    def test_stride_and_time(self, library):
        features = md.distances(self.runs(library, stride=7), [[0, 3]])
        self.assertEqual((features.lengths, features.dt), ([86, 36], 0.35))
        np.testing.assert_allclose(features.times[[0, 1, 86, 87]], [0, 0.35, 0, 0.35], atol=1e-6)
        for row in (3, 85, 86, 100):
            x = features.runs.positions(*features.locate(row))
            self.assertAlmostEqual(np.linalg.norm(x[3] - x[0]), features.values[row, 0], delta=1e-6)
        np.testing.assert_allclose(features.runs.positions(1, 7), self.b[7], atol=1e-6)

    @each_library
    def test_blocks_do_not_show(self, library):
        whole = md.rmsd(self.runs(library, stride=7))
        with unittest.mock.patch("itomap.md._trajectories._BLOCK_BYTES", 24 * 4 * 10):  # ten frames
            blocks = md.rmsd(self.runs(library, stride=7))
        self.assertEqual(blocks.lengths, whole.lengths)
        np.testing.assert_allclose(blocks.values, whole.values, atol=1e-12)
        np.testing.assert_array_equal(blocks.times, whole.times)

    @each_library
    def test_a_stride_beyond_the_end_takes_the_first_frames(self, library):
        features = md.distances(self.runs(library, stride=1000), [[0, 3]])
        self.assertEqual((features.lengths, features.locate(1)), ([1, 1], (1, 0)))
        self.refused(ValueError, "one frame", lambda: features.dt)

    @each_library
    def test_one_frame_beside_a_long_run(self, library):
        write_xtc(self.folder / "one.xtc", self.b[:1])
        features = md.distances(self.runs(library, "one.xtc", "a.xtc"), [[0, 3]])
        self.assertEqual((features.lengths, features.dt), ([1, 600], 0.05))

    @each_library
    def test_times_that_do_not_fit(self, library):
        write_xtc(self.folder / "slow.xtc", self.b, dt=0.1)
        write_xtc(self.folder / "gap.xtc", self.b, dt=0.05)
        write_xtc(self.folder / "late.xtc", self.b, dt=0.02, shift=1e6)  # single precision knows them to 0.06 ps
        mixed = md.distances(self.runs(library, "a.xtc", "slow.xtc"), [[0, 3]])
        self.refused(ValueError, "0.05 ps apart, those of trajectory 1 are 0.1 ps", lambda: mixed.dt)
        self.assertEqual(md.distances(self.runs(library, "a.xtc", "slow.xtc", dt=2.0), [[0, 3]]).dt, 2.0)
        gap = md.distances(self.runs(library, "gap.xtc"), [[0, 3]])
        gap.times[100:] += 3
        self.refused(ValueError, "not evenly spaced", lambda: gap.dt)
        self.assertAlmostEqual(md.distances(self.runs(library, "late.xtc"), [[0, 3]]).dt, 0.02, delta=0.0005)

    @each_library
    def test_files_without_times_have_no_dt(self, library):
        lines = (self.folder / "butane.pdb").read_text().replace("END\n", "")
        models = "".join(f"MODEL     {k:4d}\n{lines}ENDMDL\n" for k in (1, 2, 3)) + "END\n"
        (self.folder / "models.pdb").write_text(models)
        (self.folder / "models.pdb.gz").write_bytes(gzip.compress(models.encode()))
        for name in ("models.pdb", "models.pdb.gz"):
            features = md.distances(md.Trajectories(self.folder / name, library=library), [[0, 3]])
            self.assertEqual((len(features), features.times), (3, None))
            self.refused(ValueError, "do not say", lambda: features.dt)
        timed = md.Trajectories(self.folder / "models.pdb", library=library, dt=0.5, stride=2)
        self.assertEqual(md.distances(timed, [[0, 3]]).dt, 1.0)

    @each_library
    def test_objects_of_the_libraries(self, library):
        wanted = md.distances(self.runs(LIBRARIES[0], "a.xtc"), [[0, 3]]).values
        held = self.objects(library)
        np.testing.assert_allclose(md.distances(held, [[0, 3]]).values, wanted, atol=1e-6)
        both = md.distances([held, self.objects(library, file="b.xtc")], [[0, 3]])
        self.assertEqual((both.lengths, both.dt), ([600, 250], 0.05))
        self.assertEqual(both.runs.library.lower(), library)

    @unittest.skipUnless(MDAnalysis, "needs MDAnalysis")
    def test_universes_and_groups(self):
        structure, *files = (str(self.folder / name) for name in ("butane.pdb", "a.xtc", "b.xtc"))
        chained = MDAnalysis.Universe(structure, files)
        chained.trajectory[700]
        features = md.distances(chained.atoms[1:], [[0, 2]])  # numbers count in the group
        self.assertEqual((features.lengths, features.runs.n_atoms), ([600, 250], 3))
        self.assertAlmostEqual(features.values[600, 0], np.linalg.norm(self.b[0, 3] - self.b[0, 1]), delta=1e-6)
        np.testing.assert_allclose(features.runs.positions(1, 3), self.b[3, 1:], atol=1e-6)
        self.assertEqual(chained.trajectory.frame, 700)  # where the caller had left it
        updating = chained.select_atoms("prop x > 0", updating=True)
        self.refused(ValueError, "updating", lambda: md.distances(updating, [[0, 1]]))
        self.refused(ValueError, "no atoms", lambda: md.distances(chained.atoms[:0], [[0, 1]]))

    def test_what_is_kept_does_not_grow_with_the_frames(self):
        """One number a frame of 24 MB of positions, and of four times as many."""
        atoms = 2000
        write_atoms(self.folder / "large.pdb", atoms)
        for name, count in (("short.xtc", 500), ("long.xtc", 2000)):
            write_xtc(self.folder / name, np.random.default_rng(0).uniform(0, 5, (1, atoms, 3)).repeat(count, axis=0))
        for library in LIBRARIES:
            peaks = {}
            for name, count in (("short.xtc", 500), ("long.xtc", 2000)):
                runs = md.Trajectories(self.folder / "large.pdb", self.folder / name, library=library)
                tracemalloc.start()
                self.assertEqual(len(md.rmsd(runs)), count)
                peaks[name] = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
            with self.subTest(library=library):
                self.assertLess(peaks["long.xtc"], 1.1 * peaks["short.xtc"])

    @each_library
    def test_columns_side_by_side(self, library):
        runs = self.runs(library)
        angle, distance = md.dihedrals(runs, [[0, 1, 2, 3]]), md.distances(runs, [[0, 3]])
        both = md.join(angle, distance)
        self.assertEqual((both.names, both.period), (["dihedral 0-1-2-3", "distance 0-3"], [2 * np.pi, 0.0]))
        np.testing.assert_array_equal(both.values, np.c_[angle.values, distance.values])
        other = md.distances(self.runs(library, stride=2), [[0, 3]])
        self.refused(ValueError, "same frames", lambda: md.join(angle, other))


class Refused(Molecules):
    def setUp(self):
        super().setUp()
        # MDAnalysis complains once more when it clears away a reader that could not open its file
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        sys.unraisablehook = lambda _: None

    @each_library
    def test_wrong_input_in_one_line(self, library):
        write_xtc(self.folder / "five.xtc", np.random.default_rng(0).uniform(size=(4, 5, 3)))
        write_xtc(self.folder / "line.xtc", np.arange(12.0).reshape(1, 4, 3))
        write_xtc(self.folder / "nan.xtc", np.where(np.arange(30)[:, None, None] == 7, np.nan, self.a[:30]))
        (self.folder / "junk.xtc").write_bytes(b"no trajectory" * 50)
        (self.folder / "a.xtc.gz").write_bytes(gzip.compress((self.folder / "a.xtc").read_bytes()))
        four = [[0, 1, 2, 3]]
        runs = self.runs(library)
        cases = [
            (FileNotFoundError, "no.xtc: no such file", lambda: self.runs(library, "no.xtc")),
            (ValueError, "junk.xtc: cannot be read", lambda: self.runs(library, "junk.xtc")),
            (ValueError, "a.xtc.gz: cannot be read", lambda: self.runs(library, "a.xtc.gz")),
            (ValueError, "five.xtc: cannot be read", lambda: self.runs(library, "a.xtc", "five.xtc")),
            (ValueError, "the list is empty", lambda: md.Trajectories(self.folder / "butane.pdb", [])),
            (ValueError, "the list is empty", lambda: md.dihedrals([], four)),
            (ValueError, "neither", lambda: self.runs("vmd")),
            (ValueError, "stride: 0", lambda: self.runs(library, stride=0)),
            (ValueError, "dt: -1", lambda: self.runs(library, dt=-1)),
            (TypeError, "not ndarray", lambda: md.dihedrals(self.a, four)),
            (ValueError, "selects none of the 4 atoms", lambda: md.rmsd(runs, "name XX")),
            (ValueError, "does not understand", lambda: md.rmsd(runs, "nmae C1 and")),
            (ValueError, "no atom 4; atoms are numbered from 0 to 3", lambda: md.dihedrals(runs, [[0, 1, 2, 4]])),
            (ValueError, "no atom -1", lambda: md.distances(runs, [[0, -1]])),
            (ValueError, "names an atom twice", lambda: md.distances(runs, [[1, 1]])),
            (ValueError, "4 atoms in each row", lambda: md.dihedrals(runs, [[0, 1, 2]])),
            (ValueError, "numbers of atoms", lambda: md.distances(runs, [[0.0, 1.0]])),
            (ValueError, "on a line in frame 0", lambda: md.dihedrals(self.runs(library, "line.xtc"), four)),
            (ValueError, "frame 7 has positions", lambda: md.dihedrals(self.runs(library, "nan.xtc"), four)),
            (ValueError, "atoms on a line, or fewer", lambda: md.aligned_coordinates(runs, [0, 1])),
            (ValueError, "reference: shape (3, 3)", lambda: md.rmsd(runs, reference=np.zeros((3, 3)))),
            (TypeError, "aligned_coordinates", lambda: md.pairwise_rmsd(md.rmsd(runs))),
            (ValueError, "no frame 850", lambda: md.rmsd(runs).locate(850)),
            (ValueError, "frame 600 cannot be read", lambda: runs.positions(0, 600)),
        ]
        for kind, words, call in cases:
            with self.subTest(library=library, words=words):
                self.refused(kind, words, call)

    @each_library
    def test_molecules_of_other_atoms(self, library):
        write_butane(self.folder / "other.pdb", self.a[0])
        (self.folder / "other.pdb").write_text((self.folder / "other.pdb").read_text().replace(" C2 ", " O2 "))
        first, second = self.objects(library), self.objects(library, "other.pdb")
        self.refused(ValueError, "atom 1 is O2 and not C2", lambda: md.Trajectories([first, second]))

    @each_library
    def test_a_file_that_ends_within_a_frame(self, library):
        """Not even the whole frames are taken: one would not know that some are missing."""
        write_atoms(self.folder / "thirty.pdb", 30)
        write_xtc(self.folder / "thirty.xtc", np.random.default_rng(0).uniform(size=(50, 30, 3)))
        whole = (self.folder / "thirty.xtc").read_bytes()
        (self.folder / "thirty.xtc").write_bytes(whole[:int(0.77 * len(whole))])
        runs = md.Trajectories(self.folder / "thirty.pdb", self.folder / "thirty.xtc", library=library)
        self.refused(ValueError, "thirty.xtc: cannot be read", lambda: md.distances(runs, [[0, 1]]))


class Dynamics(Molecules):
    @each_library
    def test_estimate_dynamics_takes_features(self, library):
        features = md.dihedrals(self.runs(library), [[0, 1, 2, 3]])
        queries = features.values[::20]
        found = itomap.estimate_dynamics(features, queries, lag=0.1, radius=0.4, leave_out_poor=True)
        wanted = itomap.estimate_dynamics(features.trajectories, queries, dt=0.05, lag=0.1, radius=0.4,
                                          period=[2 * np.pi], leave_out_poor=True)
        np.testing.assert_array_equal(found["drift"], wanted["drift"])
        np.testing.assert_array_equal(found["diffusion"], wanted["diffusion"])
        twice = itomap.estimate_dynamics(features, queries, dt=0.1, lag=0.2, radius=0.4, leave_out_poor=True)
        np.testing.assert_allclose(twice["drift"], wanted["drift"] / 2)
        with self.assertRaisesRegex(TypeError, "dt"):
            itomap.estimate_dynamics(self.a[:, 0], self.a[:3, 0], radius=0.1)


class Structures(Molecules):
    def setUp(self):
        super().setUp()
        self.features = md.dihedrals(self.runs(LIBRARIES[0], stride=2), [[0, 1, 2, 3]])
        self.model = itomap.DiffusionMap(n_components=3, epsilon=0.02, period=self.features.period).fit(self.features)
        self.sets = self.model.pcca(3)

    def positions(self, path):
        """Models of a PDB file in nm, read by hand."""
        rows = [[float(line[k:k + 8]) / 10 for k in (30, 38, 46)] for line in path.read_text().splitlines()
                if line.startswith(("ATOM", "HETATM"))]
        return np.array(rows).reshape(-1, 4, 3)

    def test_representatives_are_the_most_probable_frame_and_a_sample(self):
        angle = np.degrees(self.features.values[:, 0]) % 360
        many = md.representatives(self.model, self.sets, n_frames=20)
        for number, points in enumerate(many):
            members = self.sets["labels"] == number
            self.assertTrue(members[points].all())
            self.assertEqual(len(set(points)), 20)
            counts, edges = np.histogram(angle[members], bins=np.arange(0, 361, 15))
            most = edges[counts.argmax()] + 7.5
            self.assertLess(abs(angle[points[0]] - most), 16)
            spread = angle[points[1:]].std() / angle[members].std()
            self.assertTrue(0.6 < spread < 1.5, spread)
        again, other = (md.representatives(self.model, self.sets, 20, random_state=seed) for seed in (0, 1))
        np.testing.assert_array_equal(again, many)
        self.assertEqual([points[0] for points in other], [points[0] for points in many])
        self.assertFalse(np.array_equal(other, many))

    def test_points_that_were_left_out_do_not_count(self):
        values = np.r_[self.features.values, [[40.0]]]
        model = itomap.DiffusionMap(n_components=3, epsilon=0.02, drop_isolated=True).fit(values)
        sets = model.pcca(2)
        for points in md.representatives(model, sets):
            self.assertLess(points[0], len(values) - 1)

    @each_library
    def test_sets_are_written_and_read_back(self, library):
        features = md.dihedrals(self.runs(library, stride=2), [[0, 1, 2, 3]])
        files = md.write_sets(features, self.model, self.sets, self.folder / library / "sets", n_frames=3)
        self.assertEqual([file.name for file in files], ["set_0.pdb", "set_1.pdb", "set_2.pdb"])
        for file, points in zip(files, md.representatives(self.model, self.sets, 3)):
            wanted = [(self.a, self.b)[run][frame] for run, frame in map(features.locate, points)]
            np.testing.assert_allclose(self.positions(file), wanted, atol=6e-5)
            self.assertEqual(len(md.rmsd(md.Trajectories(file, library=library))), 3)

    def test_a_map_of_some_of_the_frames(self):
        rows = np.arange(5, len(self.features), 3)
        some = self.features.values[rows]
        model = itomap.DiffusionMap(n_components=3, epsilon=0.02, period=self.features.period).fit(some)
        sets = model.pcca(2)
        files = md.write_sets(self.features, model, sets, self.folder / "some", rows=rows)
        run, frame = self.features.locate(rows[md.representatives(model, sets)[1][0]])
        np.testing.assert_allclose(self.positions(files[1])[0], (self.a, self.b)[run][frame], atol=6e-5)
        self.refused(ValueError, "say which frames",
                     lambda: md.write_sets(self.features, model, sets, self.folder / "none"))

    @each_library
    def test_committor_path(self, library):
        """A molecule that turns freely: the committor is linear in the angle on either side."""
        angle = np.random.default_rng(0).uniform(-np.pi, np.pi, 500)
        write_xtc(self.folder / "turn.xtc", four_atoms(angle))
        features = md.dihedrals(self.runs(library, "turn.xtc"), [[0, 1, 2, 3]])
        model = itomap.DiffusionMap(n_components=3, epsilon=0.01, alpha=1.0, period=features.period).fit(features)
        passage = model.committor(abs(angle) > 3.0, abs(angle) < 0.1)
        rows = md.committor_path(features, passage["forward"])
        self.assertLess(abs(passage["forward"][rows] - np.arange(1, 10) / 10).max(), 0.05)
        self.assertEqual(len(set(np.sign(angle[rows]))), 1)  # one side or the other, not by turns
        file = md.write_pdb(features, rows, self.folder / "path.pdb", align="all", force=True)
        models = self.positions(file)
        self.assertEqual(len(models), 9)
        self.assertEqual(sum(line.startswith("MODEL") for line in file.read_text().splitlines()), 9)
        np.testing.assert_allclose(models[0], four_atoms(angle)[rows[0]], atol=6e-5)  # the others are moved onto it
        off = np.sqrt(((models[8] - models[0])**2).sum(axis=1).mean())
        self.assertAlmostEqual(off, kabsch(models[8], models[0]), delta=1e-4)

    def test_a_path_does_not_jump_between_channels(self):
        """Two channels with the same committor: the points nearest to the levels lie in either by turns."""
        levels = np.arange(1, 10) / 10
        values = np.array([[level, channel] for level in levels for channel in (-3.1, 3.1, 0.0)])
        turns = [(0.0, 0.01, 0.04), (0.01, 0.0, 0.04)]
        committor = np.array([level + off for k, level in enumerate(levels) for off in turns[k % 2]])
        features = md.Features(values, ["q", "angle"], [0.0, 0.0], [len(values)], None, self.features.runs)
        path = md.committor_path(features, committor)
        self.assertEqual(len(set(values[path, 1])), 1)
        # An angle that jumps from 3.1 to -3.1 and back has not moved; one from 1.5 to -1.5 has.
        features.values[:, 1] = [sign * angle for k in range(9) for sign in [(-1)**k] for angle in (3.1, 1.5, 0.9)]
        features.period = [0.0, 6.2]
        np.testing.assert_array_equal(abs(features.values[md.committor_path(features, committor), 1]), 3.1)
        committor[12:15] = np.nan
        self.refused(ValueError, "within 0.05 of 0.5", lambda: md.committor_path(features, committor))
        self.refused(ValueError, "levels", lambda: md.committor_path(features, committor, [0.5, 2]))

    def test_files_appear_whole_or_not_at_all(self):
        target = self.folder / "out"
        target.mkdir()
        (target / "set_1.pdb").write_text("precious")
        self.refused(FileExistsError, "set_1.pdb: exists",
                     lambda: md.write_sets(self.features, self.model, self.sets, target))
        self.assertEqual([path.name for path in target.iterdir()], ["set_1.pdb"])
        md.write_sets(self.features, self.model, self.sets, target, force=True)
        self.assertEqual(sorted(path.name for path in target.iterdir()), ["set_0.pdb", "set_1.pdb", "set_2.pdb"])
        self.assertEqual(self.positions(target / "set_1.pdb").shape, (1, 4, 3))

        before = (target / "set_0.pdb").read_text()

        def half(path, frames):
            path.write_text("half of a file")
            raise OSError("no space left on device")

        with unittest.mock.patch.object(self.features.runs._reader, "write_pdb", half):
            self.refused(OSError, "no space",
                         lambda: md.write_pdb(self.features, 0, target / "set_0.pdb", force=True))
        self.assertEqual((target / "set_0.pdb").read_text(), before)
        self.assertEqual(sorted(path.name for path in target.iterdir()), ["set_0.pdb", "set_1.pdb", "set_2.pdb"])

    def test_wrong_rows_are_refused(self):
        self.refused(ValueError, "name it .pdb", lambda: md.write_pdb(self.features, 0, self.folder / "x.gro"))
        self.refused(ValueError, "numbered from 0 to 424",
                     lambda: md.write_pdb(self.features, 425, self.folder / "x.pdb"))
        self.refused(ValueError, "no frame to write",
                     lambda: md.write_pdb(self.features, np.array([], dtype=int), self.folder / "x.pdb"))


class Package(unittest.TestCase):
    def python(self, code):
        path = str(pathlib.Path(itomap.__file__).parents[1])
        return subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r})\n{code}"], check=True,
                              capture_output=True, text=True).stdout

    def test_nothing_is_imported_before_it_is_needed(self):
        code = "import itomap; assert 'itomap.md' not in sys.modules; from itomap import md\n"
        self.assertEqual(self.python(code + "print({'MDAnalysis', 'mdtraj'} & {*sys.modules})"), "set()\n")

    def test_without_either_library_one_line_says_so(self):
        code = ("sys.modules['MDAnalysis'] = sys.modules['mdtraj'] = None\nfrom itomap import md\n"
                "try: md.Trajectories(__import__('os').devnull)\nexcept ImportError as error: print(error)")
        said = self.python(code)
        self.assertIn("pip install MDAnalysis", said)
        self.assertEqual(said.count("\n"), 1)

    @unittest.skipUnless(MDAnalysis, "needs MDAnalysis")
    def test_docstrings(self):
        for name in ("itomap.md", "itomap.md._collect"):
            failed, tried = doctest.testmod(importlib.import_module(name))
            with self.subTest(name=name):
                self.assertEqual(failed, 0)
                self.assertGreater(tried, 0)


if __name__ == "__main__":
    unittest.main()
