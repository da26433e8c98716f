"""The problems, each with the figures asked of it. A case reads like its lines in the report.

Cases share data and runs: a run that another case has made already is not repeated.
"""
import json
import pathlib
import subprocess
from typing import Callable, Optional, Sequence

import forms
import itomap_command
from bench import HERE, ROOT, Bench, Row, ratio, scipy_interpreter
from interpreters import of_venv, why_not
from measure import Outcome, Program

# Laplacian - 2 grad U . grad with U = (x^2 - 1)^2 + y^2 on |x|, |y| < 2.5; in space the modes of the third coordinate
# are those of the second.
WELL = [-0.45455, -4.00005, -4.4546, -8.00127, -8.15655, -8.45582, -12.01305, -12.15661, -12.4676]
WELL_3D = [-0.45455, -4.00005, -4.00005, -4.4546, -4.4546, -8.0001, -8.00127, -8.00127, -8.15655]
CIRCLE = [-1.0, -1.0, -4.0, -4.0]

PEERS = {"scikit-learn": "sklearn", "pyDiffMap": "pydiffmap.diffusion_map", "datafold": "datafold.dynfold",
         "Tapkee": "tapkee"}

MB, GB = 1e6, 1e9


def named(method: str, points: str, m: int, epsilon: float) -> str:
    return f"{method}, {points}, m = {m:.0e}, eps = {epsilon:g}".replace("e+0", "e")


def small(bench: Bench) -> tuple[int, float]:
    return (1000 if bench.quick else 10_000), 0.05


def large(bench: Bench) -> tuple[int, float]:
    """A quick run has too few points for the epsilon of the full one."""
    return (4000, 0.03) if bench.quick else (1_000_000, 0.003)


def run_small(bench: Bench) -> list[Outcome]:
    m, epsilon = small(bench)
    data = bench.data("well2", m)
    return bench.outcomes(bench.tmd(data, epsilon), bench.scipy_tmd(data, epsilon))


def run_tmd(bench: Bench, m: int, epsilon: float) -> Outcome:
    return bench.outcomes(bench.tmd(bench.data("well2", m), epsilon))[0]


def run_circle(bench: Bench, m: int, epsilon: float) -> list[Outcome]:
    data = bench.data("circle", m)
    return bench.outcomes(itomap_command.dmap(bench.itomap, data, epsilon, 1),
                          bench.scipy(data, epsilon, "--alpha", "1"))


def complete(row: Row, exact: list[float]) -> float:
    """The error, if every mode was found."""
    return row.error if row.error is not None and row.modes == len(exact) else float("inf")


def flagged(outcome: Outcome) -> int:
    return len(outcome.result.get("spurious", []))


def case_1(bench: Bench) -> None:
    """Ten thousand points, against SciPy."""
    itomap, scipy = run_small(bench)
    for outcome in itomap, scipy:
        bench.report("1", named("tmd", "well", *small(bench)), outcome, WELL, itomap)
    bench.judge("1", itomap, "at least 60 times faster than SciPy", forms.times, ratio(scipy, itomap), least=60)
    bench.judge("1", itomap, "less than 200 MB", forms.memory, itomap.peak_bytes, most=200 * MB)


def case_2(bench: Bench) -> None:
    """A hundred times the points, in the time SciPy takes for case 1."""
    _, scipy = run_small(bench)
    itomap = run_tmd(bench, *large(bench))
    row = bench.report("2", named("tmd", "well", *large(bench)), itomap, WELL)
    bench.judge("2", itomap, "at most SciPy's time for case 1", forms.times, ratio(itomap, scipy), most=1)
    bench.judge("2", itomap, "less than 2 GB", forms.memory, itomap.peak_bytes, most=2 * GB)
    bench.judge("2", itomap, "nine eigenvalues within 3 %", forms.percent, complete(row, WELL), most=0.03)


