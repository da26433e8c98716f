"""Finds Python interpreters: the first in PATH may be one without numpy, and every peer has one of its own."""
import functools
import os
import pathlib
import subprocess
import sys
from typing import Optional


def candidates() -> list[str]:
    in_path = [os.path.join(folder, "python3") for folder in os.get_exec_path()]
    return [python for python in [sys.executable, *in_path] if python and os.access(python, os.X_OK)]


def why_not(python: str, modules: str) -> Optional[str]:
    """None if this interpreter imports the modules, else the last line it says."""
    done = subprocess.run([python, "-c", f"import {modules}"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["it does not start"])[-1]


@functools.lru_cache(maxsize=None)
def with_modules(modules: str) -> Optional[str]:
    return next((python for python in candidates() if why_not(python, modules) is None), None)


def of_venv(root: pathlib.Path, name: str) -> pathlib.Path:
    """The interpreter bench/compare/setup made for a peer; it need not exist."""
    return root / "build" / "bench-venv" / name / "bin" / "python"


def version(python: str, package: str) -> str:
    code = f"import importlib.metadata; print(importlib.metadata.version({package!r}))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.stdout.strip() or "?"
