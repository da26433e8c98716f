# The level set of the zone's eigenfunction on the separating streamline, over the speed of the mean flow.
load ARG1
set terminal pngcairo size 1300,760 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'wake3_zone.png'
stats 'levels.dat' using 1 nooutput
best = STATS_min
stats 'levels.dat' using 2 nooutput
halfway = STATS_min
set contour base
unset surface
set cntrparam levels discrete best
set table $best
splot 'function_1.dat' using 1:2:3
unset table
set cntrparam levels discrete halfway
set table $halfway
splot 'function_1.dat' using 1:2:3
unset table
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
unset grid
set xlabel "x [m]"; set ylabel "y [m]"
set palette @amount
set cblabel "speed [m/s]"
set title "The recirculation zone, from the velocity and from an eigenfunction"
set key opaque
plot 'speed.dat' using 1:2:3 with image notitle, \
     $lines using 1:2 with lines lw 0.7 lc rgb '#80ffffff' notitle, \
     'separating_upper.dat' using 1:2 with lines lw 3 dt 2 lc rgb 'black' title "separating streamline", \
     'separating_lower.dat' using 1:2 with lines lw 3 dt 2 lc rgb 'black' notitle, \
     $best using 1:2 with lines lw 3 lc rgb '#d1495b' title sprintf("level %.2f of the eigenfunction: best", best), \
     $halfway using 1:2 with lines lw 2 lc rgb '#edae49' title sprintf("level %.2f: by 2-means", halfway)
