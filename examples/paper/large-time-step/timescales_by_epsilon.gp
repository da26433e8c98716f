# How far each map is from the reference: with epsilon by auto, with the paper's converted, with the paper's literally.
load ARG1
set terminal pngcairo size 1500,520 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'timescales_by_epsilon.png'
set multiplot layout 1,3 margins 0.06,0.98,0.13,0.9 spacing 0.06,0
set xlabel "n"
set xrange [0.5:9.5]; set yrange [0.03:10]; set xtics 1
set logscale y
set key bottom right
files = "timescales.dat timescales_converted.dat timescales_literal.dat"
array titles[3] = ["{/Symbol e} by auto, on another sample", "The paper's {/Symbol e} = 0.05, converted", \
                   "The paper's {/Symbol e} = 0.05, literally"]
do for [k = 1:3] {
  file = word(files, k)
  set title titles[k]
  set ylabel (k == 1 ? "t_n / reference" : "")
  plot 1 with lines lw 2 lc rgb '#bbbbbb' title "reference", \
       file using 1:($3/$2) with linespoints pt 7 ps 1.2 lw 1.5 lc rgb dmap_colour title "dmap, {/Symbol a} = 1/2", \
       file using 1:($4/$2) with linespoints pt 5 ps 1.0 lw 1.5 lc rgb tmd_colour title "TMDmap", \
       file using 1:($5/$2) with linespoints pt 9 ps 1.3 lw 1.5 lc rgb lkd_colour title "LKDmap"
}
unset multiplot
