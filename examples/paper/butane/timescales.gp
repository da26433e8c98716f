# Time scales of the map beside those of a Markov state model, and the model's own check over its lag.
load ARG1
set terminal pngcairo size 1200,520
set output 'timescales.png'
set multiplot layout 1,2 margins 0.09,0.98,0.13,0.9 spacing 0.11
set logscale y
set title "Spectrum: a gap after t_2"
set xlabel "n"
set ylabel "t_n (ps)"
set xrange [0.5:4.5]
set yrange [0.03:200]
set xtics 1
plot 'timescales.dat' using 1:2 with linespoints pt 7 ps 1.4 lw 2 lc rgb lkd_colour title "LKDmap", \
     '' using 1:2:3 with yerrorbars pt 7 ps 1.4 lw 2 lc rgb lkd_colour notitle, \
     '' using ($1 + 0.08):4:5 with yerrorbars pt 2 ps 2 lw 2 lc rgb reference_colour title "Markov state model, lag 5 ps"
set title "Implied time scales of the Markov state model"
set xlabel "lag (ps)"
set logscale x
set xrange [0.04:12]
set yrange [0.5:200]
set xtics (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
stats 'timescales.dat' using 2 every ::0::0 nooutput
first = STATS_mean
stats 'timescales.dat' using 2 every ::1::1 nooutput
second = STATS_mean
plot 'model.dat' using 1:2 with linespoints pt 7 lw 2 lc rgb reference_colour title "t_1, model", \
     'model.dat' using 1:3 with linespoints pt 6 lw 2 lc rgb reference_colour title "t_2, model", \
     first with lines lw 2 lc rgb lkd_colour title "t_1, LKDmap", \
     second with lines lw 2 dt 2 lc rgb lkd_colour title "t_2, LKDmap", \
     x with filledcurves y1=0.5 fs solid 0.15 lc rgb '#888888' title "shorter than the lag"
unset multiplot
