"""Fits that several processes share, by mpi4py."""
from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import numpy as np

from . import _core

_MOST_AT_ONCE = 1 << 28  # counts of MPI are ints


class _Communicator:
    """What the core asks of an intracommunicator of mpi4py."""

    def __init__(self, comm: Any) -> None:
        from mpi4py import MPI

        self._mpi, self._comm = MPI, comm
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        machine = comm.Split_type(MPI.COMM_TYPE_SHARED)
        self.on_this_machine = machine.Get_size()
        machine.Free()

    def _in_parts(self, numbers, send):
        for begin in range(0, numbers.size, _MOST_AT_ONCE):
            send(numbers[begin:begin + _MOST_AT_ONCE])

    def add(self, numbers):
        self._in_parts(numbers, lambda part: self._comm.Allreduce(self._mpi.IN_PLACE, part, self._mpi.SUM))

    def largest(self, numbers):
        self._in_parts(numbers, lambda part: self._comm.Allreduce(self._mpi.IN_PLACE, part, self._mpi.MAX))

    def broadcast(self, numbers):
        self._in_parts(numbers, lambda part: self._comm.Bcast(part, 0))

    def share(self, numbers, ends):
        begins = [0, *ends[:-1]]
        if numbers.size > _MOST_AT_ONCE:
            for root, (begin, end) in enumerate(zip(begins, ends)):
                self._in_parts(numbers[begin:end], lambda part, root=root: self._comm.Bcast(part, root))
            return
        counts = np.subtract(ends, begins)
        self._comm.Allgatherv(self._mpi.IN_PLACE, [numbers, counts, begins, self._mpi.DOUBLE])


_known: list[tuple[Any, Any]] = []  # communicators and their ranks, which models that were fitted with them go on using
_present: ContextVar[Any] = ContextVar("ranks that share what is fitted now", default=None)


def _ranks_of(comm):
    for known, ranks in _known:
        if known == comm:
            return ranks
    ranks = _core.Ranks(_Communicator(comm))
    _known.append((comm, ranks))
    return ranks


def present_ranks() -> Any:
    """Those that share what is fitted now; None for this process alone."""
    return _present.get()


class shared:
    """Within this context, the processes of a communicator share what is fitted.

    All of them run the same lines with the same data, and all have the results, which are those of one process to the
    bit. Stored kernels (``engine="sparse"``, or distances) are dealt out by rows, with memory and products;
    ``epsilon="auto"`` tries as many scales at a time as there are processes. Other engines do all their work in each
    process.

    A model that was fitted so holds a part of its kernel: whatever multiplies with it (``generator_``, `committor`,
    `error_bars`, ...) is for all processes together, also after the context.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        ``MPI.COMM_WORLD``, or some of it.

    Examples
    --------
    ``mpirun -n 4 python3 -m mpi4py script.py``, so that an exception in one process ends all::

        from mpi4py import MPI
        with itomap.shared(MPI.COMM_WORLD):
            model = itomap.DiffusionMap(epsilon=0.01, engine="sparse").fit(x)
        if MPI.COMM_WORLD.rank == 0:
            itomap.save_result(model, "result")
    """

    def __init__(self, comm: Any) -> None:
        try:
            import mpi4py  # noqa: F401
        except ImportError:
            raise ImportError("itomap.shared needs mpi4py, which is not installed (Debian: python3-mpi4py)") from None
        if not (hasattr(comm, "Allgatherv") and hasattr(comm, "Split_type")):
            raise TypeError(f"comm: {comm!r} is no communicator of mpi4py; give MPI.COMM_WORLD")
        self._comm = comm

    def __enter__(self) -> shared:
        self._token = _present.set(_ranks_of(self._comm))
        return self

    def __exit__(self, *exception: Any) -> None:
        _present.reset(self._token)
