// A kernel matrix as geometry: everything needed to compute any of its rows.
//
// The points are stored in a spatial order of their own; the operators that use a geometry translate at their border.
// With periodic coordinates all points are first folded into one period, and kernels are summed over images, which add
// up to the wrapped Gaussian. Along an axis that the kernel reaches around, the sum is a factor of each entry
// (images.hpp), if the metric is along the axes; along all others a row is evaluated once for every image of its centre
// that comes near the data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/reporter.hpp"
#include "itomap/kernel/diffusion.hpp"
#include "itomap/kernel/kernel_options.hpp"
#include "kernel/kernel_entry.hpp"
#include "kernel/whitening.hpp"
#include "neighbors/neighbor_search.hpp"

namespace itomap::detail {

/// What a sample of rows, spread evenly over the points, says about a kernel.
struct RowSample {
  double entries = 0.0;  ///< a row, above the cut-off
  /// 2 d log(sum k) / d log(epsilon) of an isotropic kernel: about the dimension of the manifold where the scale is
  /// neither below the spacing of the points nor near the size of the data.
  double dimension = 0.0;
};

/// One row of the kernel: entries in ascending column order, each column once.
struct KernelRow {
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  double log_scale = 0.0;  ///< > 0 for a stranded row: values are exp(log_scale) times the kernel

  // scratch, kept between rows to save allocations
  std::vector<IndexRange> ranges;
  std::vector<double> half_widths;
  std::vector<double> images;
  std::vector<double> wrap;  // period of each axis along which the sum over images is a factor; 0 for the others
  std::vector<std::int32_t> merge_columns;
  std::vector<double> merge_values;
};

class KernelGeometry {
 public:
  /// exp(-|x_i - x_j|^2 / 4 epsilon)
  static KernelGeometry isotropic(PointsView points, double epsilon, const KernelOptions& options);
  /// exp(-|x_i - x_j|^2 (rho_i^-2 + rho_j^-2) / 8 epsilon); isotropic without rho
  static KernelGeometry variable(PointsView points, const Vector& bandwidth, double epsilon,
                                 const KernelOptions& options);
  /// exp(-|x_i + epsilon b_i - x_j|^2_{(A_i + eta I)^-1} / 4 epsilon)
  static KernelGeometry local(PointsView points, PointsView drift, const Diffusion& diffusion, double epsilon,
                              double eta, const KernelOptions& options);
  /// The same with the time step epsilon rho_i^2 in row i; epsilon everywhere without rho
  static KernelGeometry local(PointsView points, PointsView drift, const Diffusion& diffusion, const Vector& bandwidth,
                              double epsilon, double eta, const KernelOptions& options);

  // The search looks at the stored points: they may move with it, but a copy would look at the original's.
  KernelGeometry(KernelGeometry&&) = default;
  KernelGeometry& operator=(KernelGeometry&&) = default;

  Index size() const { return columns_.rows(); }
  Index dimension() const { return columns_.cols(); }
  bool symmetric() const { return symmetric_; }
  /// Entries that depend on the metric of the column too, or on several images, come row by row, not in tiles.
  bool row_by_row() const { return periodic() || variable(); }
  bool variable() const { return column_factors_.size() > 0; }
  /// Whether a bandwidth makes rows wider or narrower, in kernels with and without drift alike.
  bool has_bandwidth() const { return has_bandwidth_; }
  /// order()[k] is the caller's number of the k-th stored point.
  const std::vector<std::int32_t>& order() const { return order_; }
  /// The inverse: where the caller's point is stored.
  Index position(Index point) const { return position_[std::size_t(point)]; }
  std::size_t memory() const;

  bool periodic() const;
  /// The stored points, row by row.
  const Points& points() const { return points_; }
  /// Where the kernel of each row is centred: an Euler step from the point, or the point itself.
  const Points& centres() const { return centres_.size() > 0 ? centres_ : points_; }
  const Whitening& whitening() const { return whitening_; }

  /// All entries >= cut-off of row i; all entries >= cut-off times the largest if none is.
  void row(Index i, KernelRow& row) const;

  /// K 1 in the caller's order; nothing is stored on the way. Several processes share the rows.
  Vector row_sums() const;

