"""The paper's examples by one command: verdicts, data, figures, and what happens when something is missing."""

import json
import os
import re
import shutil
import subprocess
import unittest

import numpy as np
from support import PROGRAM, CliTest

EXAMPLES = ["large-time-step", "temperature-switch", "butane", "wake"]
KEYS = ["example", "quantity", "paper", "itomap", "reference", "required", "pass", "chosen"]
PAPER = os.path.join(os.path.dirname(__file__), "../../examples/paper")


class Reproduce(CliTest):
    def verdicts(self, folder):
        return json.loads((self.dir / folder / "verdict.json").read_text(),
                          parse_constant=lambda name: self.fail(f"{name} is not JSON"))

    def test_help_names_every_example(self):
        text = self.succeed("reproduce", "--help").stdout
        for example in EXAMPLES:
            self.assertIn(f"\n  {example} ", text)
        self.assertIn("EXAMPLE", text)
        self.assertIn("[all]", text)

    def test_wrong_words(self):
        (self.dir / "taken").mkdir()
        (self.dir / "taken/precious.txt").write_text("mine")
        for words, says in [
                (["butan", "--out", "o"], ["no example 'butan'", "did you mean butane?"]),
                (["everything", "--out", "o"], ["no example 'everything'", "all, large-time-step"]),
                (["wake", "butane", "--out", "o"], "takes one EXAMPLE, but found 'butane'"),
                (["wake"], "reproduce needs --out DIR"),
                (["wake", "--out", "o", "--seeds", "0"], "--seeds 0: it must be a whole number from 1"),
                (["wake", "--out", "o", "--data", "nowhere"], ["--data nowhere", "examples/paper"]),
                (["wake", "--out", "taken"], "exists; choose another or allow it to be replaced: --force"),
                (["wake", "--out", "taken", "--force"], "holds 'precious.txt'"),
                (["wake", "--out", "o", "--sedes", "1"], "did you mean --seeds?")]:
            self.refuse("reproduce", *words, says=says)

    def check_pages(self, folder, pages, said):
        """The gallery has all verdicts and figures, and leads to reports that are there."""
        if not pages:
            self.assertIn("No page to open", said)
            return
        self.assertIn(f"Open {folder}/index.html", said)
        text = (self.dir / folder / "index.html").read_text()
        section, = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])["sections"]
        self.assertEqual(len(section["rows"]), len(self.verdicts(folder)))
        self.assertEqual(len(section["pictures"]), len(list((self.dir / folder).rglob("*.png"))))
        for link in [*section["links"], *section["pictures"]]:
            self.assertTrue((self.dir / folder / link["address"]).is_file(), link["address"])
        self.assertEqual(len(section["links"]), 2)

    def test_one_seed_of_the_temperature_switch(self):
        done = self.succeed("reproduce", "temperature-switch", "--seeds", "1", "--out", "switch")
        verdicts = self.verdicts("switch")
        for verdict in verdicts:
            self.assertEqual([key for key in verdict if key != "note"], KEYS)
            self.assertEqual(verdict["example"], "temperature-switch")
            self.assertIn(verdict["quantity"], done.stdout)
            self.assertEqual(verdict["pass"] is None, verdict["required"] is None)
            self.assertTrue(verdict["chosen"], verdict["quantity"])
            self.assertIn(verdict["chosen"], done.stdout)
            self.check_requirement(verdict)
        met = sum(verdict["pass"] is True for verdict in verdicts)
        asked = sum(verdict["pass"] is not None for verdict in verdicts)
        self.assertIn(f"{met} of {asked} requirements met", done.stdout)
        self.assertEqual(done.stdout.count("MISSED"), asked - met)
        self.assertEqual(done.stdout.count("not met: temperature-switch, "), asked - met)
        # One run may be unlucky, but no run of 5,000 steps is as far off as the paper's epsilon taken literally.
        by_name = {verdict["quantity"]: verdict["itomap"] for verdict in verdicts}
        self.assertLess(by_name["l1 error of phi_0 q, beta = 2 [%]"], 8)
        self.assertGreater(by_name["l1 error of phi_0 q, the paper's eps [%]"], 15)
        pages = ["index.html"] if json.loads(self.succeed("info", "--json").stdout)["report"] else []
        self.assertEqual(self.files("switch"), [*pages, "temperature-switch", "verdict.json"])
        self.check_pages("switch", pages, done.stdout)
        table = np.loadtxt(self.dir / "switch/temperature-switch/points.dat")
        self.assertEqual(table.shape, (5000, 14))
        self.assertTrue(np.isfinite(table).all())
        if shutil.which("gnuplot"):
            self.check_pictures("switch", "temperature-switch")
        self.check_replaced_without_gnuplot("reproduce", "temperature-switch", "--seeds", "1", "--out", "switch", "--force")

    def check_replaced_without_gnuplot(self, *words):
        """The numbers are there all the same, in place of what was; what others added is kept."""
        added = self.dir / "switch/temperature-switch/thesis.tex"
        added.write_text("years")
        self.refuse(*words, says="'switch' holds 'temperature-switch/thesis.tex'")
        added.unlink()
        done = self.succeed(*words, "--quiet", env=dict(os.environ, PATH=str(self.dir)))
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("gnuplot is not installed"), 1)
        self.assertTrue((self.dir / "switch/temperature-switch/points.dat").exists())
        self.assertEqual(list((self.dir / "switch").rglob("*.png")), [])
        self.assertEqual(self.names(), ["switch"])

    def test_one_seed_of_the_large_time_step(self):
        """Scales come from a sample that is not judged, and the verdicts are what the numbers say."""
        self.succeed("reproduce", "large-time-step", "--seeds", "1", "--out", "step", "--quiet")
        rows = {verdict["quantity"]: verdict for verdict in self.verdicts("step")}
        for row in rows.values():
            self.assertTrue(row["chosen"], row["quantity"])
            self.check_requirement(row)
        for method in "TMDmap", "LKDmap":
            t_1 = rows[f"t_1 of {method}"]
            self.assertEqual(t_1["chosen"], "auto on seed 1001")
            # what 80 passages between the wells tell at best, and the bias of few points
            self.assertLess(abs(t_1["itomap"] / t_1["reference"] - 1), 0.3)
            self.assertTrue(rows[f"error of psi_1(x,0), {method} [%]"]["pass"])
        self.assertTrue(rows["t_1 of dmap 1/2 too small by the factor"]["pass"])
        # the scales are those that the program finds by itself in another sample
        self.succeed("sample", "--system", "double-well", "--beta", "6", "--dt", "0.03", "--steps", "1000000", "--thin", "100",
                     "--box", "1.9", "--seed", "1001", "--out", "other", "--quiet")
        scale = json.loads(self.succeed("scale", "--points", "other/points.npy", "--log-target", "other/log_target.npy",
                                        "--json").stdout)
        self.assertAlmostEqual(rows["eps of TMDmap; the paper's / 4"]["itomap"] / scale["epsilon"], 1, places=6)
        # least squares on the chain's own steps, and a bandwidth that is narrowest on the barrier, are farther off
        ours = abs(np.log(rows["t_1 of TMDmap"]["itomap"] / rows["t_1 of TMDmap"]["reference"]))
        for name, row in rows.items():
            if name.startswith(("t_1, least squares", "t_1, bandwidth")):
                self.assertGreater(abs(np.log(row["itomap"] / row["reference"])), ours, name)

    def check_requirement(self, row):
        """`pass` follows from the numbers and the words beside it."""
        required, found = row["required"] or "", row["itomap"]
        if (share := re.match(r"within (\d+) % of the reference", required)):
            self.assertEqual(row["pass"], abs(found / row["reference"] - 1) <= int(share[1]) / 100, row["quantity"])
        elif (most := re.match(r"at most ([\d.]+) %", required)):
            self.assertEqual(row["pass"], found <= float(most[1]), row["quantity"])
        elif required == "10 or more":
            self.assertEqual(row["pass"], found >= 10)
        elif (least := re.match(r"at least ([\d.]+)", required)):
            self.assertEqual(row["pass"], found >= float(least[1]), row["quantity"])
        elif required.startswith("within a factor of 2"):
            self.assertEqual(row["pass"], row["reference"] / 2 <= found <= 2 * row["reference"], row["quantity"])
        elif required.startswith("more than with the other"):
            self.assertEqual(row["pass"], found > float(re.search(r"\(([\d.]+)\)", required)[1]))
        else:
            self.assertIn(required, ["", "2"])

    def check_pictures(self, out, example):
        scripts = [name for name in os.listdir(f"{PAPER}/{example}") if name.endswith(".gp")]
        self.assertGreaterEqual(len(scripts), 2)
        for script in scripts:
            picture = (self.dir / out / example / script.replace(".gp", ".png")).read_bytes()
            self.assertTrue(picture.startswith(b"\x89PNG"), script)
            self.assertGreater(len(picture), 10000, script)

    def test_stopped_leaves_nothing(self):
        process = subprocess.Popen([PROGRAM, "reproduce", "large-time-step", "--out", "never"], cwd=self.dir,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + 15)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