def case_3(bench: Bench) -> None:
    """Ten million points."""
    m, epsilon = (8000 if bench.quick else 10_000_000), large(bench)[1]
    before, itomap = run_tmd(bench, *large(bench)), run_tmd(bench, m, epsilon)
    bench.report("3", named("tmd", "well", m, epsilon), itomap, WELL)
    bench.judge("3", itomap, "less than 14 GB", forms.memory, itomap.peak_bytes, most=14 * GB)
    bench.judge("3", itomap, "at most 12 times case 2", forms.times, ratio(itomap, before), most=12)


def case_4(bench: Bench) -> None:
    """What a product costs: linear in m, flat in epsilon; from the micro benchmarks, on one core."""
    seconds = grid_products(bench)
    itomap = Outcome("itomap", failure=None if seconds else "no micro benchmarks: run 'make build'")
    if bench.quick or not seconds:
        bench.judge("4", itomap, "a product", forms.seconds, seconds[1000, 33, 7, 4] if seconds else None)
        return
    for inverse, epsilon in (33, 0.03), (333, 0.003), (3333, 0.0003):
        for vectors, product in (1, "a product"), (4, "four vectors at once"):
            bench.judge("4", itomap, f"millions of points a second and core at 1e-7, eps = {epsilon}, {product}", forms.number,
                        1 / seconds[1_000_000, inverse, 7, vectors], least=8)
    sizes, scales = [100_000, 1_000_000, 10_000_000], [33, 333, 3333]
    bench.judge("4", itomap, "a product is linear in m from 1e5 to 1e7, within 1.3", forms.times,
                spread([seconds[m, 333, 8, 4] / m for m in sizes]), most=1.3)
    bench.judge("4", itomap, "a product is flat in eps from 0.03 to 0.0003, within 1.5", forms.times,
                spread([seconds[1_000_000, inverse, 8, 4] for inverse in scales]), most=1.5)


def grid_products(bench: Bench) -> Optional[dict[tuple[int, ...], float]]:
    """Seconds of a product by m, 1/epsilon, digits and number of vectors; nothing without the program."""
    program = pathlib.Path(bench.itomap).parents[1] / "bench" / "micro_benchmarks"
    if not program.exists():
        return None
    what = "grid_product/1000/" if bench.quick else "grid_product/.*0000/"
    words = [str(program), f"--benchmark_filter={what}", "--benchmark_format=json"]
    lines = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["benchmarks"]
    key = [tuple(int(part.split(":")[-1]) for part in line["name"].split("/")[1:5]) for line in lines]
    return {k: line["real_time"] / 1e3 for k, line in zip(key, lines)}


def spread(values: list[float]) -> float:
    return max(values) / min(values)


def case_5(bench: Bench) -> None:
    """The same process named by drift and diffusion: half as fast, so epsilon doubles and the eigenvalues halve."""
    m, epsilon = large(bench)
    reversible = run_tmd(bench, m, epsilon)
    itomap, = bench.outcomes(itomap_command.lkd(bench.itomap, bench.data("well2", m), 2 * epsilon))
    bench.report("5", named("lkd", "well", m, 2 * epsilon), itomap, [value / 2 for value in WELL])
    bench.judge("5", itomap, "at most 3 times case 2", forms.times, ratio(itomap, reversible), most=3)


def case_6(bench: Bench) -> None:
    """Three dimensions, then twelve."""
    m, epsilon = (4000, 0.05) if bench.quick else (1_000_000, 0.02)
    itomap, = bench.outcomes(bench.tmd(bench.data("well3", m), epsilon))
    bench.report("6", named("tmd", "well in 3-D", m, epsilon), itomap, WELL_3D)
    circle_10_000(bench)
    circle_100_000(bench)
    circle_narrow(bench)


