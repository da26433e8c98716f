#!/bin/sh
# n-butane in water at 300 K with GROMACS: one replica, from nothing or from its last checkpoint.
#   run.sh FOLDER SEED DIHEDRAL NANOSECONDS      for example  run.sh work/replica1 1 180 6
# Run it again with more nanoseconds to go on from where it stopped. One thread: two replicas side by side are faster than
# two threads on one. Afterwards convert.py makes the data file out of all replicas.
set -eu
if [ $# -ne 4 ]; then
  sed -n 2,5p "$0" >&2
  exit 2
fi
folder=$1 seed=$2 dihedral=$3 nanoseconds=$4
source=$(cd "$(dirname "$0")" && pwd)
steps=$(awk "BEGIN { printf \"%d\", $nanoseconds * 500000 + 25000 }") # 50 ps more, which convert.py drops
mkdir -p "$folder"
cd "$folder"
export GMX_MAXBACKUP=-1

if [ ! -f boxed.gro ]; then
  cp "$source"/butane.itp "$source"/topol.top .
  for settings in pressure production; do sed "s/SEED/$seed/; s/NSTEPS/$steps/" "$source/$settings.mdp" > $settings.mdp; done
  "${PYTHON:-python3}" "$source/start.py" "$dihedral" > butane.gro
  gmx -quiet editconf -f butane.gro -o molecule.gro -bt dodecahedron -box 2.4 -c
  gmx -quiet solvate -cp molecule.gro -cs spc216.gro -p topol.top -o solvated.gro

  gmx -quiet grompp -f "$source/minimise.mdp" -c solvated.gro -p topol.top -o minimise.tpr
  gmx -quiet mdrun -nt 1 -deffnm minimise
  gmx -quiet grompp -f pressure.mdp -c minimise.gro -p topol.top -o pressure.tpr
  gmx -quiet mdrun -nt 1 -notunepme -deffnm pressure

  # the box of the mean volume of the last 150 ps
  echo Volume | gmx -quiet energy -f pressure.edr -b 50 -o volume.xvg > volume.txt
  mean=$(awk '/^Volume/ { print $2 }' volume.txt)
  scale=$(tail -n 1 pressure.gro | awk -v mean="$mean" '{ printf "%.6f", (mean / ($1 * $2 * $3)) ^ (1 / 3) }')
  gmx -quiet editconf -f pressure.gro -o boxed.gro -scale "$scale" "$scale" "$scale"
fi

if [ ! -f production.tpr ]; then
  {
    echo '[ System ]'
    seq "$(sed -n 2p boxed.gro)"
    printf '[ Carbons ]\n1 2 3 4\n'
  } > groups.ndx
  gmx -quiet grompp -f production.mdp -c boxed.gro -p topol.top -n groups.ndx -o production.tpr
fi
if [ -f production.cpt ]; then
  gmx -quiet convert-tpr -s production.tpr -nsteps "$steps" -o longer.tpr
  mv longer.tpr production.tpr
fi
exec gmx -quiet mdrun -nt 1 -notunepme -reprod -deffnm production -cpi production.cpt -cpt 2
