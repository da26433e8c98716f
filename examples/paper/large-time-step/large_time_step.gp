# The paper's figure of this example: histogram, points over contours, time scales, slowest eigenfunction.
load ARG1
set terminal pngcairo size 1500,1150 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'large_time_step.png'
set contour base
unset surface
set cntrparam levels discrete 0.05, 0.2, 0.4, 0.6, 0.8
set table $contours
splot 'target.dat' using 1:2:3
unset table
unset contour
set surface

set multiplot layout 2,2 margins 0.07,0.91,0.06,0.95 spacing 0.1,0.12
set title "Sampled with too large a time step: biased"
set xlabel "x"; set ylabel "density along x"
set xrange [-2:2]; set yrange [0:1.7]
set boxwidth 0.05
set key top center
plot 'histogram.dat' using 1:2 with boxes fs solid 0.45 noborder lc rgb '#4c78a8' title "histogram of 10^6 steps", \
     '' using 1:3 smooth csplines with lines lw 3 lc rgb dmap_colour title "target {/Symbol p}"

set title "Kernel density q_{/Symbol e} at the points, contours of {/Symbol p}"
set ylabel "y"
set xrange [-1.9:1.9]; set yrange [-1.4:1.4]
set palette @amount
set key top right
set cblabel "q_{/Symbol e} / max q_{/Symbol e}"; set cbrange [0:1]
plot 'points.dat' using 1:2:3 with points pt 7 ps 0.35 lc palette notitle, \
     $contours using 1:2 with lines lw 1.5 lc rgb 'black' title "{/Symbol p} / max {/Symbol p} = 0.05, 0.2, 0.4, 0.6, 0.8"

set title "Time scales t_n = -1/{/Symbol l}_n, medians over seeds"
set xlabel "n"; set ylabel "t_n"
set xrange [0.5:9.5]; set yrange [0.02:100]; set xtics 1
set logscale y; set format y "10^{%T}"
plot 'timescales.dat' using 1:2 with points pt 6 ps 2.6 lw 2 lc rgb reference_colour title "reference", \
     '' using 1:3 with linespoints pt 7 ps 1.2 lw 1.5 lc rgb dmap_colour title "dmap, {/Symbol a} = 1/2", \
     '' using 1:4 with linespoints pt 5 ps 1.0 lw 1.5 lc rgb tmd_colour title "TMDmap", \
     '' using 1:5 with linespoints pt 9 ps 1.3 lw 1.5 lc rgb lkd_colour title "LKDmap"
unset logscale y; set format y "%g"; set xtics auto

set title "Slowest eigenfunction along y = 0"
set xlabel "x"; set ylabel "{/Symbol y}_1(x, 0)"
set xrange [-1.5:1.5]; set yrange [*:*]
set key top left
plot 'psi_1.dat' using 1:2 with lines lw 6 lc rgb '#bbbbbb' title "reference", \
     '' using 1:3 with lines lw 2 lc rgb dmap_colour title "dmap, {/Symbol a} = 1/2", \
     '' using 1:4 with lines lw 2 lc rgb tmd_colour title "TMDmap", \
     '' using 1:5 with lines lw 2 dt 2 lc rgb lkd_colour title "LKDmap"
unset multiplot
