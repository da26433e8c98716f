"""Which machine, which versions, when."""
import os
import pathlib
import platform
import time
from typing import Optional

import interpreters
import itomap_command
from bench import ROOT, scipy_interpreter
from cases import PEERS


def field(file: str, name: str) -> Optional[str]:
    """A value of a 'name : value' file of Linux, or None."""
    path = pathlib.Path(file)
    lines = path.read_text().splitlines() if path.exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), None)


def describe(itomap: str) -> str:
    memory = field("/proc/meminfo", "MemTotal")
    gigabytes = f"{int(memory.split()[0]) / 1e6:.0f} GB" if memory else "unknown memory"
    processor = field("/proc/cpuinfo", "model name") or platform.machine()
    load = f"{os.getloadavg()[0]:.1f} at the start"
    lines = [f"Date: {time.strftime('%Y-%m-%d')}",
             f"Machine: {processor}, {os.cpu_count()} cores, {gigabytes}, {platform.system()}; load {load}",
             f"itomap {itomap_command.version(itomap)}"]
    return "\n".join(f"- {line}" for line in [*lines, f"Peers: {', '.join(peers())}"])


def peers() -> list[str]:
    found = []
    python = scipy_interpreter()
    if python:
        found += [f"SciPy {interpreters.version(python, 'scipy')}", f"NumPy {interpreters.version(python, 'numpy')}"]
    for name in PEERS:
        venv = interpreters.of_venv(ROOT, name)
        if venv.exists():
            found.append(f"{name} {interpreters.version(str(venv), name)}")
    return found or ["none"]
