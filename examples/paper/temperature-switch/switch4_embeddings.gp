# The points in the first two diffusion coordinates at beta = 2, coloured by y, the slow coordinate.
load ARG1
set terminal pngcairo size 1700,600 font "DejaVu Sans,13" enhanced background rgb 'white'
set output 'switch4_embeddings.png'
set multiplot layout 1,3 margins 0.06,0.93,0.12,0.9 spacing 0.06,0
set xlabel "e^{{/Symbol l}_1} {/Symbol y}_1"; set ylabel "e^{{/Symbol l}_2} {/Symbol y}_2" offset 1,0
set palette defined (0 '#352a87', 0.5 '#21918c', 1 '#f9d728')
set cbrange [-1.5:1.5]; set cblabel "y"
unset colorbox
set title "TMDmap, {/Symbol b} = 2: {/Symbol y}_1 follows y"
plot 'points.dat' using 9:10:2 with points pt 7 ps 0.4 lc palette notitle
set title "Diffusion map: {/Symbol y}_1 does not"
plot 'points.dat' using 11:12:2 with points pt 7 ps 0.4 lc palette notitle
set colorbox
set title "LKDmap, {/Symbol b} = 2"
plot 'points.dat' using 13:14:2 with points pt 7 ps 0.4 lc palette notitle
unset multiplot
