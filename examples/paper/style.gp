# The look that all figures share: `load ARG1` at the top of a script, then `set output` and plot.
set encoding utf8
set terminal pngcairo size 900,640 font "DejaVu Sans,13" enhanced background rgb 'white'
set grid lc rgb '#e6e6e6' lt 1
set key samplen 2 spacing 1.15
set tics nomirror out
set border 3 lc rgb '#444444'
reference_colour = '#222222'; dmap_colour = '#d1495b'; tmd_colour = '#00798c'; lkd_colour = '#edae49'
# For amounts (densities), dark to bright.
amount = "defined (0 '#440154', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', 1 '#fde725')"
# For signed values (eigenfunctions): blue, grey in the middle, red.
signed = "defined (-1 '#2166ac', -0.5 '#67a9cf', 0 '#d9d9d9', 0.5 '#ef8a62', 1 '#b2182b')"
