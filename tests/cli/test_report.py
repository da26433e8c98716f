"""itomap report and --report: the page as a file. What it looks like is tested in tests/browser."""

import base64
import json
import re
import struct
import unittest
import zlib

import numpy as np
from support import CliTest, gauss, square

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)
BLOCK = re.compile(r'<script type="text/plain" id="(\w+)">([^<]*)</script>')


def unpack(column, block):
    """A column as the page's script reads it: docs/reference/report/report.md has the format."""
    raw = zlib.decompress(base64.b64decode(block), wbits=-15)
    size = {"coarse": 2, "steps": 2, "single": 4, "double": 8}[column["precision"]]
    planes = np.frombuffer(raw, dtype=np.uint8).reshape(size, -1)
    words = sum(planes[k].astype(np.uint64) << np.uint64(8 * k) for k in range(size))
    bits, total, values = 8 * size, 0, []
    for word in words.tolist():
        total = (total + ((word >> 1) ^ -(word & 1))) % (1 << bits)
        values.append(total)
    if size == 2:
        steps, low, high = column["steps"], column["low"], column["high"]
        place = low + (np.array(values) - 1.0) / (steps - 1) * (high - low)
        number = np.exp(place) if column["logarithmic"] else place
        return np.where(np.array(values) == steps + 1, np.nan, np.where(np.array(values) == 0, 0.0, number))
    sign = 1 << (bits - 1)
    plain = [value ^ sign if value & sign else ~value % (1 << bits) for value in values]
    code = "<%dI" if size == 4 else "<%dQ"
    return np.frombuffer(struct.pack(code % len(plain), *plain), dtype=f"<f{size}").astype(float)


