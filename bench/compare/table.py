"""The report: the same lines as text on the terminal and as a page of Markdown."""
from typing import Sequence

import forms
from bench import Asked, Row

Lines = list[list[str]]

MEASURED = ["case", "problem", "program", "time", "x itomap", "peak memory", "eigenvalue error", "remarks"]
ASKED = ["case", "asked", "measured", "verdict"]


def measured_lines(rows: Sequence[Row]) -> Lines:
    return [measured_line(row) for row in rows]


def measured_line(row: Row) -> list[str]:
    done = row.outcome.failure is None
    return [row.case, row.problem, row.outcome.name,
            forms.seconds(row.outcome.seconds) if done else "-",
            "-" if row.ratio is None else f"{row.ratio:.3g}",
            forms.memory(row.outcome.peak_bytes) if done else "-",
            "-" if row.error is None else forms.percent(row.error),
            row.remark]


def asked_lines(asked: Sequence[Asked]) -> Lines:
    words = {True: "reached", False: "short", None: "-"}
    return [[line.case, line.figure, line.measured, words[line.reached]] for line in asked]


def text(header: list[str], lines: Lines) -> str:
    widths = [max(len(line[column]) for line in [header, *lines]) for column in range(len(header))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in [header, *lines])


def markdown(header: list[str], lines: Lines) -> str:
    safe = [[word.replace("|", "\\|") for word in line] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, ["---"] * len(header), *safe])


PAGE = """# Benchmarks

{about}

Every line is a whole command from start to exit: it reads `.npy` files, solves for ten eigenpairs and writes its result.
Programs on the same problem take turns; seconds are the best of seven runs, or of fewer if those take longer than
20 s; memory is the largest. "x itomap" is a program's seconds by itomap's on the same problem.

**well**: independent points of exp(-U), U = (x^2 - 1)^2 + y^2, and the target exp(-2U), with |x|, |y| < 2.5 and
lambda = -0.45455, -4.00005, -4.4546, -8.00127, -8.15655, -8.45582, -12.01305, -12.15661, -12.4676.
**circle in 12-D**: radius 1, noise of 0.05 in all twelve coordinates; lambda = -1, -1, -4, -4. The eigenvalue error is
the largest relative one, modes that itomap flags as spurious left out; it is mostly the bias of epsilon and the same
for all programs.

**SciPy** is [a script of ours](../bench/compare/scipy_reference.py), the best we could write: k-d tree, cut-off at
1e-8, half of the symmetric matrix, ARPACK with the same tolerance as itomap. Packages without a target density run
with alpha = 0, which has the same limit on these points; Tapkee has neither.

## Asked and measured

{asked}

## Everything that ran

{measured}

## Run it again

```sh
make bench                                  # everything: an hour or more, 16 GB of memory, 10 GB of disk
bench/compare/run --cases 1,2,6             # some of it
bench/compare/run --quick                   # the same at small sizes, in seconds: checks that it runs, measures nothing
```
"""


def page(about: str, rows: Sequence[Row], asked: Sequence[Asked]) -> str:
    return PAGE.format(about=about, asked=markdown(ASKED, asked_lines(asked)),
                       measured=markdown(MEASURED, measured_lines(rows)))
