# The potential and the sampled points.
load ARG1
set terminal pngcairo size 900,780 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'switch1_potential.png'
set title "Potential U and 5,000 points (white) at {/Symbol b}_s = 1"
set xlabel "x"; set ylabel "y"
set xrange [-2:2]; set yrange [-2:2]; set cbrange [0:6]
set size ratio -1
set palette @amount
set cblabel "U (6 and more: yellow)"
plot 'potential.dat' using 1:2:($3 > 6 ? 6 : $3) with image notitle, \
     'points.dat' using 1:2 with points pt 7 ps 0.3 lc rgb 'white' notitle
