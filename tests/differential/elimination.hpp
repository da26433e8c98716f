// Stationary weights and hitting problems of a Markov chain by elimination without subtractions (Grassmann, Taksar and
// Heyman): every number is right to a few units in its last place relative to itself, however rare the passages.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::differential {

/// Sets of states that the chain cannot leave and can go round in; entries that are not positive are no steps.
std::vector<std::vector<Index>> closed_classes(const Matrix& markov);

/// pi P = pi, summing to 1, for a chain with a single closed class; zero outside of it.
Vector stationary_weights(const Matrix& markov, const std::vector<Index>& closed_class);

/// The least x >= 0 with x_i = sum_j P_ij x_j + b_i at the points inside and 0 elsewhere: infinite where a positive b
/// is met for ever.
Vector hitting_solution(const Matrix& markov, const std::vector<Index>& inside, const Vector& b);

}  // namespace itomap::differential
