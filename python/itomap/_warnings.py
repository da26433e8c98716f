"""What a user should know beside the numbers, as warnings of the right class."""
import sys
import warnings

from sklearn.exceptions import ConvergenceWarning as _SklearnConvergenceWarning


class ItomapWarning(UserWarning):
    """The root of all warnings of this package."""


class ConvergenceWarning(ItomapWarning, _SklearnConvergenceWarning):
    """Something did not converge to the tolerance: see its residual."""


class SpuriousModeWarning(ItomapWarning):
    """Modes live on a handful of points: they say more about these than about the process."""


class BoundaryWarning(ItomapWarning):
    """Points end at a wall, the invariant measure does not: eigenvalues are off unless weights are bistochastic."""


_CLASSES = (("converge", ConvergenceWarning), ("handful of points", SpuriousModeWarning),
            ("spurious", SpuriousModeWarning), ("wall", BoundaryWarning), ("boundary", BoundaryWarning))


def warn_of(lines):
    """Warns of each line, in the class that its words name."""
    for line in lines:
        warn(line, next((category for words, category in _CLASSES if words in line), ItomapWarning))


def warn(line, category=ItomapWarning):
    """At the line of the user's that led here: neither of this package nor of scikit-learn, which may lie between."""
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in ("itomap", "sklearn"):
        frame, level = frame.f_back, level + 1
    warnings.warn(line, category, stacklevel=level)
