// A failing problem made small: fewer points and simpler options, as long as the same kind of finding is left.
#pragma once

#include "differential/findings.hpp"
#include "differential/problem.hpp"

namespace itomap::differential {

Problem shrunk(const Problem& problem, const Findings& findings);

}  // namespace itomap::differential
