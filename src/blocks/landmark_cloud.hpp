// The points of a block as the landmarks near them see them: rows of S or T, kept while the block is at work.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/landmarks/landmark_set.hpp"

namespace itomap::detail {

/// Rows of a block in an order in which neighbours lie close together.
std::vector<std::int32_t> block_order(const Points& places);

class LandmarkCloud {
 public:
  /// Places in the coordinates of the landmarks, one for each row of the block.
  LandmarkCloud(const LandmarkSet& set, const Points& places, const std::vector<std::int32_t>& order);

  Index size() const { return Index(order_.size()); }

  /// sums += C^T x, n numbers.
  void gather(const Vector& x, std::span<double> sums) const;
  /// C U at the rows of the block.
  Block spread(const InFours& u, Index columns) const;
  /// Row i of C.
  Vector row(Index i) const;
  /// Calls body(i, entries) for each row, with its eight entries of a strip, as often as strips come near.
  template <class Body>
  void for_strips(const Body& body) const {
    for (const StripPanel& panel : panels_) {
      for (std::size_t k = 0; k < panel.strips.size(); ++k) {
        for (Index p = 0; p < panel.rows; ++p) {
          body(Index(order_[std::size_t(panel.begin + p)]), panel.strips[k], panel.strip(k) + p * strip_width);
        }
      }
    }
  }

  /// tiles += C^T diag(factors) T; this one is scaled with them. For the symmetric T is C, and factors are not
  /// negative.
  void add_moments(const Vector& factors, double* tiles);
  void add_moments(const Vector& factors, const LandmarkCloud& targets, double* tiles);

 private:
  void scale(const Vector& factors);

  const LandmarkSet& set_;
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> position_;
  std::vector<StripPanel> panels_;
};

}  // namespace itomap::detail
