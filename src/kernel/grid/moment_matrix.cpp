#include "kernel/grid/moment_matrix.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

double entries_of(const NodeBox& box) { return double(box.extent[0]) * double(box.extent[1]) * double(box.extent[2]); }

/// Where the windows of some points start, along three axes: empty before the first is added.
struct Range {
  std::array<std::int32_t, 3> low;
  std::array<std::int32_t, 3> high;

  Range() {
    low.fill(std::numeric_limits<std::int32_t>::max());
    high.fill(std::numeric_limits<std::int32_t>::min());
  }
  bool empty() const { return low[0] > high[0]; }
  void add(const std::array<std::int32_t, 3>& lowest, const std::array<std::int32_t, 3>& highest) {
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], lowest[a]);
      high[a] = std::max(high[a], highest[a]);
    }
  }
};

}  // namespace

class MomentBuilder {
 public:
  MomentBuilder(const GaussGrid& grid, const Spreader& spreader, const SlabCloud& sources, const SlabCloud& targets,
                const Vector& weights)
      : plan_(spreader.plan()), sources_(sources), targets_(targets), weights_(weights), matrix_(new MomentMatrix) {
    const auto missing = std::size_t(3 - plan_.dimension);
    for (std::size_t a = 0; missing + a < 3; ++a) {
      stored_[missing + a] = grid.shape().stored[a];
      widths_[missing + a] = plan_.width;
    }
    matrix_->lattice_ = {stored_[1] * stored_[2], stored_[2]};
    matrix_->loops_ = moment_loops(grid.width());
    find_partners(weights.size());
  }

  std::unique_ptr<const MomentMatrix> build(double most_entries) {
    if (!set_boxes(most_entries)) {
      return nullptr;
    }
    for (const Index parity : {0, 1}) {
      // As in spreading: the windows of every second slab do not overlap.
      parallel_chunks((sources_.slabs() + 1 - parity) / 2, 1,
                      [&](Index begin, Index) { add_slab(2 * begin + parity); });
    }
    return std::move(matrix_);
  }

 private:
  static constexpr std::int32_t nobody = -1;

  /// For each source the same point's place among the targets.
  void find_partners(Index points) {
    std::vector<std::int32_t> place(std::size_t(points), nobody);
    for (Index k = 0; k < targets_.size(); ++k) {
      place[std::size_t(targets_.row(k))] = std::int32_t(k);
    }
    partner_.resize(std::size_t(sources_.size()));
    for (Index k = 0; k < sources_.size(); ++k) {
      const Index row = sources_.row(k);
      partner_[std::size_t(k)] = weights_[row] != 0.0 ? place[std::size_t(row)] : nobody;
    }
  }

  std::array<std::int32_t, 3> first_node(const SlabCloud& cloud, Index k) const {
    std::array<std::int32_t, 3> first{};
    const auto missing = std::size_t(3 - plan_.dimension);
    std::copy_n(cloud.places(k).first, plan_.dimension, first.begin() + std::ptrdiff_t(missing));
    return first;
  }

  Index number(Index i, Index j, Index k) const { return i * matrix_->lattice_.row + j * matrix_->lattice_.line + k; }

  /// Grid points under a window, filled up to whole registers.
  Index window_size() const {
    const Index size = widths_[0] * widths_[1] * widths_[2];
    return (size + 31) / 32 * 32;
  }

  /// For each grid point the windows of the targets whose sources' windows start there.
  std::vector<Range> target_ranges() const {
    std::vector<Range> ranges(std::size_t(stored_[0] * stored_[1] * stored_[2]));
    for (Index k = 0; k < sources_.size(); ++k) {
      if (partner_[std::size_t(k)] != nobody) {
        const auto from = first_node(sources_, k);
        const auto to = first_node(targets_, partner_[std::size_t(k)]);
        ranges[std::size_t(number(from[0], from[1], from[2]))].add(to, to);
      }
    }
    return ranges;
  }

