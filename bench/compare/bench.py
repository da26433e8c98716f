"""What a case needs: data, programs and their outcomes, each made once, and the lines of the report."""
import pathlib
import subprocess
from dataclasses import dataclass, field
from typing import Callable, Optional, Sequence

import interpreters
import itomap_command
from measure import Outcome, Program, race

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


@dataclass
class Row:
    """One program on one problem."""
    case: str
    problem: str
    outcome: Outcome
    ratio: Optional[float] = None   # its seconds by itomap's
    error: Optional[float] = None   # the worst of the eigenvalues
    modes: int = 0                  # how many there were to compare
    remark: str = ""


@dataclass
class Asked:
    """A figure that was asked for, and what was measured; reached is None if there is nothing to judge it by."""
    case: str
    figure: str
    measured: str
    reached: Optional[bool]


@dataclass
class Bench:
    itomap: str
    scratch: pathlib.Path
    quick: bool
    timeout: float
    show: Callable[[Row], None] = lambda row: None  # called with every line as soon as it is there
    rows: list[Row] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    measured: dict[Program, Outcome] = field(default_factory=dict)

    def data(self, name: str, m: int) -> pathlib.Path:
        folder = self.scratch / f"{name}-{m}"
        if not folder.exists():
            python = interpreters.with_modules("numpy")
            subprocess.run([str(python), str(HERE / "datasets.py"), name, str(m), str(folder)], check=True)
        return folder

    def scipy(self, data: pathlib.Path, epsilon: float, *more: str) -> Optional[Program]:
        python = scipy_interpreter()
        words = ("OUT", "--points", str(data / "points.npy"), "--epsilon", str(epsilon), *more)
        return Program("SciPy", (python, str(HERE / "scipy_reference.py"), *words)) if python else None

    def scipy_tmd(self, data: pathlib.Path, epsilon: float) -> Optional[Program]:
        return self.scipy(data, epsilon, "--log-target", str(data / "log_target.npy"))

    def scipy_lkd(self, data: pathlib.Path, epsilon: float) -> Optional[Program]:
        return self.scipy(data, epsilon, "--drift", str(data / "drift.npy"), "--diffusion", str(data / "diffusion.npy"))

    def tmd(self, data: pathlib.Path, epsilon: float) -> Program:
        return itomap_command.tmd(self.itomap, data, epsilon)

    def outcomes(self, *programs: Optional[Program]) -> list[Outcome]:
        """Of each program, None standing for a SciPy that is not there; those not measured before run in turns."""
        new = [program for program in programs if program and program not in self.measured]
        self.measured.update(race(new, self.scratch, self.timeout, repeats=1 if self.quick else 7))
        return [self.measured[program] if program else Outcome("SciPy", failure="not installed") for program in programs]

    def report(self, case: str, problem: str, outcome: Outcome, exact: Sequence[float] = (),
               itomap: Optional[Outcome] = None) -> Row:
        """Enters a line; ratio and eigenvalue error where they can be had."""
        row = Row(case, problem, outcome, ratio(outcome, itomap), remark=outcome.failure or "")
        if not outcome.failure:
            true, row.remark = true_modes(outcome.result, len(exact))
            row.modes = len(true)
            row.error = max((abs(value / wanted - 1) for value, wanted in zip(true, exact)), default=None)
        self.rows.append(row)
        self.show(row)
        return row

    def judge(self, case: str, itomap: Outcome, figure: str, form: Callable[[float], str], value: Optional[float], *,
              most: float = float("inf"), least: float = 0.0) -> None:
        """Compares a measured value with the one that was asked for; a quick run shows it and decides nothing."""
        if itomap.failure:
            self.asked.append(Asked(case, figure, itomap.failure, False))
        elif value is None:
            self.asked.append(Asked(case, figure, "nothing to compare with", None))
        else:
            self.asked.append(Asked(case, figure, form(value), None if self.quick else least <= value <= most))


def ratio(outcome: Outcome, to: Optional[Outcome]) -> Optional[float]:
    """How many times the seconds of another; nothing if one of them has no result."""
    return None if to is None or to.failure or outcome.failure else outcome.seconds / to.seconds


def true_modes(result: dict, count: int) -> tuple[list[float], str]:
    """lambda_1, lambda_2, .. without the modes flagged as spurious, and what there is to say about them."""
    if not result.get("eigenvalues"):
        return [], "gives no eigenvalues"
    flagged = set(result.get("spurious", []))
    real = [value[0] if isinstance(value, list) else value for value in result["eigenvalues"]]
    true = [value for n, value in enumerate(real) if n > 0 and n not in flagged][:count]
    remarks = [f"{len(flagged)} flagged"] if flagged else []
    loose = [status for status in result.get("status", []) if status != "converged"]
    if loose:
        remarks.append(f"{len(loose)} not converged")
    if len(true) < count:
        remarks.append(f"{len(true)} of {count} modes")
    return true, ", ".join(remarks)


def scipy_interpreter() -> Optional[str]:
    """The newest SciPy, which setup installs beside the peers, before the system's."""
    python = interpreters.of_venv(ROOT, "scikit-learn")
    if python.exists() and interpreters.why_not(str(python), "scipy") is None:
        return str(python)
    return interpreters.with_modules("scipy")
