"""pyDiffMap's helper for weights that are known at the points alone."""
import numpy as np


def lookup_fxn(x, vals):
    """A function that has the value vals[i] at x[i], for `weight_fxn` and `change_of_measure`.

    Examples
    --------
    >>> weight = lookup_fxn([[0.0, 1.0], [2.0, 3.0]], [5, 7])
    >>> weight([2.0, 3.0])
    7
    """
    table = {_key(point): value for point, value in zip(x, vals)}

    def value_at(point):
        if _key(point) not in table:
            raise ValueError(f"lookup_fxn: {point} is none of the {len(table)} points with a value")
        return table[_key(point)]

    return value_at


def _key(point):
    return np.asarray(point).tobytes()  # every digit: points that print alike are not the same
