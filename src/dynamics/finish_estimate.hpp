// From sums of increments to an estimate that a local kernel map can take.
#pragma once

#include "dynamics/increment_sums.hpp"

namespace itomap {

/// Repairs A, suggests eta and writes the warnings. `remedy` ends the message about queries that see too little.
DynamicsEstimate finish_estimate(const IncrementSums& sums, Points points, double lag, const char* remedy);

}  // namespace itomap