def circle_10_000(bench: Bench) -> None:
    m, epsilon = (1000 if bench.quick else 10_000), 0.01
    itomap, scipy = run_circle(bench, m, epsilon)
    row, _ = [bench.report("6", named("dmap", "circle in 12-D", m, epsilon), outcome, CIRCLE, itomap)
              for outcome in (itomap, scipy)]
    bench.judge("6", itomap, "circle: at least 15 times faster than SciPy", forms.times, ratio(scipy, itomap), least=15)
    bench.judge("6", itomap, "circle: -1 -1 -4 -4 within 3 %", forms.percent, complete(row, CIRCLE), most=0.03)


def circle_100_000(bench: Bench) -> None:
    m, epsilon = (2000 if bench.quick else 100_000), 0.01
    itomap, = bench.outcomes(itomap_command.dmap(bench.itomap, bench.data("circle", m), epsilon, 1))
    bench.report("6", named("dmap", "circle in 12-D", m, epsilon), itomap, CIRCLE)
    bench.judge("6", itomap, "circle: 1e5 points complete", forms.seconds, itomap.seconds)


def circle_narrow(bench: Bench) -> None:
    """So narrow a kernel leaves points with hardly a neighbour, and the ten slowest modes live on those."""
    m, epsilon = (1000, 0.002) if bench.quick else (10_000, 0.00097)
    itomap, scipy = run_circle(bench, m, epsilon)
    for outcome in itomap, scipy:
        bench.report("6", named("dmap", "circle in 12-D", m, epsilon), outcome, (), itomap)
    bench.judge("6", itomap, "circle, eps = 0.00097: no eigenvalue above 0", forms.number, largest(itomap), most=1e-6)
    bench.judge("6", itomap, "circle, eps = 0.00097: 20 times faster than SciPy", forms.times, ratio(scipy, itomap),
                least=20)
    bench.judge("6", itomap, "circle, eps = 0.00097: flagged modes", forms.count, flagged(itomap), least=1)


def largest(outcome: Outcome) -> float:
    """No generator has an eigenvalue above 0: a solver that gives up early must not invent one."""
    return max((value[0] for value in outcome.result.get("eigenvalues", [])), default=float("inf"))


def case_7(bench: Bench) -> None:
    """A kernel so narrow that outliers may make modes of their own: no such mode may pass for a true one."""
    m, epsilon = (4000, 0.01) if bench.quick else (1_000_000, 0.001)
    itomap = run_tmd(bench, m, epsilon)
    row = bench.report("7", named("tmd", "well", m, epsilon), itomap, WELL)
    bench.judge("7", itomap, "every mode within 1.5 % or flagged", forms.percent, row.error, most=0.015)


def case_8(bench: Bench) -> None:
    """Other packages on the points of case 1."""
    m, epsilon = small(bench)
    itomap, _ = run_small(bench)
    for name, module in PEERS.items():
        bench.report("8", named("-", "well", m, epsilon)[3:], run_peer(bench, name, module), WELL, itomap)


def case_9(bench: Bench) -> None:
    """What the planner foretold, and whether another engine would have been faster."""
    problems = [("tmd", "well2", 1000, 0.1)] if bench.quick else PLANNED
    lost, bytes_off, seconds_off = [], [], []
    for method, points, m, epsilon in problems:
        data = bench.data(points, m)
        runs = planned(bench, method, data, epsilon, ("auto", "sparse", "dense", "grid"))
        auto = runs["auto"]
        row = bench.report("9", named(method, points, m, epsilon), auto)
        others = {engine: run for engine, run in runs.items() if engine != "auto" and not run.failure}
        row.remark = "; ".join([auto.result.get("engine", ""), *(against_plan(e, run) for e, run in others.items())])
        lost.append(auto.seconds / min(run.seconds for run in others.values()))
        plans = [run.result["plan"] for run in runs.values() if not run.failure]
        bytes_off += [off(plan["predicted_kernel_bytes"], plan["kernel_bytes"]) for plan in plans]
        seconds_off += [off(plan["predicted_seconds_per_product"], plan["seconds_per_product"]) for plan in plans]
    done = Outcome("itomap")
    bench.judge("9", done, "auto takes at most 1.2 times the best engine", forms.times, max(lost), most=1.2)
    bench.judge("9", done, "predicted bytes within 25 %", forms.times, max(bytes_off), most=1.25)
    bench.judge("9", done, "predicted seconds of a product within a factor of 2", forms.times, max(seconds_off), most=2)


