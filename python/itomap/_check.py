"""Numbers as the core wants them, or one line that says which is none."""
from __future__ import annotations

import numbers
from typing import Any, Iterable

import numpy as np

from ._types import Floats


def real(value: Any, name: str) -> float:
    """A float; whether its range is right is for the core to say."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: {_shown(value)} is not a number")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name}: {_shown(value)} is too large") from None


def whole(value: Any, name: str) -> int:
    """An int that fits into 64 bits."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name}: {_shown(value)} is not a whole number")
    if not -2**63 <= int(value) < 2**63:
        raise ValueError(f"{name}: {_shown(value)} is too large")
    return int(value)


def wholes(values: Iterable[Any], name: str) -> list[int]:
    """A list of such."""
    try:
        return [whole(value, name) for value in values]
    except TypeError:
        raise TypeError(f"{name}: {_shown(values)} is not a list of whole numbers") from None


def refuse_complex(values: Any, name: str) -> None:
    """NumPy would drop imaginary parts, and scikit-learn show all of the numbers; the first words are the latter's."""
    dtype = getattr(values, "dtype", None)
    if (dtype if isinstance(dtype, np.dtype) else np.asarray(values).dtype).kind == "c":
        raise ValueError(f"Complex data not supported: {name} must be real; give real and imaginary parts apart")


def reals(values: Any, name: str) -> Floats:
    """An array of float64 in C order, without a copy where it is one."""
    refuse_complex(values, name)
    return np.asarray(values, dtype=np.float64, order="C")


def _shown(value: Any) -> str:
    text = repr(value).replace("\n", " ")
    return text if len(text) <= 60 else text[:60] + "..."
