# Every seed's errors, the median, and what the paper printed for its one run.
load ARG1
set terminal pngcairo size 1100,640 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'seeds.png'
set title "Errors of all seeds: boxes hold the middle half"
set ylabel "relative error [%]"
set key top left
set logscale y; set yrange [1:100]; set xrange [0.3:5.7]; set bmargin 4
set xtics ("{/Symbol f}_0 q, {/Symbol b} = 2\nTMDmap" 1, "{/Symbol y}_1, {/Symbol b} = 1\nTMDmap" 2, "{/Symbol y}_1, {/Symbol b} = 2\nTMDmap" 3, \
           "{/Symbol y}_1, {/Symbol b} = 1\nLKDmap" 4, "{/Symbol y}_1, {/Symbol b} = 2\nLKDmap" 5)
set style boxplot nooutliers
set style data boxplot
set boxwidth 0.4
set style fill solid 0.25
$paper << EOD
1 7.2
2 4.8
3 5.5
EOD
plot for [k = 1:5] 'seeds.dat' using (k):(100 * column(k == 1 ? 2 : k + 2)) lc rgb (k < 4 ? tmd_colour : lkd_colour) notitle, \
     for [k = 1:5] 'seeds.dat' using (k + 0.3):(100 * column(k == 1 ? 2 : k + 2)) with points pt 7 ps 0.5 lc rgb '#888888' title (k == 1 ? "a seed" : ""), \
     $paper using 1:2 with points pt 3 ps 2 lw 2 lc rgb dmap_colour title "the paper's run"
