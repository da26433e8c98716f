# How the time scales and the weight of the anti form depend on the length that the kernels are blurred by, in both runs.
load ARG1
set terminal pngcairo size 1200,520
set output 'lengths.png'
set multiplot layout 1,2 margins 0.09,0.98,0.15,0.9 spacing 0.11
set logscale x
set xrange [0.0045:0.022]
set xtics (0.005, 0.007, 0.01, 0.014, 0.02)
set xlabel "length (nm)"
set logscale y
set yrange [1:200]
set ylabel "t (ps)"
set title "The length is chosen on run 1, by t_1 of the model"
set key bottom left
plot 'lengths.dat' using 1:2 with linespoints pt 7 lw 2 lc rgb lkd_colour title "t_1, run 1", \
     '' using 1:5 with linespoints pt 5 lw 2 lc rgb tmd_colour title "t_1, run 2", \
     '' using 1:3 with linespoints pt 6 lw 2 dt 2 lc rgb lkd_colour title "t_2, run 1", \
     '' using 1:6 with linespoints pt 4 lw 2 dt 2 lc rgb tmd_colour title "t_2, run 2", \
     '' using 1:8 with lines lw 2 lc rgb reference_colour title "t_1, Markov state model, run 1", \
     '' using 1:9 with lines lw 2 dt 2 lc rgb reference_colour title "the same, run 2"
unset logscale y
set yrange [0.3:0.8]
set ylabel "weight of the anti form"
set title "Stationary weight of the anti form"
set key top right
stats 'share_anti.dat' using 1 nooutput
share = STATS_mean
plot 'lengths.dat' using 1:4 with linespoints pt 7 lw 2 lc rgb lkd_colour title "run 1", \
     '' using 1:7 with linespoints pt 5 lw 2 lc rgb tmd_colour title "run 2", \
     share with lines lw 2 lc rgb reference_colour title "the trajectory, run 2"
unset multiplot