  /// Y_k = (K X) at the caller's point rows[k], from the entries of that row alone. X and Y are in the caller's order.
  void row_products(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const;

  /// Y += K_R^T X_R for the caller's points R, from the same entries.
  void add_row_products_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const;

  /// All entries of the rows of the caller's points, in the caller's numbers.
  std::vector<KernelEntry> entries_of(std::span<const Index> points) const;

  /// -log of the largest entry of row i if it is below the cut-off, otherwise 0.
  double stranded_exponent(Index i, KernelRow& scratch) const;

  /// The same for all rows.
  Vector stranded_exponents(Reporter& reporter) const;

  /// Centres of the images of row i that come within the limit of the data, N numbers each; sets half_widths and wrap,
  /// too.
  void images(Index i, double limit, KernelRow& row) const;

  /// Entries times exp(log_scale) of row i for begin <= j < end, 0 below the cut-off, summed over all images. For
  /// metrics along the axes.
  void wrapped_entries(Index i, double log_scale, Index begin, Index end, double* values) const;

  /// Exponents u = -log k of row i, seen from the image centre, for begin <= j < end.
  void exponents(Index i, const double* centre, Index begin, Index end, double* u) const {
    whitening_.squared_distances(i, centre, {columns_.data(), size()}, begin, end, u);
    if (variable()) {
      add_column_metric(i, begin, end, u);
    }
  }

  /// Whether the kernel is exp(-|z_i - z_j|^2) in coordinates z = W x that are the same everywhere, and periods along x
  /// are periods along z.
  bool whitenable() const;
  /// Stored points, and where rows are centred, in those coordinates.
  Points whitened_points() const { return whitening_.whitened(points_); }
  Points whitened_centres() const { return whitening_.whitened(centres_.size() > 0 ? centres_ : points_); }
  /// One number per axis, 0 where it is not periodic; empty if none is.
  std::vector<double> whitened_period() const;

  /// Takes log_scale off exponents, and makes entries below the cut-off vanish.
  void cut_off(double log_scale, Index count, double* u) const;

  /// What a sample of rows says; computed when first asked for, before anything is shared.
  const RowSample& sample() const {
    if (!sample_) {
      sample_ = sampled_rows();
    }
    return *sample_;
  }

  /// The smallest entry that is kept, and -log of it: the largest exponent.
  double cutoff() const { return cutoff_; }
  double limit() const { return limit_; }

 private:
  KernelGeometry() = default;
  static KernelGeometry build(PointsView points, const Points& steps, const Whitening& whitening,
                              const KernelOptions& options);
  RowSample sampled_rows() const;
  RowSample sampled_rows(Index sample) const;
  void fold(Points& points) const;
  void check_images() const;
  void check_steps() const;
  static bool wraps(const KernelRow& row);
  void choose_wraps(Index i, KernelRow& row) const;
  void nearest_exponents(Index i, const double* centre, std::span<const double> wrap, Index begin, Index end,
                         double* u) const;
  /// The factor of all images but the nearest, for the columns given by number.
  template <class Column>
  void multiply_by_images(Index i, std::span<const double> wrap, Index count, const Column& column,
                          double* values) const;
  void multiply_row_images(Index i, KernelRow& row) const;
  double axis_factor(Index i, Index a) const;
  void collect(Index i, double limit, KernelRow& row) const;
  void add_column_metric(Index i, Index begin, Index end, double* u) const;

  Matrix columns_;  // stored points, one coordinate per column, without an offset that all of them have
  Points points_;   // the same row by row, for the search
  Points centres_;  // where Euler steps land; empty for a kernel without drift
  Whitening whitening_;
  Vector column_factors_;  // 1 / 8 epsilon rho^2 of a variable kernel; empty for the others
  std::vector<double> period_;
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> position_;
  std::shared_ptr<const NeighborSearch> search_;
  Vector low_, high_;  // the box of the data
  double cutoff_ = 0.0;
  double limit_ = 0.0;
  bool symmetric_ = false;
  bool has_bandwidth_ = false;
  mutable std::optional<RowSample> sample_;
};

}  // namespace itomap::detail
