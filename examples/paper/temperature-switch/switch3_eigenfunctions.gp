# psi_1 at both temperatures, TMDmap above and LKDmap below; contours: the reference.
load ARG1
set terminal pngcairo size 1460,1330 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'switch3_eigenfunctions.png'
set contour base
unset surface
set cntrparam levels discrete -1.2, -0.9, -0.6, -0.3, 0, 0.3, 0.6, 0.9, 1.2
set table $hot
splot 'reference_beta_1.dat' using 1:2:3
unset table
set table $cold
splot 'reference_beta_2.dat' using 1:2:3
unset table
unset contour
set surface

set multiplot layout 2,2 margins 0.065,0.92,0.07,0.95 spacing 0.13,0.12
set xlabel "x"; set ylabel "y"
set xrange [-2:2]; set yrange [-2:2]; set cbrange [-1.5:1.5]
set size ratio -1
set key bottom left
set palette @signed
set cblabel "{/Symbol y}_1"
set title "TMDmap, {/Symbol b} = 1: x is slow"
plot 'points.dat' using 1:2:5 with points pt 7 ps 0.5 lc palette notitle, $hot using 1:2 with lines lw 1 lc rgb 'black' title "reference: -1.2, -0.9, .., 1.2"
set title "TMDmap, {/Symbol b} = 2: y is slow"
plot 'points.dat' using 1:2:6 with points pt 7 ps 0.5 lc palette notitle, $cold using 1:2 with lines lw 1 lc rgb 'black' title "reference: -1.2, -0.9, .., 1.2"
set title "LKDmap, {/Symbol b} = 1"
plot 'points.dat' using 1:2:7 with points pt 7 ps 0.5 lc palette notitle, $hot using 1:2 with lines lw 1 lc rgb 'black' title "reference: -1.2, -0.9, .., 1.2"
set title "LKDmap, {/Symbol b} = 2"
plot 'points.dat' using 1:2:8 with points pt 7 ps 0.5 lc palette notitle, $cold using 1:2 with lines lw 1 lc rgb 'black' title "reference: -1.2, -0.9, .., 1.2"
unset multiplot
