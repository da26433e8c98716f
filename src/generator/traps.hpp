// Points of a local kernel that the chain cannot leave.
//
// A step of the chain takes the time epsilon, in which the process leaves any ball as wide as the kernel. An outlying
// point, or a pair or triple of them, whose row sees little but itself holds the chain for many steps instead: an
// artefact of too few points there. A drift that is wrong at such a point, or leads out of the data, makes it a trap:
// whatever comes by stays, and in the end the stationary distribution lives there. Reversible kernels do not do that:
// who is hard to leave is as hard to reach.
//
// A trap gets the right weight d = 0: nobody steps there, and whoever is there leaves to the nearest others. This is
// the map of all other points, extended to these. A point that sees nothing but traps has no such extension: it stays
// where it is, a component of its own that is no part of the process.
#pragma once

#include "generator/generator.hpp"

namespace itomap::detail {

/// Changes weights and row sums where there are traps, counts them in diagnostics and names them in a warning.
void empty_traps(Generator& generator);

}  // namespace itomap::detail
