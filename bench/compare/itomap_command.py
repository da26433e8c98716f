"""Where the itomap program is, and its command lines."""
import os
import pathlib
import shutil
import subprocess
from typing import Optional

from measure import Program


def find(root: pathlib.Path, named: Optional[str]) -> str:
    """The program named, in $ITOMAP, built here, or in PATH: the first there is."""
    built = [str(root / "build" / preset / "bin" / "itomap") for preset in ("release", "user")]
    for place in [named, os.environ.get("ITOMAP"), *built, shutil.which("itomap")]:
        if place and os.access(place, os.X_OK):
            return str(pathlib.Path(place).resolve())
    raise SystemExit("bench/compare/run: no itomap: run 'make build', or name it with --itomap FILE")


def version(itomap: str) -> str:
    done = subprocess.run([itomap, "info"], capture_output=True, text=True, check=True)
    lines = dict(line.strip().split(None, 1) for line in done.stdout.splitlines())
    return f"{lines['itomap']} ({lines['compiler']}, {lines['SIMD']}, {lines['threads']} threads)"


def run(itomap: str, *words: str, eigs: int = 9) -> Program:
    return Program("itomap", (itomap, *words, "--eigs", str(eigs), "--quiet", "--out", "OUT"))


def tmd(itomap: str, data: pathlib.Path, epsilon: float) -> Program:
    return run(itomap, "tmd", "--points", str(data / "points.npy"), "--log-target", str(data / "log_target.npy"),
               "--epsilon", str(epsilon))


def dmap(itomap: str, data: pathlib.Path, epsilon: float, alpha: float) -> Program:
    return run(itomap, "dmap", "--points", str(data / "points.npy"), "--epsilon", str(epsilon), "--alpha", str(alpha))


def lkd(itomap: str, data: pathlib.Path, epsilon: float) -> Program:
    return run(itomap, "lkd", "--points", str(data / "points.npy"), "--drift", str(data / "drift.npy"),
               "--diffusion", str(data / "diffusion.npy"), "--epsilon", str(epsilon))
