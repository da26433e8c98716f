// Tables that plots are made from, and the plots.
//
// Numbers go to plain text that gnuplot (and anything else) reads; a script of examples/paper/NAME/ makes the picture.
// Scripts run inside the folder of the data, so that they name files without a path, and get the common style as their
// first argument:
//
//   load ARG1                                       # terminal, colours, palettes: examples/paper/style.gp
//   set output 'timescales.png'
//   plot 'timescales.dat' using 1:2 ...
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::reproduce {

/// "# a b c", then one line per row. One name for each column.
void write_table(const std::filesystem::path& file, const std::vector<std::string>& names, PointsView rows);

/// values(i, j) at (x[i], y[j]) as lines "x y value" with a blank line after each x: what `splot` and contours want.
void write_grid(const std::filesystem::path& file, VectorView x, VectorView y, const Matrix& values);

/// Runs gnuplot on every *.gp of `scripts`, in the folder `out`. Returns what could not be drawn and why, a line each:
/// a missing gnuplot is one line, because the numbers are there all the same.
std::vector<std::string> draw_figures(const std::filesystem::path& scripts, const std::filesystem::path& out);

}  // namespace itomap::reproduce
