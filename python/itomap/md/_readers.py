"""Which library reads a source."""
import os
import sys

from ._mdanalysis import MDAnalysisReader
from ._mdtraj import MDTrajReader

_READERS = {"mdanalysis": MDAnalysisReader, "mdtraj": MDTrajReader}  # the first is tried first
_LONGEST = 160  # characters of an error of another library


def open_reader(source, files, library):
    """What reads a source, as `Trajectories` takes it; all its trajectories are of the same atoms."""
    reader = _open(source, files, library)
    _check_same_atoms(reader)
    return reader


def _open(source, files, library):
    several = isinstance(source, (list, tuple))
    objects = [*source] if several else [source]
    if not objects:
        raise ValueError("source: the list is empty; give at least one trajectory")
    if not several and isinstance(source, (str, os.PathLike)):
        return _open_files(os.fspath(source), source if files is None else files, library)
    if files is not None:
        raise ValueError("files: belong to the path of a topology; this source has its own frames")
    if _all_are(objects, "mdtraj", "Trajectory"):
        return MDTrajReader.of_trajectories(objects)
    if _all_are(objects, "MDAnalysis", "Universe") or _all_are(objects, "MDAnalysis", "AtomGroup"):
        return _of_groups(objects)
    raise TypeError("source: give a path, a Universe or AtomGroup of MDAnalysis, an mdtraj.Trajectory, or a list of "
                    f"objects of one kind; not {type(objects[0]).__name__}")


def _all_are(objects, module, kind):
    """Whether all are of this class; nothing can be if its module has not been imported."""
    return sys.modules.get(module) and all(isinstance(one, getattr(sys.modules[module], kind)) for one in objects)


def _of_groups(objects):
    for one in objects:
        if type(one).__name__.startswith("Updating"):
            raise ValueError("source: an updating AtomGroup has other atoms in every frame; select without updating")
        if len(one.atoms) == 0:
            raise ValueError("source: has no atoms")
        if not hasattr(one.universe, "trajectory"):
            raise ValueError("source: the Universe has no trajectory; load one")
    return MDAnalysisReader([one.atoms for one in objects])


def _open_files(topology, files, library):
    files = [os.fspath(file) for file in ([files] if isinstance(files, (str, os.PathLike)) else files)]
    if not files:
        raise ValueError("files: the list is empty; give at least one trajectory")
    for file in (topology, *files):
        if not os.path.exists(file):
            raise FileNotFoundError(f"{file}: no such file")
    name = library.lower() if isinstance(library, str) else library  # as `Trajectories.library` says it, too
    if name is not None and name not in _READERS:
        raise ValueError(f"library: {library!r} is neither 'mdanalysis' nor 'mdtraj'")
    failures, missing = [], []
    for reader in _READERS.values() if library is None else [_READERS[name]]:
        try:
            return reader.of_files(topology, files)
        except ImportError as error:
            missing.append(f"{reader.library} is not there: {one_line(error)}")
        except Exception as error:  # each library has errors of its own, down to those of its formats
            failures.append(f"{reader.library}: {one_line(error)}")
    if failures:
        names = ", ".join(dict.fromkeys([topology, *files]))
        raise ValueError(f"{names}: cannot be read; {'; '.join([*failures, *missing])}")
    raise ImportError(f"files are read through MDAnalysis or MDTraj; {'; '.join(missing)}; on Debian: apt install "
                      "python3-mdanalysis, elsewhere: pip install MDAnalysis")


def _check_same_atoms(reader):
    first, *others = reader.identities()
    for number, names in enumerate(others, 1):
        if len(names) != len(first):
            raise ValueError(f"trajectory {number} ({reader.files[number]}) has {len(names)} atoms, and trajectory 0 "
                             f"has {len(first)}")
        if names != first:
            wrong = next(k for k, (a, b) in enumerate(zip(first, names)) if a != b)
            raise ValueError(f"trajectory {number} ({reader.files[number]}) has other atoms than trajectory 0: "
                             f"atom {wrong} is {names[wrong]} and not {first[wrong]}")


def one_line(error):
    """What a library says, in one line and not too long."""
    words = " ".join(str(error).split()) or type(error).__name__
    return words if len(words) <= _LONGEST else words[:_LONGEST] + "..."
