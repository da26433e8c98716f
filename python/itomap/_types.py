"""Names of types that the public interface speaks."""
from __future__ import annotations

import os
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Answer = dict[str, Any]
Epsilon = Union[float, str]
Seed = Union[int, np.random.RandomState, None]
FunctionOfPoints = Callable[[Floats], ArrayLike]
PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[str, float, str], Optional[bool]]

__all__ = ["Answer", "Array", "ArrayLike", "Epsilon", "Floats", "FunctionOfPoints", "PathLike", "Progress", "Seed",
           "Sequence"]
