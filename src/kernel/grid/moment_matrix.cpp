#include "kernel/grid/moment_matrix.hpp"

#include <algorithm>
#include <array>

#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

double entries_of(const NodeBox& box) { return double(box.extent[0]) * double(box.extent[1]) * double(box.extent[2]); }

constexpr std::int32_t nobody = -1;

/// For each source the same point's place among the targets; nobody where the weight is 0.
std::vector<std::int32_t> partners(const SlabCloud& sources, const SlabCloud& targets, const Vector& weights) {
  std::vector<std::int32_t> place(std::size_t(weights.size()), nobody);
  for (Index k = 0; k < targets.size(); ++k) {
    place[std::size_t(targets.row(k))] = std::int32_t(k);
  }
  std::vector<std::int32_t> partner(std::size_t(sources.size()));
  for (Index k = 0; k < sources.size(); ++k) {
    const Index row = sources.row(k);
    partner[std::size_t(k)] = weights[row] != 0.0 ? place[std::size_t(row)] : nobody;
  }
  return partner;
}

/// The first grid point of a point's window, axes that a lower dimension lacks first.
MomentRange::Corner first_node(const SlabCloud& cloud, Index k, int dimension) {
  MomentRange::Corner first{};
  std::copy_n(cloud.places(k).first, dimension, first.begin() + (3 - dimension));
  return first;
}

}  // namespace

MomentRanges::MomentRanges(const GaussGrid& grid)
    : dimension_(grid.dimension()), width_(grid.width()), ranges_(std::size_t(grid.total())) {
  std::copy_n(grid.shape().stored.begin(), dimension_, stored_.begin() + (3 - dimension_));
}

std::array<Index, 3> MomentRanges::widths() const {
  std::array<Index, 3> widths{1, 1, 1};
  std::fill(widths.end() - dimension_, widths.end(), Index(width_));
  return widths;
}

void MomentRanges::add(const SlabCloud& sources, const SlabCloud& targets, const Vector& weights) {
  const auto partner = partners(sources, targets, weights);
  for (Index k = 0; k < sources.size(); ++k) {
    if (partner[std::size_t(k)] != nobody) {
      const auto from = first_node(sources, k, dimension_);
      const auto to = first_node(targets, partner[std::size_t(k)], dimension_);
      ranges_[std::size_t((from[0] * stored_[1] + from[1]) * stored_[2] + from[2])].add(to, to);
    }
  }
}

void MomentRanges::add(std::span<const MomentRange> others) {
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    if (!others[k].empty()) {
      ranges_[k].add(others[k].low, others[k].high);
    }
  }
}

std::vector<MomentRange> MomentRanges::under_windows() const {
  const auto along = widths();
  std::vector<MomentRange> ranges = ranges_;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Index stride = axis == 2 ? 1 : axis == 1 ? stored_[2] : stored_[1] * stored_[2];
    const std::vector<MomentRange> before = ranges;
    for (std::size_t node = 0; node < ranges.size(); ++node) {
      const Index place = Index(node) / stride % stored_[axis];
      for (Index back = 1; back < std::min(along[axis], place + 1); ++back) {
        const MomentRange& other = before[node - std::size_t(back * stride)];
        if (!other.empty()) {
          ranges[node].add(other.low, other.high);
        }
      }
    }
  }
  return ranges;
}

/// Adds the points of two clouds to a matrix.
class MomentBuilder {
 public:
  MomentBuilder(const MomentMatrix& matrix, const Spreader& spreader, const SlabCloud& sources,
                const SlabCloud& targets, const Vector& weights, std::span<double> entries)
      : matrix_(matrix),
        entries_(entries),
        plan_(spreader.plan()),
        sources_(sources),
        targets_(targets),
        weights_(weights),
        partner_(partners(sources, targets, weights)) {}

  void add() const {
    for (const Index parity : {0, 1}) {
      // As in spreading: the windows of every second slab do not overlap.
      parallel_chunks((sources_.slabs() + 1 - parity) / 2, 1,
                      [&](Index begin, Index) { add_slab(2 * begin + parity); });
    }
  }

 private:
  /// Grid points under a window, filled up to whole registers.
  Index window_size() const {
    const Index size = matrix_.widths_[0] * matrix_.widths_[1] * matrix_.widths_[2];
    return (size + 31) / 32 * 32;
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
      matrix_.loops_.windows(plan_, sources_.places(k), 1, &source);
      matrix_.loops_.windows(plan_, targets_.places(partner), 1, &target);
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
      matrix_.loops_.add(plan_, matrix_.lattice_,
                         {group.points, group.sources.data(), group.targets.data(), group.weights.data(), window_size(),
                          scratch.data()},
                         matrix_.boxes_.data(), entries_.data());
    }
    group.points = 0;
  }

  const MomentMatrix& matrix_;
  std::span<double> entries_;
  SpreadPlan plan_;
  const SlabCloud& sources_;
  const SlabCloud& targets_;
  const Vector& weights_;
  std::vector<std::int32_t> partner_;
};

std::unique_ptr<MomentMatrix> MomentMatrix::zero(const GaussGrid& grid, const MomentRanges& ranges,
                                                 double most_entries) {
  std::unique_ptr<MomentMatrix> matrix(new MomentMatrix);
  matrix->widths_ = ranges.widths();
  matrix->lattice_ = {ranges.stored()[1] * ranges.stored()[2], ranges.stored()[2]};
  matrix->loops_ = moment_loops(grid.width());
  const auto under = ranges.under_windows();
  matrix->boxes_.resize(under.size());
  double total = 0.0;
  for (std::size_t node = 0; node < under.size(); ++node) {
    NodeBox& box = matrix->boxes_[node];
    box = {};
    for (std::size_t a = 0; a < 3 && !under[node].empty(); ++a) {
      box.low[a] = under[node].low[a];
      box.extent[a] = under[node].high[a] - under[node].low[a] + std::int32_t(matrix->widths_[a]);
    }
    box.offset = std::ptrdiff_t(std::min(total, 1e18));
    total += entries_of(box);
  }
  if (total > most_entries) {
    return nullptr;
  }
  matrix->entries_.assign(std::size_t(total), 0.0);
  return matrix;
}

std::unique_ptr<const MomentMatrix> MomentMatrix::build(const GaussGrid& grid, const Spreader& spreader,
                                                        const SlabCloud& sources, const SlabCloud& targets,
                                                        const Vector& weights, double most_entries) {
  MomentRanges ranges(grid);
  ranges.add(sources, targets, weights);
  auto matrix = zero(grid, ranges, most_entries);
  if (matrix != nullptr) {
    matrix->add(spreader, sources, targets, weights, matrix->entries_);
  }
  return matrix;
}

void MomentMatrix::add(const Spreader& spreader, const SlabCloud& sources, const SlabCloud& targets,
                       const Vector& weights, std::span<double> entries) const {
  MomentBuilder(*this, spreader, sources, targets, weights, entries).add();
}

void MomentMatrix::apply(const std::complex<double>* x, std::complex<double>* y) const {
  constexpr Index nodes_per_chunk = 1024;
  parallel_chunks(Index(boxes_.size()), nodes_per_chunk, [&](Index begin, Index end) {
    loops_.product(lattice_, boxes_.data(), entries_.data(), reinterpret_cast<const double*>(x), begin, end,
                   reinterpret_cast<double*>(y));
  });
}

}  // namespace itomap::detail
