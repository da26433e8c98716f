// A whole map from its definition, by the reference: variable bandwidth, cut-off graph, dropped points, traps.
//
// What the library chooses by itself, a scale or a dimension, is given here: the reference says what follows from it.
#pragma once

#include <vector>

#include "itomap/generator/map_definition.hpp"
#include "support/reference.hpp"

namespace itomap::reference {

/// What a definition may leave open.
struct Choices {
  double epsilon = 0.0;
  double density_epsilon = 0.0;         ///< local kernels
  Index bandwidth_dimension = 0;        ///< d in rho^d
  std::vector<Index> emptied_points{};  ///< local kernels: points that are not entered, as positions in `kept`
  std::vector<Index> still_points{};    ///< those of them that are not left either
  bool cut = false;                     ///< leave out all that is below the cut-off, as the sparse engine does
};

/// The graph of all entries of at least the cut-off; where a row has none, times the largest of the row.
struct Graph {
  std::vector<Index> component;  ///< weakly connected, numbered by first point
  Index components = 0;
  std::vector<Index> isolated;  ///< rows that hold no other point, stranded ones included
  std::vector<Index> stranded;  ///< rows whose entries are all below the cut-off
  double mean_neighbours = 0.0;
  double closest_call = 0.0;  ///< least |u - limit| over all entries exp(-u): nearer ones are a matter of rounding
};
Graph cutoff_graph(const Matrix& exponents, double cutoff);

struct WholeMap {
  std::vector<Index> kept;  ///< rows of the user's data that are not dropped, ascending
  LogKernel kernel;         ///< on these
  Matrix log_kernel;        ///< log K, cut or whole
  Graph graph;
  Vector bandwidth;       ///< rho; empty if fixed
  Vector pace;            ///< (min rho / rho)^2, 0 at still points; empty if 1 everywhere
  Vector log_density;     ///< log q, also for the biased kernel
  Matrix density_kernel;  ///< log of the kernel whose row sums, over rho^d, are q
  Vector log_weights;     ///< log d, at most 0; -infinity at emptied points
  Vector log_row_sums;    ///< log K d
  Matrix markov;          ///< P, lazy where the bandwidth varies
};

WholeMap whole_map(const MapDefinition& definition, const Choices& choices);

}  // namespace itomap::reference
