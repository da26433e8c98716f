# Carbon skeletons of each metastable set, laid over each other: from the side, and along the middle bond.
load ARG1
set terminal pngcairo size 1250,900
set output 'conformations.png'
set multiplot layout 2,3 columnsfirst margins 0.07,0.98,0.08,0.87 spacing 0.07,0.16 title \
  "Members of the three metastable sets, C_2-C_3 and the plane of C_1 laid over each other" font ",15"
set size ratio -1
set tics 0.1
set key bottom left
carbons = '#777777'
do for [k = 1:3] {
  angle = 120 * k - 60
  chains = sprintf("set_%d.dat", angle)
  colour = word("#d1495b #00798c #edae49", k)
  set title sprintf("%s, near %d°: from the side", word("gauche anti gauche", k), angle)
  set xlabel "along C_2-C_3 (nm)"
  set ylabel "towards C_1 (nm)" offset 1
  set xrange [-0.22:0.22]
  set yrange [-0.2:0.2]
  plot chains using 1:2:($4-$1):($5-$2) with vectors nohead lw 1 lc rgb carbons notitle, \
       chains using 4:5:($7-$4):($8-$5) with vectors nohead lw 1 lc rgb carbons notitle, \
       chains using 7:8:($10-$7):($11-$8) with vectors nohead lw 1 lc rgb colour notitle, \
       chains using 1:2 with points pt 7 ps 0.8 lc rgb carbons title "C_1, C_2, C_3", \
       chains using 4:5 with points pt 7 ps 0.8 lc rgb carbons notitle, \
       chains using 7:8 with points pt 7 ps 0.8 lc rgb carbons notitle, \
       chains using 10:11 with points pt 7 ps 0.8 lc rgb colour title "C_4"
  set title "along the bond, C_2 in front"
  set xlabel "sideways (nm)"
  plot chains using 3:2:($6-$3):($5-$2) with vectors nohead lw 1 lc rgb carbons notitle, \
       chains using 9:8:($12-$9):($11-$8) with vectors nohead lw 1 lc rgb colour notitle, \
       chains using 3:2 with points pt 7 ps 0.8 lc rgb carbons title "C_1", \
       chains using 12:11 with points pt 7 ps 0.8 lc rgb colour title "C_4"
}
unset multiplot
