"""--force replaces what the program wrote and nothing else, whichever command it is given to."""

import os
import shutil
import unittest

import numpy as np
from support import CliTest, square


class Force(CliTest):
    def setUp(self):
        super().setUp()
        points = square(60)
        self.save("x.npy", points)
        self.save("log_pi.npy", -(points**2).sum(1))
        self.save("first.npy", np.arange(4))
        self.save("last.npy", np.arange(50, 60))
        self.map = ["dmap", "--points", "x.npy", "--epsilon", "0.5", "--eigs", "3"]
        self.succeed(*self.map, "--out", "result")

    def commands(self):
        """One run of every command that takes --out, quick ones first."""
        few = ["--points", "x.npy", "--epsilon", "0.5", "--eigs", "2"]
        passage = ["--source", "first.npy", "--sink", "last.npy"]
        return [
            self.map,
            ["tmd", *few, "--log-target", "log_pi.npy"],
            ["lkd", *few, "--diffusion", "1"],
            ["scale", "--points", "x.npy"],
            ["sample", "--system", "double-well", "--beta", "1", "--dt", "0.01", "--steps", "100"],
            ["estimate", "--trajectory", "x.npy", "--dt", "1", "--lag", "1", "--neighbours", "30"],
            ["cluster", "--result", "result", "--sets", "2"],
            ["committor", "--result", "result", *passage],
            ["extend", "--result", "result", "--points", "x.npy"],
            ["average", "--result", "result", "--observable", "log_pi.npy"],
            ["reproduce", "temperature-switch", "--seeds", "1"],
        ]

    def test_a_folder_that_only_looks_like_a_result(self):
        (self.dir / "work").mkdir()
        (self.dir / "work/result.json").write_text("{}")
        (self.dir / "work/thesis.tex").write_text("years")
        for words in self.commands():
            with self.subTest(words[0]):
                self.refuse(*words, "--out", "work", "--force", says=["'work' holds 'result.json'", "nothing else is replaced"])
        self.assertEqual((self.dir / "work/thesis.tex").read_text(), "years")

    def test_every_command_replaces_its_own_and_keeps_what_is_added(self):
        *quick, _ = self.commands()  # `reproduce` has tests of its own
        for words in quick:
            with self.subTest(words[0]):
                self.succeed(*words, "--out", "out")
                self.succeed(*words, "--out", "out", "--force")
                (self.dir / "out/thesis.tex").write_text("years")
                self.refuse(*words, "--out", "out", "--force", says="'out' holds 'thesis.tex'")
                self.assertEqual((self.dir / "out/thesis.tex").read_text(), "years")
                shutil.rmtree(self.dir / "out")

    def test_what_joined_a_result_is_replaced_with_it(self):
        self.succeed("cluster", "--result", "result", "--sets", "2")
        self.succeed("committor", "--result", "result", "--source", "first.npy", "--sink", "last.npy")
        self.succeed(*self.map, "--out", "result", "--force")
        self.assertNotIn("sets.npy", self.files("result"))
        self.assertNotIn("committor.npy", self.files("result"))

    def test_folders_links_and_other_things_are_strangers(self):
        def folder():
            (self.dir / "result/notes").mkdir()

        def link():
            os.symlink("../x.npy", self.dir / "result/notes")

        def link_for_a_file_of_ours():
            shutil.move(self.dir / "result/density.npy", self.dir / "notes")
            os.symlink("../notes", self.dir / "result/density.npy")

        def pipe():
            os.mkfifo(self.dir / "result/notes")

        for make in folder, link, pipe, link_for_a_file_of_ours:
            with self.subTest(make.__name__):
                make()
                name = "density.npy" if make is link_for_a_file_of_ours else "notes"
                self.refuse(*self.map, "--out", "result", "--force", says=f"'result' holds '{name}'")
                self.refuse(*self.map, "--out", "./nowhere/../result/", "--force", says=f"holds '{name}'")
                there = self.dir / "result" / name
                there.rmdir() if make is folder else there.unlink()

    def test_a_link_to_a_result(self):
        os.symlink("result", self.dir / "link")
        self.succeed(*self.map, "--out", "link", "--force")
        self.assertTrue((self.dir / "link").is_symlink())
        (self.dir / "result/thesis.tex").write_text("years")
        self.refuse(*self.map, "--out", "link", "--force", says="'link' holds 'thesis.tex'")

    def test_a_result_within_a_result(self):
        self.succeed(*self.map, "--out", "result/finer")
        self.refuse(*self.map, "--out", "result", "--force", says="'result' holds 'finer'")
        self.succeed(*self.map, "--out", "result/finer", "--force")

    def test_a_list_that_names_files_elsewhere(self):
        with open(self.dir / "result/.itomap-files", "a") as file:
            file.write("../x.npy\n/etc/passwd\n")
        self.succeed(*self.map, "--out", "result", "--force")
        self.assertTrue((self.dir / "x.npy").exists())

    def test_files_that_join_a_result_replace_no_strangers(self):
        for words, name in [(["cluster", "--result", "result", "--sets", "2"], "sets.npy"),
                            (["committor", "--result", "result", "--source", "first.npy", "--sink", "last.npy"], "flux.npy")]:
            (self.dir / "result" / name).write_text("mine")
            for force in [], ["--force"]:
                self.refuse(*words, *force, says=[f"result/{name}", "write to another directory"])
            self.assertEqual((self.dir / "result" / name).read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
