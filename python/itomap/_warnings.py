"""What a user should know beside the numbers, as warnings of the right class."""
import warnings

from sklearn.exceptions import ConvergenceWarning as _SklearnConvergenceWarning


class ItomapWarning(UserWarning):
    """The root of all warnings of this package."""


class ConvergenceWarning(ItomapWarning, _SklearnConvergenceWarning):
    """Something did not converge to the tolerance: see its residual."""


class SpuriousModeWarning(ItomapWarning):
    """Modes live on a handful of points: they say more about these than about the process."""


class BoundaryWarning(ItomapWarning):
    """The points end at a wall where the process does not: what is found near it is off."""


_CLASSES = (("converge", ConvergenceWarning), ("handful of points", SpuriousModeWarning),
            ("spurious", SpuriousModeWarning), ("wall", BoundaryWarning), ("boundary", BoundaryWarning))


def warn_of(lines, stacklevel=3):
    """Warns of each line, in the class that its words name."""
    for line in lines:
        category = next((category for words, category in _CLASSES if words in line), ItomapWarning)
        warnings.warn(line, category, stacklevel=stacklevel)
