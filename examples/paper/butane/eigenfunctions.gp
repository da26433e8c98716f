# psi_1 and psi_2 over the dihedral angle, coloured by metastable set; below, where the molecule is.
load ARG1
set terminal pngcairo size 1100,900
set output 'eigenfunctions.png'
set multiplot
set xrange [0:360]
set xtics 60
set palette maxcolors 3 defined (60 '#d1495b', 180 '#00798c', 300 '#edae49')
set cbrange [0:360]
set cbtics ("gauche 60°" 60, "anti 180°" 180, "gauche 300°" 300)
set label 2 "metastable set" at screen 0.82,0.955
set lmargin at screen 0.09
set rmargin at screen 0.80
set format x ""
panel(top, bottom) = sprintf("set tmargin at screen %g; set bmargin at screen %g", top, bottom)

set label 1 "n-butane in water: the slow eigenfunctions are functions of the dihedral angle" at screen 0.09,0.97 font ",15"
eval panel(0.94, 0.65)
set key bottom right
set ylabel "{/Symbol y}_1"
plot 'eigenfunctions.dat' using 1:2:4 with points pt 7 ps 0.35 lc palette notitle, \
     'smooth.dat' using 1:2 with lines lw 1.5 lc rgb reference_colour title "smooth function of the angle"
unset label 1
unset label 2
unset colorbox
eval panel(0.61, 0.32)
set ylabel "{/Symbol y}_2"
plot 'eigenfunctions.dat' using 1:3:4 with points pt 7 ps 0.35 lc palette notitle, \
     'smooth.dat' using 1:3 with lines lw 1.5 lc rgb reference_colour notitle
eval panel(0.28, 0.08)
set format x "%g"
set xlabel "dihedral angle C-C-C-C (degrees)"
set ylabel "share in 5°"
set logscale y
set format y "10^{%T}"
set yrange [1e-6:1]
set key at screen 0.995,0.25 right maxcols 1 samplen 1
plot 'populations.dat' using 1:($2 > 0 ? $2 : NaN) with steps lw 2 lc rgb reference_colour title "trajectory", \
     'populations.dat' using 1:($3 > 0 ? $3 : NaN) with steps lw 2 lc rgb lkd_colour title "LKDmap"
unset multiplot