# Small enough that the slowest engine takes a minute.
PLANNED = [("tmd", "well2", 2000, 0.1), ("tmd", "well2", 10_000, 0.05), ("tmd", "well2", 10_000, 0.003),
           ("tmd", "well2", 100_000, 0.003), ("lkd", "well2", 10_000, 0.02), ("dmap", "circle", 10_000, 0.01),
           ("dmap", "circle", 10_000, 0.003), ("tmd", "well3", 10_000, 0.1), ("tmd", "well3", 50_000, 0.03)]


def planned(bench: Bench, method: str, data: pathlib.Path, epsilon: float, engines: Sequence[str]) -> dict[str, Outcome]:
    command = {"tmd": itomap_command.tmd, "lkd": itomap_command.lkd}.get(method)
    program = command(bench.itomap, data, epsilon) if command else itomap_command.dmap(bench.itomap, data, epsilon, 1)
    outcomes = bench.outcomes(*(Program(program.name, (*program.command, "--engine", engine)) for engine in engines))
    for outcome in outcomes:
        outcome.crashed = False  # an engine that does not suit the kernel says so
    return dict(zip(engines, outcomes))


def against_plan(engine: str, run: Outcome) -> str:
    plan = run.result["plan"]
    slower = plan["seconds_per_product"] / plan["predicted_seconds_per_product"]
    return f"{engine} {forms.seconds(run.seconds)}, a product {forms.times(slower)} the plan"


def off(predicted: float, measured: float) -> float:
    return max(predicted / measured, measured / predicted)


def case_10(bench: Bench) -> None:
    """Many points in many dimensions, by landmarks; SciPy's time is that for ten thousand."""
    epsilon = 0.01
    _, scipy = run_circle(bench, 1000 if bench.quick else 10_000, epsilon)
    for m, most in ((2000, 2), (4000, 10)) if bench.quick else ((100_000, 2), (1_000_000, 10)):
        itomap, = bench.outcomes(by_landmarks(bench, "circle", m, epsilon))
        row = bench.report("10", named("dmap, landmarks", "circle in 12-D", m, epsilon), itomap, CIRCLE)
        row.remark = kernel_error(itomap)
        judge_landmarks(bench, itomap, f"circle, m = {m}", ratio(itomap, scipy), most)
        bench.judge("10", itomap, f"circle, m = {m}: -1 -1 -4 -4 within 3 %", forms.percent, complete(row, CIRCLE), most=0.03)
    circles_30(bench, scipy, epsilon)
    true_kernel_error(bench, epsilon)


def circles_30(bench: Bench, scipy: Outcome, epsilon: float) -> None:
    m = 2000 if bench.quick else 100_000
    itomap, = bench.outcomes(by_landmarks(bench, "circles", m, epsilon))
    row = bench.report("10", named("dmap, landmarks", "two circles in 30-D", m, epsilon), itomap)
    row.remark = kernel_error(itomap)
    judge_landmarks(bench, itomap, f"circles, m = {m}", ratio(itomap, scipy), 2)
    # Two components: the eigenvalue 0 twice, then each of the circle's, once for each circle.
    values = [value[0] for value in itomap.result.get("eigenvalues", [])][2:]
    expected = [-1.0] * 4 + [-4.0] * 4
    off = max((abs(value / wanted - 1) for value, wanted in zip(values, expected)), default=float("inf"))
    bench.judge("10", itomap, f"circles, m = {m}: -1 and -4, four times each, within 5 %", forms.percent, off, most=0.05)


def by_landmarks(bench: Bench, points: str, m: int, epsilon: float) -> Program:
    program = itomap_command.dmap(bench.itomap, bench.data(points, m), epsilon, 1)
    return Program(program.name, (*program.command, "--engine", "landmarks"))


