// Points in blocks between landmarks: in any dimension.
//
//   choice            landmarks and their error, from a sample of the rows; the first process chooses
//   pass 1  sums      S^T 1, so that q = S K_zz^-1 S^T 1 is known; the largest log pi
//   pass 2  outliers  points that landmarks do not see well: they become landmarks, and sums are made once more
//   pass 3  weights   S^T d, so that K d = T K_zz^-1 S^T d is known; which components the points join
//   pass 4  moments   M = S^T diag(d / K d) T, and sums of the invariant measure
//
// The kernel is that of kernel/landmarks, between other places: in memory landmarks come from a sample that is even in
// space, here from one that is even in the file.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "blocks/block_kernel.hpp"
#include "blocks/landmark_cloud.hpp"
#include "kernel/landmarks/landmark_error.hpp"

namespace itomap::detail {

class LandmarkBlocks final : public BlockKernel {
 public:
  /// Runs the passes. Throws NotInBlocks as soon as one shows that it has to be.
  LandmarkBlocks(const BlockInput& input, const BlockPasses& passes);

  KernelPlan plan() const override;
  std::unique_ptr<const BlockData> read(const BlockRange& block) const override;
  BlockWeights weights(const BlockData& data) const override;
  bool lost(const BlockWeights& w, Index i) const override;
  LinearOperator condensed(bool transposed) const override;
  std::unique_ptr<const NodeFields> fields(PointsView u) const override;
  Block gathered(const BlockData& data, BlockSide side, const NodeFields& fields) const override;

 protected:
  bool left_out(const BlockWeights& w, Index i) const override;

 private:
  struct Clouds;
  struct Fields;
  /// Landmarks of one kernel, and what is known of its sums.
  struct Basis {
    const KernelFrame& frame;
    LandmarkSet set;
    LandmarkError error{};
    Index components = 1;         ///< of the landmarks alone
    std::vector<Index> labels{};  ///< which of them each landmark is in
    Vector ones{};                ///< K_zz^-1 S^T 1

    std::size_t joints() const { return components > 1 ? std::size_t(components * components) : 0; }
  };
  struct Outliers;

  void choose();
  std::unique_ptr<Basis> chosen(const KernelFrame& frame, bool moved);
  static void take_places(Basis& basis, const Points& places);
  std::vector<Basis*> bases() const;
  const Basis& density() const { return density_ ? *density_ : *kernel_; }
  std::unique_ptr<Clouds> clouds(const BlockRange& block, bool with_targets) const;

  void sum_ones(const std::string& pass);
  bool find_outliers();
  void add_outliers(const Clouds& data, Vector& numbers) const;
  void count_joints(const Basis& basis, const Clouds& data, std::span<double> joints) const;
  static void check_joints(const Basis& basis, std::span<const double> joints);
  void sum_weights();
  void sum_moments();
  void check_memory() const;

  std::unique_ptr<Basis> kernel_;
  std::unique_ptr<Basis> density_;          // none where it is the same
  std::unique_ptr<InFours> density_field_;  // of q, and K d of a reversible map
  std::unique_ptr<InFours> row_field_;      // K d and K 1 of LKDmap
  double lost_below_ = 0.0;
  Matrix matrix_;  // R L
};

}  // namespace itomap::detail
