"""Files that are not what they should be."""

import os
import subprocess
import unittest
import zipfile

import numpy as np
from support import CliTest, gauss


class BadFiles(CliTest):
    def refuse_points(self, file, *says):
        self.refuse("dmap", "--points", file, "--epsilon", "1", "--eigs", "2", "--out", "result", says=[file, *says])

    def test_missing(self):
        for file in "nowhere.npy", "nowhere.csv", "nowhere.npz:x", "nowhere.h5:/x":
            self.refuse("dmap", "--points", file, "--out", "result", says=file.split(":")[0])

    def test_directory(self):
        (self.dir / "folder.npy").mkdir()
        self.refuse_points("folder.npy", "directory")

    def test_unknown_format(self):
        (self.dir / "points.xyz").write_text("1 2 3\n")
        self.refuse_points("points.xyz", ".npy")

    def test_empty(self):
        for file in "empty.npy", "empty.csv":
            (self.dir / file).write_bytes(b"")
            self.refuse_points(file)

    def test_truncated_npy(self):
        self.save("points.npy", gauss(100))
        whole = (self.dir / "points.npy").read_bytes()
        for size in 5, 60, 128, len(whole) - 1:
            (self.dir / "points.npy").write_bytes(whole[:size])
            self.refuse_points("points.npy")

    def test_not_npy_at_all(self):
        (self.dir / "points.npy").write_bytes(b"PK\x03\x04 something else" * 10)
        self.refuse_points("points.npy")

    def test_dtypes(self):
        for dtype in "int64", "bool", "complex128", "float16", "U5":
            self.save("points.npy", np.ones((20, 2)).astype(dtype))
            self.refuse_points("points.npy", "float64")

    def test_object_array(self):
        np.save(self.dir / "points.npy", np.array([[1, "a"], [2, None]], dtype=object), allow_pickle=True)
        self.refuse_points("points.npy", "object")

    def test_shapes(self):
        for shape, text in ((4, 3, 2), "4 x 3 x 2"), ((0, 2), "0 x 2"), ((3, 0), "3 x 0"):
            self.save("points.npy", np.ones(shape))
            self.refuse_points("points.npy", text, "one row per point")
        self.save("points.npy", np.float64(3.0))
        self.refuse_points("points.npy", "one row per point")

    def test_a_single_point(self):
        self.save("points.npy", np.ones((1, 2)))
        self.refuse_points("points.npy", "at least 2")

    def test_npz(self):
        np.savez(self.dir / "data.npz", a=gauss(20), b=gauss(20))
        self.refuse_points("data.npz:points", "a")
        self.refuse_points("data.npz")
        whole = (self.dir / "data.npz").read_bytes()
        (self.dir / "data.npz").write_bytes(whole[:-40])
        self.refuse_points("data.npz:a")

    def test_npz_with_damaged_content(self):
        np.savez(self.dir / "data.npz", a=gauss(20))
        whole = bytearray((self.dir / "data.npz").read_bytes())
        whole[len(whole) // 2] ^= 255
        (self.dir / "data.npz").write_bytes(whole)
        with self.assertRaises(zipfile.BadZipFile):
            np.load(self.dir / "data.npz")["a"]
        self.refuse_points("data.npz:a")

    def test_csv(self):
        for text, says in [("1,2\n3,x\n5,6\n", ["line 2", "column 2"]), ("1,2\n3\n5,6\n", ["line 2"]), ("a,b\n", [])]:
            (self.dir / "points.csv").write_text(text)
            self.refuse_points("points.csv", *says)

    def test_what_never_ends(self):
        for source in "/dev/zero", "/dev/urandom":
            for file, says in ("endless.npy", "is not a .npy file"), ("endless.npz", "is not a .npz file"), \
                              ("endless.csv", "is not text"), ("endless.h5", "is a pipe or a device"):
                with self.subTest(file, source=source):
                    os.symlink(source, self.dir / file)
                    self.refuse_points(file, says)
                    (self.dir / file).unlink()

    def test_a_pipe_that_never_ends(self):
        os.mkfifo(self.dir / "pipe.npy")
        with subprocess.Popen(["sh", "-c", "cat /dev/zero >pipe.npy"], cwd=self.dir, stderr=subprocess.DEVNULL) as zeros:
            done = self.run_program("dmap", "--points", "pipe.npy")
            zeros.kill()
        self.assertEqual(done.returncode, 2)
        self.assertIn("pipe.npy: is not a .npy file", done.stderr)

    def test_pipes_that_end(self):
        self.save("points.npy", gauss(2000))
        np.savetxt(self.dir / "points.csv", gauss(2000))
        np.savez(self.dir / "points.npz", x=gauss(2000))
        for name in "points.npy", "points.csv", "points.npz":
            os.mkfifo(self.dir / f"pipe_{name}")
            with subprocess.Popen(["sh", "-c", f"cat {name} >pipe_{name}"], cwd=self.dir):
                self.succeed("dmap", "--points", f"pipe_{name}", "--epsilon", "1", "--eigs", "2")

    def test_hdf5(self):
        (self.dir / "points.h5").write_bytes(b"not an HDF5 file" * 100)
        self.refuse_points("points.h5:/points")

    def test_unreadable_name_stays_one_line(self):
        self.refuse("dmap", "--points", "two\nlines.npy", says="lines.npy")


if __name__ == "__main__":
    unittest.main()