def judge_landmarks(bench: Bench, itomap: Outcome, problem: str, times: Optional[float], most: float) -> None:
    bench.judge("10", itomap, f"{problem}: at most {most} times SciPy's time for 1e4", forms.times, times, most=most)
    bench.judge("10", itomap, f"{problem}: less than 3 GB", forms.memory, itomap.peak_bytes, most=3 * GB)


def kernel_error(outcome: Outcome) -> str:
    plan = outcome.result.get("plan", {})
    if "landmarks" not in plan:
        return outcome.failure or ""
    return (f"{plan['landmarks']} landmarks, steps off by {forms.percent(plan['step_error'])}, "
            f"sums by {forms.percent(plan['sum_error'])}")


def true_kernel_error(bench: Bench, epsilon: float) -> None:
    """What the engine says of its row sums, beside what NumPy finds on other rows."""
    program = by_landmarks(bench, "circle", 2000 if bench.quick else 100_000, epsilon)
    python = scipy_interpreter()
    if not python:
        return
    checked, = bench.outcomes(Program("itomap", (python, str(HERE / "kernel_error.py"), *program.command)))
    said, true = (checked.result.get(key, {}).get("sum_error") for key in ("plan", "true"))
    figure = "error of row sums on a sample, by the true one"
    bench.judge("10", checked, figure, forms.times, said / true if said and true else None, most=1.5, least=1 / 1.5)


def run_peer(bench: Bench, name: str, module: str) -> Outcome:
    m, epsilon = small(bench)
    python = of_venv(ROOT, name)
    missing = why_not(str(python), module) if python.exists() else setup_says(name)
    if missing:
        return Outcome(name, failure=f"not installed: {missing}")
    data = bench.data("well2", m)
    words = (name, "OUT", str(data / "points.npy"), str(data / "log_target.npy"), str(epsilon))
    outcome, = bench.outcomes(Program(name, (str(python), str(HERE / "peers.py"), *words)))
    outcome.crashed = False  # that of a peer is its own affair: the table tells
    return outcome


def setup_says(name: str) -> str:
    """Why bench/compare/setup could not install a package."""
    log = ROOT / "build" / "bench-venv" / f"{name}.log"
    said = [line for line in log.read_text().splitlines() if line.strip()] if log.exists() else []
    return said[-1] if said else "run bench/compare/setup"


def case_11(bench: Bench) -> None:
    """A process that is not reversible, both sides; the smaller epsilon, the closer its eigenvalues are to 1."""
    m, scales = (4000, (0.02, 0.01)) if bench.quick else (20_000, (0.01, 0.003, 0.001))
    data = bench.data("gyre", m)
    programs = [itomap_command.lkd(bench.itomap, data, epsilon) for epsilon in scales]
    outcomes = bench.outcomes(*programs, bench.scipy_lkd(data, scales[1]))
    *ours, scipy = outcomes
    for epsilon, outcome in zip(scales, ours):
        bench.report("11", named("lkd", "gyre", m, epsilon), outcome)
    bench.report("11", named("lkd", "gyre, right vectors", m, scales[1]), scipy, (), ours[1])
    bench.judge("11", ours[1], "both sides at least 5 times faster than SciPy's right one", forms.times,
                ratio(scipy, ours[1]), least=5)
    products = [outcome.result.get("matvecs", float("nan")) for outcome in ours]
    bench.judge("11", ours[-1], "products grow by less than the root of 2 from one epsilon to the next", forms.times,
                max(after / before for before, after in zip(products, products[1:])), most=2 ** 0.5)


CASES: dict[str, Callable[[Bench], None]] = {
    "1": case_1, "2": case_2, "3": case_3, "4": case_4, "5": case_5, "6": case_6, "7": case_7, "8": case_8,
    "9": case_9, "10": case_10, "11": case_11}
