# Five sets by k-means on the eigenfunctions.
load ARG1
set terminal pngcairo size 1300,760 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'wake2_clusters.png'
set contour base
unset surface
set cntrparam levels incremental 0, 0.25, 50
set table $lines
splot 'stream.dat' using 1:2:3
unset table
unset contour
set surface
stats 'body.dat' using 1:2 nooutput
set object 1 rectangle from STATS_min_x, STATS_min_y to STATS_max_x, STATS_max_y front fc rgb '#9a9a9a' fs solid 1 noborder
stats 'stream.dat' using 1:2 nooutput
set xrange [STATS_min_x:STATS_max_x]; set yrange [STATS_min_y:0.6]
set size ratio -1
set lmargin at screen 0.08; set rmargin at screen 0.78
unset grid
set xlabel "x [m]"; set ylabel "y [m]"
set title "Five sets of the wake, with flow lines"
set palette maxcolors 5 defined (1 '#f3e26b', 2 '#7fbf6b', 3 '#f0953f', 4 '#1f3f8f', 5 '#4fa8e0')
set cbrange [0.5:5.5]
set cbtics ("largest set" 1, "another" 2, "another" 3, "upper vortex" 4, "lower vortex" 5)
plot 'sets.dat' using 1:2:3 with image notitle, \
     $lines using 1:2 with lines lw 0.7 lc rgb '#60202020' notitle, \
     'separating_upper.dat' using 1:2 with lines lw 2.5 dt 2 lc rgb 'black' title "separating streamline", \
     'separating_lower.dat' using 1:2 with lines lw 2.5 dt 2 lc rgb 'black' notitle, \
     'centres.dat' using 1:2 with points pt 2 ps 2 lw 3 lc rgb 'white' title "vortex centres"
