// The study of n-butane: what is computed from its two runs, before anything is drawn or judged.
//
// One length says what is resolved (molecule_map.hpp). Time scales depend on it, and nothing in the data tells it: it
// is chosen on the first run, by t_1 of a Markov state model of that run, and everything else is about the second. What
// comes out without a length, by the rules of the program alone, is computed beside. docs/how-to/butane.md has the
// rest.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "itomap/analysis/cluster.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "reproduce/dihedral.hpp"
#include "reproduce/example.hpp"
#include "reproduce/markov_model.hpp"
#include "reproduce/molecule_map.hpp"

namespace itomap::reproduce::molecule {

constexpr double dt = 0.05;                                     // ps between frames
constexpr double paper_radius = 0.01;                           // nm
constexpr std::array lengths{0.005, 0.007, 0.01, 0.014, 0.02};  // nm, to choose from
constexpr Index sets = 3;
constexpr std::size_t shown_modes = 4;
constexpr Index harmonics = 8;  // of a smooth function of the angle: features down to 360 / 16 degrees
constexpr Index angle_states = 36;
constexpr double model_lag = 5;  // ps, from where the implied time scales are level

constexpr std::size_t choosing = 0, judged = 1;  // which run

/// A figure and its standard error.
struct Estimate {
  double value = NAN, error = NAN;
};

struct Analysis {
  std::vector<Points> runs;                             // aligned; frames of both
  std::vector<std::array<Conformations, 2>> by_length;  // of both runs
  double length = NAN;
  DynamicsEstimate estimate;  // of the run that is judged, as all that follows
  std::optional<Map> map;
  Spectrum spectrum;
  std::array<Index, shown_modes> modes{};  // of the spectrum, slowest first
  Clustering clustering;
  Vector angles;                                  // of the points
  std::array<AngleFit, 2> fits;                   // of psi_1 and psi_2
  std::vector<States> states;                     // of all frames of each run, for the Markov state model
  std::array<Estimate, 2> times, model, squares;  // t_1 and t_2 of LKDmap, the model, and least squares
  Estimate anti, share_anti;                      // weight of anti in the map, and its share of the trajectory
  Conformations by_rule;                          // without a length
  double heated_anti = NAN;                       // what heating makes of the trajectory's shares
  Conformations not_heated;                       // with the drift that keeps the molecule's own equilibrium
  std::array<double, sets> set_angle{};  // middle of the dihedral bin that most points of the set are in: 60, 180, 300
};

/// Reads the runs from the example's data.
Analysis analyse(const Context& context);

/// The dihedral bin that an angle is in, by its middle: 60, 180 or 300.
double bin_middle(double angle);

/// Share of the points whose set is that of their dihedral bin.
double agreement(const Analysis& a);

/// In ps, slowest first.
Vector model_timescales(const std::vector<States>& states, double model_lag_ps, Index count);

}  // namespace itomap::reproduce::molecule
