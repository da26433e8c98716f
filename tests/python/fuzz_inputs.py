"""Whatever Python hands over, the interpreter survives: shapes, types, strides, sizes and values at random.

    python3 tests/python/fuzz_inputs.py --cases 100000 --seed 1

Each case is one call of the package. It may succeed, or raise ValueError, TypeError or NumericalError with one line; every
other exception fails, and so does a process that dies: cases run in child processes, some hundreds in each.
"""
import argparse
import subprocess
import sys
import tempfile
import warnings

import numpy as np

CASES_A_CHILD = 500
CASES_A_WORD = 5000
SECONDS_A_CHILD = 600  # most cases take milliseconds
REFUSALS = (ValueError, TypeError)


class Inputs:
    """Arguments at random, mostly legal ones: a call whose every argument is wrong tests the first check alone."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def one_of(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def rarely(self, chance=0.08):
        return self.rng.random() < chance

    def array(self, shape):
        """Of that shape, unless it is broken; of any type and any memory layout."""
        shape = tuple(int(n) for n in shape)
        if self.rarely():
            shape = self.one_of((), (0,), shape[:-1], shape + (2,), shape[::-1], (0, 3), (3, 0), (1, 1), (1,) + shape)
        values = self.rng.normal(size=shape) * self.one_of(1.0, 1.0, 1.0, 1e-3, 1e3)
        if self.rarely() and values.size:
            odd = self.one_of(np.nan, np.inf, -np.inf, 1e300, -1e300, 1e-300, 0.0)
            values.flat[self.rng.integers(values.size)] = odd
        if self.rarely(0.05):
            values[...] = self.one_of(0.0, 1.0, 1e200)
        return self.stored(values)

    def stored(self, values):
        kind = self.rng.integers(24)
        if kind == 0:
            return np.asfortranarray(values)
        if kind == 1:
            wide = np.repeat(values[..., None], 2, axis=-1)
            return wide[..., 0]  # not contiguous
        if kind == 2 and values.ndim:
            return values[::-1]  # negative strides
        if kind == 3:
            raw = bytearray(values.nbytes + 1)
            odd = np.frombuffer(raw, dtype=np.uint8)[1:].view(np.float64) if values.size else values
            odd = odd.reshape(values.shape)
            odd[...] = values
            return odd  # not aligned
        if kind == 4:
            values.setflags(write=False)
            return values
        if kind == 5 and values.ndim:
            return np.broadcast_to(values[:1], values.shape)  # stride 0
        if kind in (6, 7):
            kinds = ("f4", "f2", ">f8", "i8", "u1", "?", "c16", "O", "U4", "M8[s]", "longdouble")
            return values.astype(self.one_of(*kinds))
        if kind == 8:
            return values.tolist()
        if kind == 9:
            masked = np.ma.array(values, mask=values > 1)
            return self.one_of(None, "points", 3, 2.5, {}, [], [[]], object(), b"bytes", masked)
        if kind == 10:
            import pandas
            return pandas.DataFrame(values) if values.ndim == 2 else values
        if kind == 11:
            import scipy.sparse
            return scipy.sparse.csr_matrix(values) if values.ndim == 2 else values
        return values

    def number(self, *legal):
        if self.rarely(0.1):
            return self.one_of(0, -1, 0.0, -1.5, np.nan, np.inf, 1e308, 1e-308, 2**40, -2**40, 2**70, "x", "", None, [],
                               [1.0], True, np.float32(0.3), np.int8(3), 1j, object())
        return self.one_of(*legal)


def kernel_options(f, n):
    options = {"n_components": f.number(1, 2, 3, 5, 100), "n_jobs": 1,
               "epsilon": f.number(0.1, 0.5, 1.0, 0.01, "auto", "steepest")}
    for name, value in (("engine", f.number("auto", "sparse", "dense", "grid")), ("cutoff", f.number(1e-8, 1e-3)),
                        ("period", f.one_of([6.0] * n, [0.0] * n, f.array((n,)))), ("bandwidth", f.number(0.5, 1.0)),
                        ("bandwidth_neighbors", f.number(2, 5, 100)), ("bandwidth_dimension", f.number(1, 2)),
                        ("normalization", f.number("bistochastic")), ("drop_isolated", f.number(True)),
                        ("single_precision", f.number(True)), ("diffusion_time", f.number(0.1)),
                        ("tolerance", f.number(1e-6)), ("max_products", f.number(50, 2000)),
                        ("memory", f.number(10**8, 1000)), ("random_state", f.number(1, 7)),
                        ("progress", f.number(lambda *a: None))):
        if f.rarely(0.12):
            options[name] = value
    return options


def any_model(f, m, n):
    import itomap
    options = kernel_options(f, n)
    kind = f.rng.integers(4)
    if kind == 0:
        return itomap.DiffusionMap(**options, alpha=f.number(0.5, 1.0)), (f.array((m, n)),), {}
    if kind == 1:
        x = f.rng.normal(size=(m, n))
        distances = np.sqrt(((x[:, None] - x[None]) ** 2).sum(axis=2))
        model = f.one_of(itomap.DiffusionMap, itomap.TMDmap)(**options, metric=f.number("precomputed"))
        return model, (f.stored(distances) if f.rarely(0.7) else f.array((m, m)),), {}
    if kind == 2:
        return itomap.TMDmap(**options), (f.array((m, n)),), {"log_target": f.array((m,))}
    model = itomap.LKDmap(**options, eta=f.number(0.0, 0.1), density_epsilon=f.number("auto", 0.3),
                          biased=f.number(False, True), step=f.number("euler", "heun"),
                          keep_traps=f.number(False, True))
    diffusion = f.one_of(1.0, f.array((m,)), f.array((m, n)), np.eye(n), np.tile(np.eye(n), (m, 1, 1)),
                         f.array((m, n, n)))
    return model, (f.array((m, n)),), {"drift": f.array((m, n)), "diffusion": diffusion}


def use(f, model, m, n):
    """One more call on a fitted model."""
    with tempfile.TemporaryDirectory() as folder:
        import itomap
        calls = (
            lambda: model.transform(f.array((f.rng.integers(1, 9), n))),
            lambda: model.committor(f.array((3,)), f.one_of([0, 1], [m], [-1], [], [0.5], "a", np.arange(m) < 3)),
            lambda: model.committor([0, 1], [2, 3], tolerance=f.number(1e-8)),
            lambda: model.mfpt(f.one_of([0], [0, 0], [2**40], [None]), [m - 1]),
            lambda: model.pcca(f.number(2, 3, m)),
            lambda: model.kmeans(f.number(2, 3, m), modes=f.one_of((), [1], [1, 2], [99], [-1], "1")),
            lambda: model.expectation(f.array((m, f.rng.integers(1, 3)))),
            lambda: model.propagate(f.array((m,)), f.number(0.1, 1.0)),
            lambda: model.error_bars(f.number(2, 3, 10)),
            lambda: model.generator_.backward @ f.array((m,)),
            lambda: model.generator_.transition @ f.array((m, 2)),
            lambda: model.generator_.to_sparse(),
            lambda: model.set_params(n_components=f.number(2)).fit(f.array((m, n))),
            lambda: itomap.save_result(model, f.one_of(folder + "/r", folder, "", None, 3, folder + "/no/such")),
            lambda: model.summary(),
        )
        return calls[f.rng.integers(len(calls))]()


def call(seed):
    import itomap
    f = Inputs(seed)
    m, n = int(f.rng.integers(2, 40)), int(f.rng.integers(1, 4))
    kind = f.rng.integers(10)
    if kind == 0:
        return itomap.scan_epsilon(f.array((m, n)), n_modes=f.number(1, 2), n_blocks=f.number(2, 3), n_jobs=1,
                                   log_target=f.one_of(None, f.array((m,))))
    if kind == 1:
        runs = f.one_of(f.array((m, n)), [f.array((m, n)), f.array((m + 3, n))])
        return itomap.estimate_dynamics(
            runs, f.array((5, n)), dt=f.number(0.1, 1.0), lag=f.one_of(None, f.number(0.2, 1.0)),
            n_neighbors=f.one_of(None, f.number(5)), radius=f.one_of(None, f.number(1.0)), n_jobs=1)
    model, arguments, keywords = any_model(f, m, n)
    model.fit(*arguments, **keywords)
    if f.rarely(0.6):
        use(f, model, m, n)
    return None


def outcome(seed):
    """None, or what went wrong."""
    import itomap
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(seed)
    except (*REFUSALS, itomap.NumericalError) as error:
        text = str(error)
        if text.startswith("expected 1-d or 2-d array or matrix"):
            return None  # SciPy's operators show all of what they were given
        return None if text and len(text) < 2000 else f"{type(error).__name__} with {len(text)} characters"
    except OSError as error:  # of save_result alone
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def run_child(first, count):
    for seed in range(first, first + count):
        print("trying", seed, flush=True)
        wrong = outcome(seed)
        if wrong:
            print("FAILED", seed, wrong, flush=True)


def in_one_process(first, count):
    """The failures of cases from `first` on, and the first case that was not tried: a process may die, or hang."""
    command = [sys.executable, __file__, "--child", "--seed", str(first), "--cases", str(count)]
    try:
        child = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_A_CHILD)
        output, end = child.stdout, f"the interpreter ended with {child.returncode}: {child.stderr[-500:]}"
        done = child.returncode == 0
    except subprocess.TimeoutExpired as late:
        output, end = (late.stdout or b"").decode(), f"not done after {SECONDS_A_CHILD} s for {count} cases"
        done = False
    lines = output.splitlines()
    failures = [line for line in lines if line.startswith("FAILED")]
    if done:
        return failures, first + count
    last = max([int(line.split()[1]) for line in lines if line.startswith("trying")], default=first)
    return failures + [f"FAILED {last} {end}"], last + 1


def run(first, count):
    """The number of failures of all cases, some hundreds in each process; says them as they come."""
    failed, end, next_word = 0, first + count, first
    while first < end:
        failures, first = in_one_process(first, min(CASES_A_CHILD, end - first))
        failed += len(failures)
        for line in failures:
            print(line, flush=True)
        if first >= next_word:
            print(f"{count - (end - first)} of {count} cases, {failed} failed", flush=True)
            next_word = first + CASES_A_WORD
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return run_child(options.seed, options.cases)
    failed = run(options.seed, options.cases)
    print(f"{options.cases} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
