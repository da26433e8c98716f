// From sums of increments to an estimate that a local kernel map can take.
#pragma once

#include "dynamics/increment_sums.hpp"
#include "dynamics/torus.hpp"

namespace itomap::detail {

struct FinishOptions {
  double lag = 0.0;
  bool leave_out_poor = false;  ///< queries that see too little have no row, instead of being refused
  const char* remedy = "";      ///< what to do about them; ends a message
};

/// Leaves out or refuses poor queries, repairs A, suggests eta and writes the warnings.
DynamicsEstimate finish_estimate(IncrementSums sums, Points points, const Torus& torus, const FinishOptions& options);

}  // namespace itomap::detail
