"""Help teaches, and a slip of the finger gets one line with what was meant."""

import os
import subprocess
import unittest

from support import PROGRAM, CliTest

COMMANDS = ["sample", "estimate", "scale", "dmap", "tmd", "lkd", "extend", "cluster", "committor", "average", "reproduce",
            "info"]
COMMON = ["points", "epsilon", "eigs", "engine", "cutoff", "threads", "memory", "seed", "period", "drop-isolated",
          "out", "force", "quiet", "json"]


class Help(CliTest):
    def test_alone_prints_the_commands(self):
        for words in [], ["--help"], ["-h"], ["help"]:
            text = self.succeed(*words).stdout
            for command in COMMANDS:
                self.assertIn(f"\n  {command} ", text)

    def test_version(self):
        self.assertRegex(self.succeed("--version").stdout, r"^itomap \d+\.\d+\.\d+\n$")

    def test_every_command_explains_itself(self):
        for command in COMMANDS:
            text = self.succeed(command, "--help").stdout
            self.assertEqual(text, self.succeed("help", command).stdout)
            for part in f"itomap {command} - ", "\nUsage\n", "\nOutput\n", "\nExamples\n":
                self.assertIn(part, text)
            self.assertGreaterEqual(text.split("\nExamples\n")[1].count(f"  itomap {command}"), 2)

    def test_maps_list_all_options_in_groups_with_defaults(self):
        own = {"dmap": ["alpha"], "tmd": ["log-target", "target"],
               "lkd": ["drift", "diffusion", "eta", "density-epsilon", "biased"]}
        for command, options in own.items():
            text = self.succeed(command, "--help").stdout
            for option in COMMON + options:
                self.assertIn(f"\n  --{option}", text)
            for part in "\nInput\n", "\nMethod\n", "\nComputation\n", "4 epsilon", "[auto]", "[1e-08]", "[10]":
                self.assertIn(part, text)

    def test_help_wins_over_other_words(self):
        self.assertIn("Usage", self.succeed("dmap", "--points", "nowhere.npy", "--help").stdout)

    def test_lines_fit_a_page(self):
        for command in COMMANDS:
            for line in self.succeed(command, "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_no_escape_codes_outside_a_terminal(self):
        self.assertNotIn("\033", self.succeed("tmd", "--help").stdout)


class StrayWords(CliTest):
    def test_after_commands(self):
        self.refuse("dmap", "x.npy", says=["dmap takes options only", "--points x.npy"])
        self.refuse("cluster", "result", says=["cluster takes options only", "--result result"])
        self.refuse("average", "--result", "result", "f.npy", says=["found 'f.npy'", "--result f.npy"])
        self.refuse("reproduce", "wake", "butane", says=["takes one EXAMPLE", "'butane'"])
        for command in "info", "sample":
            error = self.refuse(command, "extra", says=f"{command} takes options only, but found 'extra'")
            self.assertNotIn("--points", error)

    def test_after_help_and_version(self):
        self.refuse("--version", "extra", says="'extra' after --version")
        self.refuse("help", "dmap", "extra", says="'extra' after help")
        self.assertEqual(self.succeed("--help", "dmap").stdout, self.succeed("dmap", "--help").stdout)
        self.refuse("--help", "dmpa", says="did you mean dmap?")


class Misspelt(CliTest):
    def test_command(self):
        self.refuse("dmpa", says=["unknown command 'dmpa'", "did you mean dmap?"])
        self.refuse("lkdmap", "--points", "x.npy", says="unknown command 'lkdmap'")
        self.refuse("frobnicate", says=["unknown command 'frobnicate'", "run itomap alone"])

    def test_option(self):
        self.refuse("dmap", "--epslion", "0.1", says=["dmap has no option --epslion", "did you mean --epsilon?"])
        self.refuse("dmap", "--eps=0.1", says="did you mean --epsilon?")
        self.refuse("dmap", "--", says="dmap has no option --; see itomap dmap --help")
        self.refuse("dmap", "--log-target=x", says="dmap has no option --log-target;")
        self.refuse("tmd", "--log_target", "x", says="did you mean --log-target?")
        self.refuse("lkd", "-diffusion", "1", says="did you mean --diffusion?")

    def test_stray_word(self):
        self.refuse("dmap", "points.npy", says=["found 'points.npy'", "--points points.npy"])

    def test_missing_value_and_missing_option(self):
        self.refuse("dmap", "--points", says="--points needs a value: --points FILE")
        self.refuse("dmap", "--epsilon=", "--points", "x.npy", says="--epsilon needs a value: --epsilon X|auto")
        self.refuse("dmap", "--points", "x.npy", "--force=maybe", says="--force maybe: it takes no value")
        self.refuse("dmap", "--epsilon", "--points", "x.npy", says="--epsilon needs a value: --epsilon X|auto")
        self.refuse("dmap", "--alpha", "1", says="dmap needs --points FILE")
        self.refuse("lkd", "--points", "x.npy", says="lkd needs --diffusion")

    def test_given_twice(self):
        self.refuse("dmap", "--points", "x.npy", "--points", "y.npy", says="--points is given 2 times")


class Elsewhere(CliTest):
    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "info"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("itomap: error: cannot write to standard output", done.stderr)

    def test_completion_of_bash(self):
        script = os.path.join(os.path.dirname(__file__), "../../apps/itomap/completion/itomap.bash")
        ask = f'PATH="{os.path.dirname(PROGRAM)}:$PATH"; source {script}; ' \
              'COMP_WORDS=({}); COMP_CWORD={}; _itomap; echo "${{COMPREPLY[*]}}"'

        def complete(words, position):
            return subprocess.check_output(["bash", "-c", ask.format(words, position)], text=True).split()

        self.assertEqual(complete("itomap d", 1), ["dmap"])
        self.assertEqual(complete("itomap lkd --d", 2), ["--drift", "--diffusion", "--density-epsilon", "--drop-isolated"])
        self.assertEqual(complete("itomap dmap --engine sp", 3), ["sparse"])
        self.assertEqual(complete("itomap reproduce te", 2), ["temperature-switch"])
        self.assertEqual(complete("itomap reproduce --s", 2), ["--seeds"])


if __name__ == "__main__":
    unittest.main()
