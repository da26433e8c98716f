"""What the program takes for free memory, and what it says it used."""

import json
import resource
import unittest

from support import CliTest, square

LIMIT = 1_500_000_000


def limited(kind):
    """Options of a run under `ulimit`."""
    return {"preexec_fn": lambda: resource.setrlimit(kind, (LIMIT, LIMIT))}


class Memory(CliTest):
    def test_a_limit_is_seen(self):
        for kind in resource.RLIMIT_AS, resource.RLIMIT_DATA:
            available = json.loads(self.succeed("info", "--json", **limited(kind)).stdout)["available_memory_bytes"]
            self.assertLess(available, LIMIT)
            self.assertGreater(available, LIMIT / 2)

    def test_a_kernel_beyond_the_limit_is_refused_before_it_is_made(self):
        self.save("x.npy", square(20000))
        words = ["dmap", "--points", "x.npy", "--epsilon", "0.2", "--eigs", "3", "--engine"]
        done = self.run_program(*words, "sparse", **limited(resource.RLIMIT_AS))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("the sparse engine needs about 1.7 GB", done.stderr)
        self.succeed(*words, "auto", **limited(resource.RLIMIT_AS))

    def test_the_peak_is_its_own_and_not_that_of_whoever_started_it(self):
        self.save("x.npy", square(100))
        ballast = b"1" * (400 << 20)
        peak = self.json_of("dmap", "--points", "x.npy", "--epsilon", "1", "--eigs", "2")["peak_memory_bytes"]
        self.assertLess(peak, len(ballast) / 4)
        self.assertGreater(peak, 1 << 20)


if __name__ == "__main__":
    unittest.main()
