"""Times a command from start to exit and takes its peak memory, as the shell's user would see both."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Iterable, Optional

ENOUGH_SECONDS = 20.0  # a program that has run for this long is not run again


@dataclass(frozen=True)
class Program:
    """A command that writes OUT/result.json; OUT in its words stands for the folder."""
    name: str
    command: tuple[str, ...]


@dataclass
class Outcome:
    name: str
    seconds: float = 0.0
    peak_bytes: int = 0
    failure: Optional[str] = None  # why there is no result
    crashed: bool = False          # as opposed to: too slow, or not installed
    result: dict[str, Any] = field(default_factory=dict)


def run_once(program: Program, scratch: pathlib.Path, timeout: float) -> Outcome:
    out = scratch / "out"
    shutil.rmtree(out, ignore_errors=True)
    words = [str(out) if word == "OUT" else word for word in program.command]
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        alarm = threading.Timer(timeout, process.kill)
        alarm.start()
        try:
            # wait4 and not getrusage(RUSAGE_CHILDREN): the latter is the peak of all children so far.
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            raise
        finally:
            alarm.cancel()
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip().splitlines()
    outcome = Outcome(program.name, seconds, usage.ru_maxrss * 1024)
    if process.returncode == 0:
        outcome.result = json.loads((out / "result.json").read_text())
    elif seconds >= timeout:
        outcome.failure = f"stopped after {timeout:.0f} s"
    else:
        outcome.failure = said[-1][:200] if said else f"exit code {process.returncode}"
        outcome.crashed = True
    shutil.rmtree(out, ignore_errors=True)
    return outcome


def better(old: Optional[Outcome], new: Outcome) -> Outcome:
    """The faster run and the faster product, with the larger peak: memory has no lucky runs."""
    if old is None or new.failure:
        return new
    best = min(old, new, key=lambda outcome: outcome.seconds)
    best.peak_bytes = max(old.peak_bytes, new.peak_bytes)
    plans = [outcome.result["plan"] for outcome in (old, new) if "plan" in outcome.result]
    if len(plans) == 2:
        best.result["plan"]["seconds_per_product"] = min(plan["seconds_per_product"] for plan in plans)
    return best


def race(programs: Iterable[Program], scratch: pathlib.Path, timeout: float, repeats: int) -> dict[Program, Outcome]:
    """The best of a few runs of each; the programs alternate, so that a busy moment hits all of them."""
    best: dict[Program, Outcome] = {}
    spent = {program: 0.0 for program in programs}
    for _ in range(repeats):
        for program in spent:
            if spent[program] > ENOUGH_SECONDS or (program in best and best[program].failure):
                continue
            outcome = run_once(program, scratch, timeout)
            spent[program] += outcome.seconds
            best[program] = better(best.get(program), outcome)
    return best
