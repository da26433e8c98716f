"""The molecule of the paper: what is committed is what it says it is, and the example runs on a part of it."""

import json
import pathlib
import re
import shutil
import unittest

import numpy as np
from support import CliTest

PAPER = pathlib.Path(__file__).parents[2] / "examples" / "paper"
FRAMES = 6000  # of each replica: 300 ps, some passages over each barrier
FIGURES = ["eigenfunctions.png", "conformations.png", "timescales.png", "lengths.png"]


def replicas():
    with np.load(PAPER / "butane" / "butane.npz") as file:
        return {name: file[name] for name in sorted(file)}


class CommittedData(unittest.TestCase):
    def test_is_a_chain_of_carbons_in_nanometres(self):
        for carbons in replicas().values():
            self.assertEqual(carbons.shape[1:], (4, 3))
            bonds = np.linalg.norm(np.diff(carbons, axis=1), axis=2)
            # 0.153 nm; the stiffness of the force field makes a thermal amplitude of 0.003 nm
            self.assertLess(np.abs(bonds - 0.153).max(), 0.02)
            self.assertLess(np.abs(carbons.mean(axis=1)).max(), 2.0**-14)

    def test_is_as_long_as_its_provenance_says(self):
        text = (PAPER / "butane" / "provenance.txt").read_text()
        said = [int(count) for count in re.findall(r"(\d+) frames", text)]
        self.assertEqual(said, [len(carbons) for carbons in replicas().values()])

    def test_moves_from_frame_to_frame_as_0_05_ps_of_thermal_motion(self):
        # a free carbon would move by 0.05 ps (3 k T / m)^1/2 = 0.040 nm; bonds and angles turn it back within that time
        for carbons in replicas().values():
            # distances from the centre only: they do not see rotation
            steps = np.diff(np.linalg.norm(carbons[:, 0] - carbons[:, 3], axis=1))
            self.assertLess(np.abs(steps).max(), 0.1)
            self.assertGreater(steps.std(), 0.004)


class ExampleOnAPart(CliTest):
    def test_finds_the_three_conformations(self):
        shutil.copytree(PAPER, self.dir / "paper")
        np.savez(self.dir / "paper/butane/butane.npz", **{name: x[:FRAMES] for name, x in replicas().items()})
        self.succeed("reproduce", "butane", "--data", "paper", "--out", "run", "--quiet")
        rows = {row["quantity"]: row for row in json.loads((self.dir / "run/verdict.json").read_text())}
        for quantity, bound in {
            "variance of psi_1 explained by the dihedral": 0.9,
            "variance of psi_2 explained by the dihedral": 0.9,
            "points in the set of their dihedral bin": 0.95,
            "gap lambda_3 / lambda_2": 2,
        }.items():
            self.assertGreaterEqual(rows[quantity]["itomap"], bound)
            self.assertTrue(rows[quantity]["pass"])
        for name, row in rows.items():
            self.assertEqual(row["chosen"] is None, name == "trajectory (ns)", name)
        # the length is the one of five whose t_1 is nearest to the model's on the run that is not judged
        lengths = np.loadtxt(self.dir / "run/butane/lengths.dat")
        off = np.abs(np.log(lengths[:, 1] / lengths[:, 7]))
        self.assertAlmostEqual(rows["length (nm)"]["itomap"], lengths[np.nanargmin(off), 0])
        # time scales fall with it, as do the weights of the anti form: the blur lets the molecule pass, and heats it
        self.assertTrue((np.diff(lengths[1:, 4]) < 0).all(), lengths[:, 4])
        corrected, plain = (rows[f"weight of anti{end}"]["itomap"]
                            for end in (", drift corrected for it", "; reference: the trajectory"))
        self.assertGreater(corrected, plain)
        for name in "t_1, Markov state model (ps)", "t_1, least squares on harmonics (ps)":
            self.assertRegex(rows[name]["note"], r"^\+- [\d.e+]+$")
        self.assertRegex(rows["t_1, LKDmap (ps)"]["note"], r"\+- .*, reference \+- ")
        # time scales of so short a run are uncertain by more than what is required of the whole one
        self.assertEqual(rows["t_1, LKDmap (ps)"]["paper"], 74)
        self.assertAlmostEqual(rows["trajectory (ns)"]["itomap"], 2 * FRAMES * 0.05 / 1000)

        chains = np.loadtxt(self.dir / "run/butane/set_180.dat")
        ends = np.linalg.norm(chains[:, :3] - chains[:, 9:], axis=1)
        self.assertGreater(np.median(ends), 0.37)  # stretched; 0.30 nm in the gauche forms
        if shutil.which("gnuplot"):
            for name in FIGURES:
                self.assertGreater((self.dir / "run/butane" / name).stat().st_size, 10000)

    def test_data_of_another_shape_are_refused(self):
        (self.dir / "paper/butane").mkdir(parents=True)
        np.savez(self.dir / "paper/butane/butane.npz", replica1=np.zeros((5, 3)), replica2=np.zeros((5, 3)))
        self.refuse("reproduce", "butane", "--data", "paper", "--out", "run", says=["5 x 3", "frames x 4 x 3"])
