"""pyDiffMap's interface (0.2.0.1) on itomap: a script runs after its imports are changed, and gives the same numbers.

    from itomap.compat.pydiffmap import diffusion_map as dm          # was: from pydiffmap import diffusion_map as dm

One thing is different: k does not cut the kernel, all neighbours count. What cannot be done is refused in one line.
docs/migration.md compares the conventions, and says what to write instead of this.
"""
from . import diffusion_map, kernel, utils, visualization

__all__ = ["diffusion_map", "kernel", "utils", "visualization"]
