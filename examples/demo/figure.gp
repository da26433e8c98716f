# Four panels from the data that double_well writes: gnuplot -e "folder='demo'" figure.gp
set terminal pngcairo size 1200,900 font "DejaVu Sans,11"
set output folder.'/double_well.png'
set multiplot layout 2,2 margins 0.07,0.95,0.07,0.95 spacing 0.11,0.11

beta = 6.0
points = folder.'/points.dat'
exact_colour = '#222222'; dmap_colour = '#d1495b'; tmd_colour = '#00798c'; lkd_colour = '#edae49'
stats points using 1 nooutput  # before any range is set: it would count the points inside only
count = STATS_records
bins = 0.08
set samples 400
set key samplen 2 spacing 1.1
set grid lc rgb '#e6e6e6' lt 1

set title "The sample is biased: its histogram against the true density"
set xlabel "x"
set xrange [-2:2]
set yrange [0:*]
# 0.7532 is the integral of exp(-6 (x^2 - 1)^2).
plot points using (bins * (floor($1 / bins) + 0.5)):(1.0 / (count * bins)) smooth frequency with boxes fs solid 0.35 \
       lc rgb dmap_colour title "points", \
     exp(-beta * (x**2 - 1)**2) / 0.7532 lw 2 lc rgb exact_colour title "{/Symbol p}"

set title "The points, coloured by their kernel density"
set ylabel "y"
set yrange [-1.5:1.5]
set palette defined (0 '#30123b', 0.25 '#4686fb', 0.5 '#1ae4b6', 0.75 '#fabb39', 1 '#d23105')
unset colorbox
plot points using 1:2:3 with points pt 7 ps 0.25 lc palette notitle
set yrange [*:*]

set title "Slowest eigenfunction along y = 0"
set ylabel "{/Symbol y}_1(x, 0)"
set key top left
near_axis(y, value) = abs(y) < 0.1 ? value : NaN
plot folder.'/psi_1.dat' using 1:2 with lines lw 3 lc rgb exact_colour title "exact", \
     points using 1:(near_axis($2, $4)) with points pt 7 ps 0.4 lc rgb dmap_colour notitle, \
     points using 1:(near_axis($2, $5)) with points pt 7 ps 0.4 lc rgb tmd_colour notitle, \
     points using 1:(near_axis($2, $6)) with points pt 7 ps 0.2 lc rgb lkd_colour notitle, \
     keyentry with points pt 7 lc rgb dmap_colour title "dmap {/Symbol a} = 1/2", \
     keyentry with points pt 7 lc rgb tmd_colour title "TMDmap", \
     keyentry with points pt 7 lc rgb lkd_colour title "LKDmap"

set title "Time scales"
set xlabel "n"
set ylabel "t_n"
set xrange [0.5:9.5]
set logscale y
set key top right
scales = folder.'/timescales.dat'
plot scales using 1:2 with points pt 2 ps 2 lw 2 lc rgb exact_colour title "exact", \
     scales using 1:3 with linespoints pt 7 lw 1.5 lc rgb dmap_colour title "dmap {/Symbol a} = 1/2", \
     scales using 1:4 with linespoints pt 7 lw 1.5 lc rgb tmd_colour title "TMDmap", \
     scales using 1:5 with linespoints pt 7 lw 1.5 lc rgb lkd_colour title "LKDmap"
