"""Dihedral angles of proteins by name: which four atoms they are."""
from typing import NamedTuple


class Residue(NamedTuple):
    name: str
    number: int
    chain: str
    atoms: dict  # from the names of atoms to their numbers


# A sign says whether an atom belongs to the residue before or after.
_NAMED = {
    "phi": [("-C", "N", "CA", "C")],
    "psi": [("N", "CA", "C", "+N")],
    "omega": [("CA", "C", "+N", "+CA")],
    "chi1": [("N", "CA", "CB", last) for last in ("CG", "CG1", "OG", "OG1", "SG")],
}
ATOMS = {atom.lstrip("+-") for ways in _NAMED.values() for way in ways for atom in way}


def named_dihedrals(wanted, residues):
    """Names and atoms of all dihedral angles of these kinds, residue by residue."""
    for kind in wanted:
        if kind not in _NAMED:
            raise ValueError(f"atoms: '{kind}' is none of {', '.join(_NAMED)}; give numbers of four atoms for others")
    several_chains = len({residue.chain for residue in residues}) > 1
    names, quadruples = [], []
    for place, residue in enumerate(residues):
        before, after = _bonded(residues, place - 1), _bonded(residues, place)
        neighbours = {"-": residues[place - 1].atoms if before else {}, "+": residues[place + 1].atoms if after else {}}
        for kind in wanted:
            atoms = _find(kind, residue.atoms, neighbours)
            if atoms:
                chain = f"{residue.chain} " if several_chains else ""
                names.append(f"{kind} {chain}{residue.name} {residue.number}")
                quadruples.append(atoms)
    return names, quadruples


def _bonded(residues, place):
    """Whether a residue is followed by the next one of its chain; insertions may have the same number."""
    if not 0 <= place < len(residues) - 1:
        return False
    this, following = residues[place], residues[place + 1]
    return this.chain == following.chain and 0 <= following.number - this.number <= 1


def _find(kind, own, neighbours):
    for way in _NAMED[kind]:
        atoms = [neighbours[atom[0]].get(atom[1:]) if atom[0] in "+-" else own.get(atom) for atom in way]
        if None not in atoms:
            return atoms
    return None
