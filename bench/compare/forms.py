"""Numbers as people read them."""


def seconds(value: float) -> str:
    return f"{value:.3g} s" if value < 100 else f"{value:.0f} s"


def memory(value: float) -> str:
    return f"{value / 1e9:.2f} GB" if value >= 1e9 else f"{value / 1e6:.0f} MB"


def times(value: float) -> str:
    return f"{value:.3g} times" if value < 100 else f"{value:.0f} times"


def percent(value: float) -> str:
    return f"{value:.2%}"


def count(value: float) -> str:
    return f"{value:.0f}"


def number(value: float) -> str:
    return f"{value:.3g}"
