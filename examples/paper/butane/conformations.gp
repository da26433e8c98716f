# Carbon skeletons of each metastable set, laid over each other: middle bond along x, first carbon up.
load ARG1
set terminal pngcairo size 1350,520
set output 'conformations.png'
set multiplot layout 1,3 margins 0.02,0.98,0.08,0.84 spacing 0.03 title \
  "Members of the three metastable sets, C_2-C_3 and the plane of C_1 laid over each other (nm)" font ",15"
set view 68,28,1.1
set view equal xyz
set xyplane at -0.18
set xrange [-0.18:0.18]
set yrange [-0.18:0.18]
set zrange [-0.18:0.18]
set border 31 lc rgb '#bbbbbb'
set xtics 0.1 offset 0,-0.3
set ytics 0.1
set ztics 0.1
set xlabel "along C_2-C_3" offset 0,-0.5 rotate parallel
set ylabel "sideways" rotate parallel
unset key
chain(angle) = sprintf("set_%d.dat", angle)
do for [k = 1:3] {
  angle = 120 * k - 60
  colour = word("#d1495b #00798c #edae49", k)
  set title sprintf("%s, %d°", word("gauche anti gauche", k), angle) font ",14" offset 0,-1
  splot chain(angle) using 1:3:2:($4-$1):($6-$3):($5-$2) with vectors nohead lw 1 lc rgb '#999999', \
        chain(angle) using 4:6:5:($7-$4):($9-$6):($8-$5) with vectors nohead lw 1 lc rgb '#999999', \
        chain(angle) using 7:9:8:($10-$7):($12-$9):($11-$8) with vectors nohead lw 1 lc rgb colour, \
        chain(angle) using 1:3:2 with points pt 7 ps 0.9 lc rgb '#555555', \
        chain(angle) using 4:6:5 with points pt 7 ps 0.9 lc rgb '#555555', \
        chain(angle) using 7:9:8 with points pt 7 ps 0.9 lc rgb '#555555', \
        chain(angle) using 10:12:11 with points pt 7 ps 0.9 lc rgb colour
}
unset multiplot