  /// Spreads the ranges along one axis: a window that starts at a grid point touches it and those behind it.
  void widen(std::vector<Range>& ranges, std::size_t axis) const {
    const Index stride = axis == 2 ? 1 : axis == 1 ? stored_[2] : stored_[1] * stored_[2];
    const std::vector<Range> before = ranges;
    for (std::size_t node = 0; node < ranges.size(); ++node) {
      const Index along = Index(node) / stride % stored_[axis];
      for (Index back = 1; back < std::min(widths_[axis], along + 1); ++back) {
        const Range& other = before[node - std::size_t(back * stride)];
        if (!other.empty()) {
          ranges[node].add(other.low, other.high);
        }
      }
    }
  }

  bool set_boxes(double most_entries) {
    auto ranges = target_ranges();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      widen(ranges, axis);
    }
    auto& boxes = matrix_->boxes_;
    boxes.resize(ranges.size());
    double total = 0.0;
    for (std::size_t node = 0; node < ranges.size(); ++node) {
      NodeBox& box = boxes[node];
      box = {};
      for (std::size_t a = 0; a < 3 && !ranges[node].empty(); ++a) {
        box.low[a] = ranges[node].low[a];
        box.extent[a] = ranges[node].high[a] - ranges[node].low[a] + std::int32_t(widths_[a]);
      }
      box.offset = std::ptrdiff_t(std::min(total, 1e18));
      total += entries_of(box);
    }
    if (total > most_entries) {
      return false;
    }
    matrix_->entries_.assign(std::size_t(total), 0.0);
    return true;
  }

  /// Points of a slab lie in the order of their cells: those of one cell follow each other, and are added together as
  /// long as their targets share one as well.
  void add_slab(Index slab) const {
    AlignedVector scratch(std::size_t(2 * MomentGroup::most * window_size()));
    Group group;
    for (Index k = sources_.begin(slab); k < sources_.end(slab); ++k) {
      const auto partner = partner_[std::size_t(k)];
      if (partner == nobody) {
        continue;
      }
      PointWindows source;
      PointWindows target;
      matrix_->loops_.windows(plan_, sources_.places(k), 1, &source);
      matrix_->loops_.windows(plan_, targets_.places(partner), 1, &target);
      if (!group.takes(source, target)) {
        add(group, scratch);
      }
      group.push(source, target, weights_[sources_.row(k)]);
    }
    add(group, scratch);
  }

  struct Group {
    int points = 0;
    std::array<PointWindows, MomentGroup::most> sources;
    std::array<PointWindows, MomentGroup::most> targets;
    std::array<double, MomentGroup::most> weights;

    bool takes(const PointWindows& source, const PointWindows& target) const {
      return points == 0 || (points < MomentGroup::most && std::ranges::equal(source.first, sources[0].first) &&
                             std::ranges::equal(target.first, targets[0].first));
    }
    void push(const PointWindows& source, const PointWindows& target, double weight) {
      const auto k = std::size_t(points++);
      sources[k] = source;
      targets[k] = target;
      weights[k] = weight;
    }
  };

  void add(Group& group, AlignedVector& scratch) const {
    if (group.points > 0) {
      matrix_->loops_.add(plan_, matrix_->lattice_,
                          {group.points, group.sources.data(), group.targets.data(), group.weights.data(),
                           window_size(), scratch.data()},
                          matrix_->boxes_.data(), matrix_->entries_.data());
    }
    group.points = 0;
  }

  SpreadPlan plan_;
  const SlabCloud& sources_;
  const SlabCloud& targets_;
  const Vector& weights_;
  std::unique_ptr<MomentMatrix> matrix_;
  std::array<Index, 3> stored_{1, 1, 1};
  std::array<Index, 3> widths_{1, 1, 1};
  std::vector<std::int32_t> partner_;
};

std::unique_ptr<const MomentMatrix> MomentMatrix::build(const GaussGrid& grid, const Spreader& spreader,
                                                        const SlabCloud& sources, const SlabCloud& targets,
                                                        const Vector& weights, double most_entries) {
  return MomentBuilder(grid, spreader, sources, targets, weights).build(most_entries);
}

void MomentMatrix::apply(const std::complex<double>* x, std::complex<double>* y) const {
  constexpr Index nodes_per_chunk = 1024;
  parallel_chunks(Index(boxes_.size()), nodes_per_chunk, [&](Index begin, Index end) {
    loops_.product(lattice_, boxes_.data(), entries_.data(), reinterpret_cast<const double*>(x), begin, end,
                   reinterpret_cast<double*>(y));
  });
}

}  // namespace itomap::detail
