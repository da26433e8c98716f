"""What `progress=True` shows: a bar of tqdm if it is installed, else a line now and then."""
import contextlib
import sys
import time

import numpy as np

_SECONDS = 2.0  # between two lines; a bar has its own clock
_FORMAT = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}"  # of a bar


def callback_of(progress):
    """What the core calls, or None, from what a user gave: True, False, None or a function.

    Examples
    --------
    >>> callback_of(False) is None
    True
    """
    if progress is None or callable(progress):
        return progress
    if not isinstance(progress, (bool, np.bool_)):
        raise ValueError(f"progress: {progress!r} is neither True, False nor a function of (stage, fraction, detail)")
    if not progress:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Lines()
    return Bars(tqdm)


@contextlib.contextmanager
def closing(callback):
    """Closes what `callback_of` opened, however the work ends; a user's own function is left alone."""
    own = isinstance(callback, _Display)
    try:
        yield
        if own:
            callback.done()
    finally:
        if own:
            callback.close()


class _Display:
    """Called by the core, which keeps it with the map: once closed it stays silent."""

    closed = False

    def __call__(self, stage, fraction, detail):
        if not self.closed:
            self.show(stage, fraction, detail)

    def done(self):
        """The work ended well."""

    def close(self):
        self.closed = True


class Lines(_Display):
    """Lines on stderr, one at once and then one every two seconds."""

    def __init__(self):
        self.next = -np.inf

    def show(self, stage, fraction, detail):
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + _SECONDS
        share = f" {fraction:.0%}" if fraction >= 0 else ""
        print(f"itomap: {stage}{share}{', ' if detail else ''}{detail}", file=sys.stderr, flush=True)


class Bars(_Display):
    """One bar of tqdm for each stage. No time is predicted: the share of converged pairs grows by leaps."""

    def __init__(self, tqdm):
        self.tqdm = tqdm
        self.bar, self.stage = None, None

    def show(self, stage, fraction, detail):
        if stage != self.stage:
            self.done()
            self.stage = stage
            self.bar = self.tqdm(desc=stage, total=1.0, bar_format=_FORMAT)
        self.bar.n = min(max(fraction, 0.0), 1.0)  # negative: not known
        self.bar.set_postfix_str(detail)

    def done(self):
        if self.bar is not None:
            self.bar.n = 1.0
            self.bar.set_postfix_str("")
            self.bar.close()
        self.bar, self.stage = None, None

    def close(self):
        super().close()
        if self.bar is not None:
            self.bar.close()
        self.bar = None
