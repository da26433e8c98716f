#include "kernel/landmarks/landmark_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "itomap/core/error.hpp"
#include "kernel/graph_builder.hpp"
#include "kernel/landmarks/centres.hpp"
#include "kernel/landmarks/condensed_landmarks.hpp"
#include "kernel/landmarks/landmark_choice.hpp"

namespace itomap::detail {
namespace {

/// The most entries that are computed one by one, of the rows of a local kernel that sum to next to nothing.
constexpr double most_exact_entries = 4e6;

constexpr Index unseen_label = -1;

/// Labels of landmarks that a point of the panel sees: the first, and others if there are.
template <class Found>
Index first_label(const StripPanel& panel, Index p, const std::vector<Index>& component, bool only_one,
                  const Found& found_another) {
  Index label = unseen_label;
  for (std::size_t k = 0; k < panel.strips.size(); ++k) {
    const double* entries = panel.strip(k) + p * strip_width;
    for (Index c = 0; c < strip_width; ++c) {
      if (entries[c] <= 0.0) {
        continue;
      }
      const Index mine = component[std::size_t(panel.strips[k] * strip_width + c)];
      if (label == unseen_label) {
        label = mine;
        if (only_one) {
          return label;
        }
      } else if (mine != label) {
        found_another(label, mine);
      }
    }
  }
  return label;
}

Index different(std::vector<Index> labels) {
  std::sort(labels.begin(), labels.end());
  return std::unique(labels.begin(), labels.end()) - labels.begin();
}

[[noreturn]] void refuse_unseen(Index landmarks, Index point) {
  throw InvalidArgument(fmt::format(
      "landmarks: too many points are seen by none of {}, like point {}; raise epsilon, take more landmarks, "
      "or another engine",
      landmarks, point));
}

}  // namespace

const char* LandmarkOperator::unsuited(const KernelGeometry& geometry) {
  if (geometry.periodic()) {
    return "landmarks does not know periodic coordinates; give cosine and sine of an angle instead";
  }
  if (geometry.has_bandwidth()) {
    return "landmarks needs the same kernel width everywhere, but the bandwidth varies it";
  }
  return nullptr;
}

double LandmarkOperator::predicted_bytes(const KernelGeometry& geometry, Index landmarks) {
  const double n = double(std::min(landmarks > 0 ? landmarks : most_landmarks, geometry.size()));
  return double(geometry.memory()) + n * (n + 3.0 * double(geometry.dimension())) * sizeof(double);
}

LandmarkOperator::LandmarkOperator(KernelGeometry geometry, Index landmarks, double tolerance) {
  kernel_ = std::make_shared<LandmarkKernel>(std::move(geometry));
  error_ = choose_landmarks(*kernel_, landmarks, tolerance);
  join_components(*kernel_);
  kernel_->factorise();
  if (kernel_->landmarks() < size()) {
    add_outliers(*kernel_);
  }
  if (!symmetric()) {
    find_weak_rows();
  }
}

void LandmarkOperator::join_components(LandmarkKernel& kernel) {
  const auto& component = kernel.landmark_component();
  const bool only_one = different(component) == 1;
  std::mutex mutex;
  UnionFind sets(kernel.landmarks());
  for (Index l = 0; l < kernel.landmarks(); ++l) {
    sets.unite(l, component[std::size_t(l)]);
  }
  const auto unite = [&](Index a, Index b) {
    const std::lock_guard lock(mutex);
    sets.unite(a, b);
  };
  const auto label_points = [&](KernelSide side, std::vector<Index>& labels) {
    labels.resize(std::size_t(size()));
    kernel.for_panels(side, [&](const StripPanel& panel) {
      for (Index p = 0; p < panel.rows; ++p) {
        labels[std::size_t(panel.begin + p)] = first_label(panel, p, component, only_one, unite);
      }
    });
  };
  label_points(KernelSide::Sources, seen_as_source_);
  if (!symmetric()) {
    label_points(KernelSide::Targets, seen_as_target_);
  }
  std::vector<Index> joined(component.size());
  for (std::size_t l = 0; l < joined.size(); ++l) {
    joined[l] = sets.root(component[l]);
  }
  for (auto* labels : {&seen_as_source_, &seen_as_target_}) {
    for (Index& label : *labels) {
      label = label == unseen_label ? label : sets.root(label);
    }
  }
  kernel.set_components(std::move(joined));
}

void LandmarkOperator::add_outliers(LandmarkKernel& kernel) {
  Block sums(size(), 1);
  kernel.spread(KernelSide::Sources, kernel.solved(kernel.gather(KernelSide::Sources, Block::Ones(size(), 1))), sums);
  std::vector<Index> doubtful;
  for (Index i = 0; i < size(); ++i) {
    if (sums(i, 0) < doubtful_sum) {
      doubtful.push_back(i);
    }
  }
  const Index room = most_outliers(kernel.landmarks());
  const auto fewest_first = [&](Index i, Index j) {
    return sums(i, 0) != sums(j, 0) ? sums(i, 0) < sums(j, 0) : i < j;
  };
  const Index looked_at = std::min(Index(doubtful.size()), 4 * room);
  std::partial_sort(doubtful.begin(), doubtful.begin() + looked_at, doubtful.end(), fewest_first);
  std::vector<Index> own;
  for (Index k = 0; k < Index(doubtful.size()); ++k) {
    const Index i = doubtful[std::size_t(k)];
    if (k < looked_at && Index(own.size()) < room) {
      const Vector seen = kernel.whitened(kernel.row(KernelSide::Sources, kernel.geometry().position(i)));
      if (lacks_too_much(sums(i, 0), seen)) {
        own.push_back(kernel.geometry().position(i));
      }
    } else if (sums(i, 0) < weakest_sum) {
      refuse_unseen(kernel.landmarks(), i);
    }
  }
  if (own.empty()) {
    return;
  }
  std::sort(own.begin(), own.end());
  Points places(kernel.landmarks() + Index(own.size()), kernel.geometry().dimension());
  places << kernel.landmark_places(), kernel.places(own);
  kernel.set_landmarks(in_spatial_order(places));
  join_components(kernel);
  kernel.factorise();
}

void LandmarkOperator::find_weak_rows() {
  Block sums(size(), 1);
  apply(Block::Ones(size(), 1), sums);
  const KernelGeometry& g = kernel_->geometry();
  std::vector<Index> weak;
  for (Index i = 0; i < size(); ++i) {
    if (sums(i, 0) < weakest_sum) {
      weak.push_back(i);
    }
  }
  const auto most = Index(most_exact_entries / std::max(1.0, g.sample().entries));
  if (Index(weak.size()) > most) {
    std::partial_sort(weak.begin(), weak.begin() + most, weak.end(),
                      [&](Index i, Index j) { return sums(i, 0) != sums(j, 0) ? sums(i, 0) < sums(j, 0) : i < j; });
    weak.resize(std::size_t(most));
    std::sort(weak.begin(), weak.end());
  }
  exact_rows_ = std::move(weak);
  entries_ = kernel_->geometry().entries_of(exact_rows_);
}

void LandmarkOperator::apply(PointsView x, Eigen::Ref<Block> y) const {
  kernel_->spread(KernelSide::Targets, kernel_->solved(kernel_->gather(KernelSide::Sources, x)), y);
  for (const Index i : exact_rows_) {
    y.row(i).setZero();
  }
  for (const KernelEntry& e : entries_) {
    y.row(e.row) += e.value * x.row(e.column);
  }
}

void LandmarkOperator::apply_transpose(PointsView x, Eigen::Ref<Block> y) const {
  if (symmetric()) {
    apply(x, y);
    return;
  }
  Block interpolated = x;
  interpolated(exact_rows_, Eigen::all).setZero();
  kernel_->spread(KernelSide::Sources, kernel_->solved(kernel_->gather(KernelSide::Targets, interpolated)), y);
  for (const KernelEntry& e : entries_) {
    y.row(e.column) += e.value * x.row(e.row);
  }
}

void LandmarkOperator::apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  kernel_->geometry().row_products(rows, x, y);
}

