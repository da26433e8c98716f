"""The same points in every format give the same result."""

import os
import subprocess
import unittest

import numpy as np
from support import CliTest, gauss


class Formats(CliTest):
    def setUp(self):
        super().setUp()
        self.points = np.round(gauss(60), 3)
        self.save("points.npy", self.points)
        self.expected = self.eigenvalues("points.npy")

    def eigenvalues(self, file):
        return self.eigenvalues_of("dmap", "--points", file, "--epsilon", "0.5", "--eigs", "4")

    def assert_same(self, file, tolerance=0.0):
        np.testing.assert_allclose(self.eigenvalues(file), self.expected, rtol=tolerance, atol=1e-13 + tolerance)

    def test_expected_is_a_spectrum(self):
        self.assertGreaterEqual(len(self.expected), 5)  # and what is flagged
        self.assertTrue(np.all(np.diff(self.expected.real) < 0))

    def test_fortran_order(self):
        np.save(self.dir / "f.npy", np.asfortranarray(self.points))
        self.assert_same("f.npy")

    def test_big_endian(self):
        np.save(self.dir / "b.npy", self.points.astype(">f8"))
        self.assert_same("b.npy")

    def test_float32(self):
        np.save(self.dir / "s.npy", self.points.astype("float32"))
        self.assert_same("s.npy", tolerance=1e-5)

    def test_npy_versions(self):
        for version in (1, 0), (2, 0), (3, 0):
            with open(self.dir / "v.npy", "wb") as file:
                np.lib.format.write_array(file, self.points, version=version)
            self.assert_same("v.npy")

    def test_npz(self):
        np.savez(self.dir / "stored.npz", other=np.zeros(3), points=self.points)
        np.savez_compressed(self.dir / "deflated.npz", points=self.points)
        self.assert_same("stored.npz:points")
        self.assert_same("deflated.npz:points")

    def test_text(self):
        for file, delimiter, header in ("a.csv", ",", ""), ("b.csv", ",", "x,y"), ("c.tsv", "\t", "x\ty"), ("d.txt", " ", ""):
            np.savetxt(self.dir / file, self.points, delimiter=delimiter, header=header, comments="", fmt="%.17g")
            self.assert_same(file)

    @unittest.skipUnless("ITOMAP_NPY_TO_H5" in os.environ, "built without HDF5")
    def test_hdf5(self):
        subprocess.run([os.environ["ITOMAP_NPY_TO_H5"], "points.npy", "points.h5", "cloud"], cwd=self.dir, check=True)
        self.assert_same("points.h5:/cloud")
        self.refuse("dmap", "--points", "points.h5:/clod", says=["points.h5", "clod"])

    @unittest.skipIf("ITOMAP_NPY_TO_H5" in os.environ, "built with HDF5")
    def test_hdf5_left_out(self):
        (self.dir / "points.h5").write_bytes(b"whatever")
        self.refuse("dmap", "--points", "points.h5:/cloud", says=["points.h5:/cloud", "built without HDF5", ".npy"])

    def test_one_dimension_as_a_vector_or_a_column(self):
        self.save("flat.npy", self.points[:, 0])
        self.save("column.npy", self.points[:, :1])
        np.testing.assert_array_equal(self.eigenvalues("flat.npy"), self.eigenvalues("column.npy"))


if __name__ == "__main__":
    unittest.main()
