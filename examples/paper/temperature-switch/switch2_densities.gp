# Left: phi_0 q, the target recovered from hot points. Right: q itself. Contours: the target at beta = 2.
load ARG1
set terminal pngcairo size 1560,700 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'switch2_densities.png'
set contour base
unset surface
set cntrparam levels discrete 0.05, 0.2, 0.4, 0.6, 0.8
set table $contours
splot 'target.dat' using 1:2:3
unset table
unset contour
set surface

set multiplot layout 1,2 margins 0.065,0.92,0.16,0.93 spacing 0.13,0
set xlabel "x"; set ylabel "y"
set xrange [-2:2]; set yrange [-2:2]; set cbrange [0:1]
set size ratio -1
set key below
set palette @amount
set title "{/Symbol f}_0 q_{/Symbol e} at {/Symbol b} = 2 and contours of {/Symbol p}"
set cblabel "{/Symbol f}_0 q_{/Symbol e} / max"
plot 'points.dat' using 1:2:4 with points pt 7 ps 0.4 lc palette notitle, \
     $contours using 1:2 with lines lw 1.5 lc rgb 'black' title "{/Symbol p} / max {/Symbol p} = 0.05, 0.2, 0.4, 0.6, 0.8"
set title "q_{/Symbol e}: hot and not equilibrated"
set ylabel ""
set cblabel "q_{/Symbol e} / max"
plot 'points.dat' using 1:2:3 with points pt 7 ps 0.4 lc palette notitle, \
     $contours using 1:2 with lines lw 1.5 lc rgb 'black' title "{/Symbol p} / max {/Symbol p} at {/Symbol b} = 2"
unset multiplot
