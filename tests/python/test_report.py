"""model.report: the page of a fitted model, and what is refused."""
import json
import pathlib
import re
import tempfile
import unittest

import numpy as np
import pandas

import itomap

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)


@unittest.skipUnless(itomap.has_report(), "this build has no report")
class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "report.html"
        self.x = np.random.default_rng(0).uniform(-2, 2, size=(400, 2))

    def fitted(self, x=None):
        return itomap.DiffusionMap(epsilon=0.1, n_components=3).fit(self.x if x is None else x)

    def data(self):
        return json.loads(DATA.search(self.page.read_text())[1])

    def test_what_was_given_is_shown(self):
        model = self.fitted()
        sets = model.pcca(2)
        left, right = np.flatnonzero(self.x[:, 0] < -1.5), np.flatnonzero(self.x[:, 0] > 1.5)
        path = model.committor(left, right)
        bars = model.error_bars(n_blocks=4)
        model.report(self.page, title="Square", sets=sets, committor=path, error_bars=bars, values={"radius": np.hypot(*self.x.T)},
                     reference_timescales=[1.5, 0.5])
        data = self.data()
        self.assertEqual((data["title"], data["directory"]), ("Square", ""))
        self.assertEqual(data["result"]["eigenvalues"], [[value, 0] for value in model.eigenvalues_])
        self.assertEqual(data["result"]["parameters"]["epsilon"], 0.1)
        self.assertEqual(data["cluster"]["points"], [int((sets["labels"] == k).sum()) for k in (0, 1)])
        self.assertEqual(data["cluster"]["rate_matrix"], sets["rate_matrix"].tolist())
        self.assertEqual((data["committor"]["rate"], data["committor"]["source_points"]), (path["rate"], left.size))
        self.assertEqual(data["result"]["error_bars"]["timescales"][1], bars["timescales"][1])
        self.assertEqual(data["result"]["error_bars"]["extrapolated"][1][0], bars["extrapolated"][1].real)
        self.assertEqual(data["reference_timescales"], [1.5, 0.5])
        self.assertIn("radius", [column["name"] for column in data["columns"]])

    def test_error_bars_of_functions_and_passages(self):
        model = itomap.DiffusionMap(epsilon=0.1, n_components=3, drop_isolated=True).fit(np.vstack([self.x, [[60.0, 60.0]]]))
        left, right = np.flatnonzero(self.x[:, 0] < -1.5), np.flatnonzero(self.x[:, 0] > 1.5)
        bars = model.error_bars(n_blocks=4, functions=True)
        passage = model.committor_error_bars(left, right, n_blocks=4)
        model.report(self.page, error_bars=bars, committor=model.committor(left, right), committor_error_bars=passage)
        data = self.data()
        columns = {column["key"]: column for column in data["columns"]}
        for key, values in {"psi1_error": bars["function_errors"][:, 1], "psi2_limit": bars["extrapolated_functions"][:, 2],
                            "committor_error": passage["forward"]["error"], "time_to_sink_limit": passage["time_to_sink"]["extrapolated"]}.items():
            self.assertEqual(columns[key]["group"], "error_bar")
            self.assertEqual(columns[key]["missing"], np.isnan(values).sum())
            self.assertEqual(columns[key]["range"], [np.nanmin(values), np.nanmax(values)])
        weights = np.nan_to_num(model.stationary_)
        expected = np.sqrt(np.nansum(weights[:, None] * bars["function_errors"]**2, axis=0))[1:]
        np.testing.assert_allclose([one["error"] for one in data["function_errors"]], expected, rtol=1e-12)
        self.assertEqual(data["committor"]["error_bars"]["rate"]["error"], passage["rate"]["error"])
        with self.assertRaisesRegex(ValueError, "give committor= too"):
            model.report(self.page, committor_error_bars=passage, force=True)

    def test_names_of_a_data_frame(self):
        model = self.fitted(pandas.DataFrame(self.x, columns=["phi", "psi"]))
        model.report(self.page)
        self.assertEqual([column["name"] for column in self.data()["columns"][:2]], ["phi", "psi"])
        itomap.save_result(model, self.page.parent / "result")
        self.assertEqual(json.loads((self.page.parent / "result/result.json").read_text())["columns"], ["phi", "psi"])
        itomap.load_result(self.page.parent / "result").report(self.page, force=True)

    def test_a_choice_of_epsilon_is_shown(self):
        itomap.DiffusionMap(n_components=3).fit(self.x).report(self.page)
        self.assertGreater(len(self.data()["scale"]["scan"]), 2)

    def test_points_that_were_left_out(self):
        x = np.vstack([self.x, [[60.0, 60.0]]])
        model = itomap.DiffusionMap(epsilon=0.1, n_components=3, drop_isolated=True).fit(x)
        sets = model.pcca(2)
        self.assertEqual(sets["labels"][400], -1)
        model.report(self.page, sets=sets, committor=model.committor([0, 1], [2, 3]))
        missing = {column["key"]: column["missing"] for column in self.data()["columns"]}
        self.assertEqual((missing["x1"], missing["psi1"], missing["set"], missing["committor"]), (0, 1, 1, 1))

    def test_structures(self):
        for k in (0, 1):
            (self.page.parent / f"set_{k}.pdb").write_text(f"REMARK {k}\nEND\n")
        model = self.fitted()
        model.report(self.page, structures=self.page.parent)
        self.assertEqual([one["pdb"] for one in self.data()["structures"]], ["REMARK 0\nEND\n", "REMARK 1\nEND\n"])
        model.report(self.page, structures=[self.page.parent / "set_1.pdb"], force=True)
        self.assertEqual(len(self.data()["structures"]), 1)

    def test_refused(self):
        model = self.fitted()
        model.report(self.page)
        other = itomap.DiffusionMap(epsilon=0.1, n_components=3).fit(self.x[:200])
        for error, says, more in [
                (FileExistsError, "exists", {}),
                (ValueError, "labels of 200 points", {"sets": other.pcca(2), "force": True}),
                (ValueError, "forward of 200 points", {"committor": other.committor([0], [1]), "force": True}),
                (ValueError, "one number for each of the 400", {"values": {"a": np.zeros(3)}, "force": True}),
                (ValueError, "not a time > 0", {"reference_timescales": [-1.0], "force": True}),
                (ValueError, "not even two columns", {"size": 10, "force": True}),
                (FileNotFoundError, "set_0.pdb", {"structures": self.page.parent, "force": True})]:
            with self.assertRaisesRegex(error, says):
                model.report(self.page, **more)
        with self.assertRaises(OSError):
            model.report(self.page.parent / "no/such/folder.html")


if __name__ == "__main__":
    unittest.main()
