// How far the library's numbers may be from the reference's.
//
// Entries below the cut-off are left out by the sparse engine; the others may keep them, or be wrong by as much, and so
// may rows that they would dominate. Beyond that only rounding counts: of coordinates, whose differences make the
// exponents, and of exponents.
#pragma once

#include "differential/problem.hpp"
#include "support/reference_map.hpp"

namespace itomap::differential {

/// The reference of the problem, with the scales and emptied points of the library's map.
reference::WholeMap reference_of(const Problem& problem, const Map& map);

class Tolerances {
 public:
  /// Keeps references to all three.
  Tolerances(const Problem& problem, const Map& map, const reference::WholeMap& whole);

  /// Of an exponent u.
  double exponent(double u) const;
  /// Relative, of the kernel sums q.
  Vector density() const;
  /// Of the logarithm of the weights, up to a common constant.
  Vector log_weights() const;
  /// Of the entries of P; infinite in rows where what is below the cut-off outweighs the rest.
  Matrix markov() const;
  /// Whether some entry is so close to the cut-off that the graph is a matter of rounding.
  bool tie() const;

 private:
  void set_coordinate_rounding();
  double images(double squared_width) const;
  double engine_factor() const;

  const Problem& problem_;
  const Map& map_;
  const reference::WholeMap& whole_;
  double limit_;        // the largest exponent within the cut-off
  double entry_ = 0.0;  // error of an entry of K, relative to the largest of its row if that is below the cut-off
  double density_entry_ = 0.0;   // the same for the kernel of the density
  double relative_ = 0.0;        // of entries, beyond their exponents'
  double coordinate_ = 0.0;      // rounding of coordinates in units of the kernel's width
  double condition_ = 1.0;       // largest of A
  double largest_spread_ = 1.0;  // largest eigenvalue of A
};

}  // namespace itomap::differential
