# Four eigenfunctions with contours at -0.9, 0 and 0.9 over flow lines, as in the paper.
load ARG1
set terminal pngcairo size 1500,950 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'wake1_eigenfunctions.png'
set contour base
unset surface
set cntrparam levels discrete -0.9, 0, 0.9
do for [k=1:4] {
  set table sprintf('contours_%d.dat', k)
  splot sprintf('function_%d.dat', k) using 1:2:3
  unset table
}
set cntrparam levels incremental 0, 0.25, 50
set table 'flow_lines.dat'
splot 'stream.dat' using 1:2:3
unset table
unset contour
set surface

stats 'body.dat' using 1:2 nooutput
set object 1 rectangle from STATS_min_x, STATS_min_y to STATS_max_x, STATS_max_y front fc rgb '#9a9a9a' fs solid 1 noborder
array number[4]; array rate[4]; array turn[4]
do for [k=1:4] {
  stats 'functions.dat' using 1 every ::(k-1)::(k-1) nooutput
  number[k] = int(STATS_min)
  stats 'functions.dat' using 2 every ::(k-1)::(k-1) nooutput
  rate[k] = STATS_min
  stats 'functions.dat' using 3 every ::(k-1)::(k-1) nooutput
  turn[k] = STATS_min
}
about(k) = turn[k] == 0 ? sprintf("{/Symbol y}_{%d}, {/Symbol l} = %.1f s^{-1}", number[k], rate[k]) \
                        : sprintf("Re {/Symbol y}_{%d}, {/Symbol l} = %.1f {/Symbol \261} %.1fi s^{-1}", number[k], rate[k], turn[k])
stats 'stream.dat' using 1:2 nooutput
set xrange [STATS_min_x:STATS_max_x]; set yrange [STATS_min_y:0.6]
set size ratio -1
unset grid
set xlabel "x [m]"; set ylabel "y [m]"
set cbrange [-3:3]
set palette @signed
set cblabel "{/Symbol y}, unit mean square over the fluid"
set multiplot layout 2,2 margins 0.06,0.92,0.09,0.95 spacing 0.15,0.13
do for [k=1:4] {
  set title about(k)
  plot sprintf('function_%d.dat', k) using 1:2:3 with image notitle, \
       'flow_lines.dat' using 1:2 with lines lw 0.7 lc rgb '#90303030' notitle, \
       sprintf('contours_%d.dat', k) using 1:2 with lines lw 2.5 lc rgb 'white' notitle, \
       'separating_upper.dat' using 1:2 with lines lw 2 dt 2 lc rgb 'black' notitle, \
       'separating_lower.dat' using 1:2 with lines lw 2 dt 2 lc rgb 'black' notitle
}
unset multiplot
