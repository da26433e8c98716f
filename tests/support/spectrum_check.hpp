// Is a computed spectrum the exact one, within what theory allows?
//
// The error of an eigenvalue has three parts, each relative to the eigenvalue; see docs/theory/convergence.md:
//
//   C epsilon                 bias, with the constant of the problem
//   1.5 sum_i phi_i / q_i     every point sees itself: that share of a row does not move, and as much again is noise
//   1.5 (k / m)^1/2           sampling noise, which splits an eigenvalue of multiplicity k like a random k x k matrix;
//                             three standard deviations or more in all problems here
//
// Controls matter as much: the same budget must be broken by a wrong method, or the test would prove nothing.
#pragma once

#include <Eigen/Core>
#include <string>

#include "itomap/generator/map.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::statistics {

/// Largest |computed - expected| / budget over the pairs; at most 1 if the spectrum is right. Pairs are formed by
/// nearness, because values with equal real parts have no order. Zero is expected first and must be zero.
double worst_share_of_budget(const Map& map, const Spectrum& spectrum, const Eigen::VectorXcd& computed,
                             const Eigen::VectorXcd& expected, double bias_constant);

/// sum_i phi_i / q_i: the share of a row that is the point itself, averaged over the invariant measure.
double self_share(const Map& map, const Spectrum& spectrum);

/// The two lists side by side, for messages.
std::string side_by_side(const Eigen::VectorXcd& computed, const Eigen::VectorXcd& expected);

}  // namespace itomap::statistics