void LandmarkOperator::add_rows_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  kernel_->geometry().add_row_products_transpose(rows, x, y);
}

std::size_t LandmarkOperator::memory() const {
  return kernel_->memory() + entries_.size() * sizeof(KernelEntry) +
         (seen_as_source_.size() + seen_as_target_.size()) * sizeof(Index);
}

KernelGraph LandmarkOperator::graph() const {
  const KernelGeometry& g = kernel_->geometry();
  // Points, then landmarks; a point that sees landmarks is in their component.
  UnionFind sets(size() + kernel_->landmarks());
  const auto& component = kernel_->landmark_component();
  for (Index l = 0; l < kernel_->landmarks(); ++l) {
    sets.unite(size() + l, size() + component[std::size_t(l)]);
  }
  for (Index i = 0; i < size(); ++i) {
    const Index point = g.order()[std::size_t(i)];
    for (const auto* labels : {&seen_as_source_, &seen_as_target_}) {
      if (!labels->empty() && (*labels)[std::size_t(i)] != unseen_label) {
        sets.unite(point, size() + (*labels)[std::size_t(i)]);
      }
    }
  }
  for (const KernelEntry& e : entries_) {
    sets.unite(e.row, e.column);
  }
  KernelGraph graph;
  graph.mean_neighbours = g.sample().entries;
  graph.component.resize(std::size_t(size()));
  std::vector<Index> label(std::size_t(size() + kernel_->landmarks()), unseen_label);
  std::vector<Index> members;
  for (Index i = 0; i < size(); ++i) {
    Index& mine = label[std::size_t(sets.root(i))];
    if (mine == unseen_label) {
      mine = graph.components++;
      members.push_back(0);
    }
    graph.component[std::size_t(i)] = mine;
    ++members[std::size_t(mine)];
  }
  for (Index i = 0; i < size(); ++i) {
    if (members[std::size_t(graph.component[std::size_t(i)])] == 1) {
      graph.isolated.push_back(i);
    }
  }
  if (!symmetric()) {
    Reporter reporter("neighbours");
    const Vector exponents = g.stranded_exponents(reporter);
    for (Index i = 0; i < size(); ++i) {
      if (exponents[g.position(i)] > 0.0) {
        graph.stranded.push_back(i);
      }
    }
  }
  return graph;
}

std::shared_ptr<const CondensedOperator> LandmarkOperator::condensed(const Vector& left, const Vector& right,
                                                                     std::span<const Index> exact) const {
  std::vector<Index> rows = exact_rows_;
  rows.insert(rows.end(), exact.begin(), exact.end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const KernelGeometry& g = kernel_->geometry();
  if (2 * (kernel_->landmarks() + Index(rows.size())) > size() ||
      double(rows.size()) * g.sample().entries > 2.0 * most_exact_entries) {
    return nullptr;
  }
  auto entries = rows == exact_rows_ ? entries_ : g.entries_of(rows);
  return std::make_shared<const CondensedLandmarks>(kernel_, left, right, std::move(rows), std::move(entries));
}

}  // namespace itomap::detail