class Report(CliTest):
    @classmethod
    def setUpClass(cls):
        test = cls("can_write")
        test.setUp()
        try:
            if not json.loads(test.succeed("info", "--json").stdout)["report"]:
                raise unittest.SkipTest("this build has no report")
        finally:
            test.doCleanups()

    def can_write(self):
        pass

    def setUp(self):
        super().setUp()
        self.points = square(300)
        self.save("x.npy", self.points)

    def result(self, *words, out="result"):
        self.succeed("dmap", "--points", "x.npy", "--epsilon", "0.1", "--eigs", "3", "--quiet", "--out", out, *words)
        return out

    def page(self, file="result/report.html"):
        text = (self.dir / file).read_text()
        return json.loads(DATA.search(text)[1]), dict(BLOCK.findall(text))

    def columns(self, file="result/report.html"):
        """Columns of the page, one row for each point of the data."""
        data, blocks = self.page(file)
        raw = zlib.decompress(base64.b64decode(blocks["numbers"]), wbits=-15)
        planes = np.frombuffer(raw, dtype=np.uint8).reshape(4, -1).astype(np.uint32)
        numbers = sum(planes[k] << np.uint32(8 * k) for k in range(4))
        found = {}
        for column in data["columns"]:
            values = np.full(data["points"]["total"], np.nan)
            values[numbers] = unpack(column, blocks[column["block"]])
            found[column["key"]] = values
        return data, numbers, found

    def test_values_are_those_of_the_result(self):
        self.result()
        self.assertIn("result/report.html", self.succeed("report", "--result", "result").stdout)
        data, numbers, found = self.columns()
        self.assertEqual(sorted(numbers.tolist()), list(range(300)))
        psi = self.load("result/eigenfunctions.npy")
        for key, values in {"x1": self.points[:, 0], "x2": self.points[:, 1], "psi1": psi[:, 1], "psi3": psi[:, 3],
                            "stationary": self.load("result/stationary.npy"), "density": self.load("result/density.npy")}.items():
            np.testing.assert_array_equal(found[key], values, err_msg=key)
        self.assertEqual({column["precision"] for column in data["columns"]}, {"double"})
        self.assertEqual(data["result"], json.loads((self.dir / "result/result.json").read_text()))
        self.assertIn("report.html", (self.dir / "result/.itomap-files").read_text().split())

    def test_less_room_means_fewer_digits_and_then_fewer_columns(self):
        self.result()
        psi = self.load("result/eigenfunctions.npy")[:, 1]
        errors = []
        for size, most in (("100K", 0.0), ("10K", 6e-8), ("7K", 1 / 65000), ("6K", 1 / 4000)):
            self.succeed("report", "--result", "result", "--size", size, "--force")
            data, _, found = self.columns()
            error = np.abs(found["psi1"] - psi).max() / np.ptp(psi)
            self.assertLessEqual(error, most, (size, [c["precision"] for c in data["columns"]]))
            errors.append(error)
            self.assertEqual(data["left_out"], [])
        self.assertEqual(errors, sorted(errors))
        self.succeed("report", "--result", "result", "--size", "4K", "--force")
        data, _, found = self.columns()
        self.assertIn("x1", found)
        self.assertNotEqual(data["left_out"], [])
        self.assertEqual(len(found) + len(data["left_out"]), 7)

    def test_small_values_keep_their_digits_in_steps(self):
        log_target = -40 * (self.points**2).sum(axis=1)
        self.save("log.npy", log_target)
        self.succeed("tmd", "--points", "x.npy", "--log-target", "log.npy", "--epsilon", "0.1", "--eigs", "2", "--quiet", "--out", "result")
        self.succeed("report", "--result", "result", "--size", "5K")
        data, _, found = self.columns()
        column = next(c for c in data["columns"] if c["key"] == "stationary")
        self.assertIn(column["precision"], ("coarse", "steps"))
        exact = self.load("result/stationary.npy")
        self.assertGreater(exact.max() / exact[exact > 0].min(), 1e60)
        positive = exact > 0
        relative = np.abs(found["stationary"][positive] / exact[positive] - 1)
        self.assertLess(relative.max(), (column["high"] - column["low"]) / column["steps"])
        np.testing.assert_array_equal(found["stationary"][~positive], 0)

    def test_points_that_were_left_out_have_no_values(self):
        self.save("x.npy", np.vstack([self.points, [[50, 50]]]))
        self.result("--drop-isolated", "--report")
        _, _, found = self.columns()
        self.assertEqual(found["x1"][300], 50)
        self.assertTrue(np.isnan(found["psi1"][300]))
        self.assertTrue(np.isfinite(found["psi1"][:300]).all())

    def test_more_points_than_are_shown(self):
        self.result()
        self.succeed("report", "--result", "result", "--most-points", "100")
        data, numbers, found = self.columns()
        self.assertEqual((data["points"]["shown"], len(set(numbers.tolist()))), (100, 100))
        np.testing.assert_array_equal(found["x1"][numbers], self.points[numbers, 0])

    def test_complex_pairs(self):
        points = gauss(300)
        self.save("x.npy", points)
        self.save("b.npy", points @ np.array([[-1, -2], [2, -1]]).T)
        self.succeed("lkd", "--points", "x.npy", "--drift", "b.npy", "--diffusion", "1", "--epsilon", "0.1", "--density-epsilon", "0.1",
                     "--eigs", "4", "--quiet", "--out", "result", "--report")
        data, _, found = self.columns()
        psi = self.load("result/eigenfunctions.npy")
        pairs = [n for n, (_, im) in enumerate(data["result"]["eigenvalues"]) if im > 0]
        self.assertNotEqual(pairs, [])
        for n in pairs:
            np.testing.assert_array_equal(found[f"psi{n}"], psi[:, n].real)
            np.testing.assert_array_equal(found[f"psi{n}_im"], psi[:, n].imag)
            self.assertNotIn(f"psi{n + 1}", found)
        field = data["drift"][0]
        self.assertEqual((field["x"], field["y"]), ("x1", "x2"))
        middle = field["cells"] // 2 * (field["cells"] + 1)
        self.assertIsNotNone(field["u"][middle])

    def test_what_cluster_committor_and_scale_wrote(self):
        self.result()
        self.save("a.npy", np.flatnonzero(self.points[:, 0] < -1.5))
        self.save("b.npy", np.flatnonzero(self.points[:, 0] > 1.5))
        self.succeed("cluster", "--result", "result", "--sets", "2", "--quiet")
        self.succeed("committor", "--result", "result", "--source", "a.npy", "--sink", "b.npy", "--quiet")
        self.succeed("scale", "--result", "result", "--quiet")
        self.succeed("report", "--result", "result")
        data, _, found = self.columns()
        np.testing.assert_array_equal(found["set"], self.load("result/sets.npy"))
        np.testing.assert_array_equal(found["committor"], self.load("result/committor.npy"))
        for part, name in (("cluster", "cluster.json"), ("committor", "committor.json"), ("scale", "scale.json")):
            self.assertEqual(data[part], json.loads((self.dir / "result" / name).read_text()))
        weights = np.array(data["committor_histogram"]["weight"])
        self.assertAlmostEqual(weights.sum(), 1, places=3)
        low = self.load("result/stationary.npy")[self.load("result/committor.npy") < 0.025].sum()
        self.assertAlmostEqual(weights[0], low, places=3)
        effective = 1 / (self.load("result/stationary.npy")**2).sum()
        self.assertAlmostEqual(data["effective_points"], effective, places=6)

    def test_error_bars_of_functions_and_passages(self):
        self.result("--error-bars", "4")
        self.save("a.npy", np.flatnonzero(self.points[:, 0] < -1.5))
        self.save("b.npy", np.flatnonzero(self.points[:, 0] > 1.5))
        self.succeed("committor", "--result", "result", "--source", "a.npy", "--sink", "b.npy", "--error-bars", "3", "--quiet")
        self.succeed("report", "--result", "result")
        data, _, found = self.columns()
        errors = self.load("result/eigenfunction_errors.npy")
        expected = {"psi1_limit": self.load("result/extrapolated_eigenfunctions.npy")[:, 1], "psi2_error": errors[:, 2],
                    "committor_limit": self.load("result/extrapolated_committor.npy"), "committor_error": self.load("result/committor_errors.npy"),
                    "time_to_sink_limit": self.load("result/extrapolated_passage_times.npy")[:, 0],
                    "time_to_source_error": self.load("result/passage_time_errors.npy")[:, 1]}
        for key, values in expected.items():
            np.testing.assert_array_equal(found[key], np.where(np.isfinite(values), values, np.nan), err_msg=key)
        squares = (self.load("result/stationary.npy")[:, None] * errors**2).sum(axis=0)
        self.assertEqual([one["mode"] for one in data["function_errors"]], list(range(1, errors.shape[1])))
        np.testing.assert_allclose([one["error"] for one in data["function_errors"]], np.sqrt(squares[1:]), rtol=1e-12)

    def test_values_structures_reference_and_title(self):
        self.result()
        (self.dir / "more.csv").write_text("energy,angle\n" + "\n".join(f"{i},{2 * i}" for i in range(300)))
        (self.dir / "shapes").mkdir()
        for k in (0, 1):
            (self.dir / f"shapes/set_{k}.pdb").write_text(f"REMARK {k}\nEND\n")
        (self.dir / "known.txt").write_text("3\n2\n")
        self.succeed("report", "--result", "result", "--values", "more.csv", "--structures", "shapes", "--reference", "known.txt",
                     "--title", "A & B <i>", "--time-unit", "ps", "--out", "page.html")
        data, _, found = self.columns("page.html")
        self.assertEqual(data["time_unit"], "ps")
        self.assertEqual(data["title"], "A & B <i>")
        self.assertEqual(data["reference_timescales"], [3, 2])
        self.assertEqual([s["pdb"] for s in data["structures"]], ["REMARK 0\nEND\n", "REMARK 1\nEND\n"])
        named = {column["name"]: column["key"] for column in data["columns"] if column["group"] == "values"}
        self.assertEqual(list(named), ["energy", "angle"])
        np.testing.assert_array_equal(found[named["angle"]], 2 * np.arange(300))
        text = (self.dir / "page.html").read_text()
        self.assertIn("3Dmol", text)
        self.assertFalse((self.dir / "result/report.html").exists())

    def test_the_page_holds_no_text_as_markup(self):
        name = "</script><script>alert(1)</script><!--"
        (self.dir / "x.csv").write_text(f'"{name}",b\n' + "\n".join(f"{x},{y}" for x, y in self.points))
        self.succeed("dmap", "--points", "x.csv", "--epsilon", "0.1", "--eigs", "2", "--quiet", "--out", "result", "--report")
        text = (self.dir / "result/report.html").read_text()
        self.assertEqual(json.loads(DATA.search(text)[1])["columns"][0]["name"], name)
        self.assertNotIn("alert(1)</script>", text)
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
        self.assertIn("default-src 'none'", policy)
        scripts = re.search(r"script-src ([^;]*)", policy)[1].split()
        self.assertTrue(all(part.startswith("'sha256-") for part in scripts), scripts)
        self.assertNotRegex(policy, r"https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline")

    def test_names_and_command_are_in_the_result(self):
        (self.dir / "my points.csv").write_text("phi psi\n" + "\n".join(f"{x} {y}" for x, y in self.points))
        result = self.json_of("dmap", "--points", "my points.csv", "--epsilon", "0.1", "--eigs", "2")
        self.assertEqual(result["columns"], ["phi", "psi"])
        self.assertEqual(result["command_line"], "itomap dmap --points 'my points.csv' --epsilon 0.1 --eigs 2 --json")
        self.assertNotIn("columns", self.json_of("dmap", "--points", "x.npy", "--epsilon", "0.1", "--eigs", "2"))

    def test_a_result_with_names_loads(self):
        (self.dir / "x.csv").write_text("phi,psi\n" + "\n".join(f"{x},{y}" for x, y in self.points))
        self.succeed("dmap", "--points", "x.csv", "--epsilon", "0.1", "--eigs", "2", "--quiet", "--out", "result")
        self.succeed("cluster", "--result", "result", "--sets", "2", "--quiet")

    def test_refused(self):
        self.result()
        self.succeed("report", "--result", "result", "--quiet")
        self.refuse("report", "--result", "result", says=["report.html exists", "--force"])
        self.refuse("report", "--result", "nowhere", says="result.json is missing")
        self.refuse("report", "--result", "result", "--out", "no/such/page.html", says="cannot be written")
        (self.dir / "there.html").write_text("mine")
        self.refuse("report", "--result", "result", "--out", "there.html", says=["there.html exists", "--force"])
        self.refuse("report", "--result", "result", "--out", "result", "--force", says="is a directory")
        self.refuse("report", "--result", "result", "--structures", ".", "--out", "p.html", says="set_0.pdb")
        self.save("short.npy", np.zeros(7))
        self.refuse("report", "--result", "result", "--values", "short.npy", "--out", "p.html", says=["7 rows", "300 points"])
        self.save("times.npy", np.array([1.0, -2.0]))
        self.refuse("report", "--result", "result", "--reference", "times.npy", "--out", "p.html", says="not a time > 0")
        self.refuse("report", "--result", "result", "--size", "1000", "--out", "p.html", says=["1000 bytes", "two columns"])
        self.refuse("dmap", "--points", "x.npy", "--report", says="--out DIR, which is not given")

    def test_another_file_in_the_way_is_left_alone(self):
        self.result()
        (self.dir / "result/report.html").write_text("mine")
        self.refuse("report", "--result", "result", "--force", says="is not on the list of what itomap wrote")
        self.assertEqual((self.dir / "result/report.html").read_text(), "mine")

    def test_damaged_results(self):
        self.result()
        whole = json.loads((self.dir / "result/result.json").read_text())
        np.save(self.dir / "result/stationary.npy", np.zeros(7))
        self.refuse("report", "--result", "result", says="stationary.npy")
        for key, value in (("eigenvalues", []), ("spurious", [99]), ("method", "magic"), ("points", "many")):
            (self.dir / "result/result.json").write_text(json.dumps({**whole, key: value}))
            self.refuse("report", "--result", "result", says=key)


class NoReport(CliTest):
    def test_a_build_without_says_what_to_install(self):
        if json.loads(self.succeed("info", "--json").stdout)["report"]:
            self.skipTest("this build has a report")
        self.save("x.npy", square(100))
        self.refuse("report", "--result", "anything", says=["no report", "npm"])
        self.refuse("dmap", "--points", "x.npy", "--out", "result", "--report", says=["no report", "npm"])
        self.refuse("reproduce", "butane", "--out", "paper", "--report", says=["no report", "npm"])
        self.assertIn("no:", self.succeed("info").stdout)


if __name__ == "__main__":
    unittest.main()
