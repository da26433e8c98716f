#include "kernel/landmarks/centres.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/vector_exp.hpp"
#include "kernel/landmarks/strips.hpp"
#include "neighbors/kd_order.hpp"

namespace itomap::detail {
namespace {

constexpr int lloyd_steps = 5;
constexpr std::uint64_t centre_seed = 20;
constexpr Index rows_at_once = 256;

/// The nearest place to each row, by its number and squared distance; better ones among `strips` replace these.
struct Nearest {
  std::vector<Index> place;
  Vector square;

  explicit Nearest(Index rows)
      : place(std::size_t(rows), 0), square(Vector::Constant(rows, std::numeric_limits<double>::infinity())) {}

  void improve(const Points& sample, const Strips& strips, Index first_place) {
    const StripLoops loops = strip_loops();
    parallel_chunks(sample.rows(), rows_at_once, [&](Index begin, Index end) {
      double u[rows_at_once * strip_width];
      for (Index s = 0; s < strips.count(); ++s) {
        loops.distances(sample.row(begin).data(), sample.cols(), end - begin, strips.strip(s), u);
        for (Index i = begin; i < end; ++i) {
          for (Index k = 0; k < strip_width; ++k) {
            if (const double d = u[(i - begin) * strip_width + k]; d < square[i]) {
              square[i] = d;
              place[std::size_t(i)] = first_place + s * strip_width + k;
            }
          }
        }
      }
    });
  }
};

/// 1 - exp(-D^2), summed up row by row.
Vector cumulative_chances(const Vector& square) {
  Vector chance = square;
  exp_of_negative(chance.data(), chance.size());
  chance = 1.0 - chance.array();
  std::partial_sum(chance.begin(), chance.end(), chance.begin());
  return chance;
}

/// Rows drawn by these chances, each once.
std::vector<Index> drawn_rows(const Vector& cumulative, Index count, RandomStream& random) {
  const double total = cumulative[cumulative.size() - 1];
  std::vector<Index> rows;
  for (Index k = 0; k < count && total > 0.0; ++k) {
    const auto place = std::upper_bound(cumulative.begin(), cumulative.end(), random.uniform() * total);
    rows.push_back(std::min<Index>(place - cumulative.begin(), cumulative.size() - 1));
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Points seeded(const Points& sample, Index count) {
  Points centres(count, sample.cols());
  Index found = 0;
  Nearest nearest(sample.rows());
  RandomStream random(centre_seed + std::uint64_t(count));
  // Draws of one round may coincide or fall on each other's places: more rounds than strips, but not without end.
  const Index rounds = 4 * count / strip_width + 16;
  for (Index round = 0; round < rounds && found < count; ++round) {
    const auto rows =
        drawn_rows(cumulative_chances(nearest.square), std::min<Index>(strip_width, count - found), random);
    if (rows.empty()) {
      break;  // no place is left
    }
    const Points more = sample(rows, Eigen::all);
    centres.middleRows(found, more.rows()) = more;
    nearest.improve(sample, Strips(more), found);
    found += more.rows();
  }
  return centres.topRows(found);
}

/// Each moves to the mean of the rows that it is nearest to; who has none stays.
void lloyd_step(const Points& sample, Points& centres) {
  Nearest nearest(sample.rows());
  nearest.improve(sample, Strips(centres), 0);
  Points sums = Points::Zero(centres.rows(), centres.cols());
  std::vector<Index> members(std::size_t(centres.rows()), 0);
  for (Index i = 0; i < sample.rows(); ++i) {
    const Index c = nearest.place[std::size_t(i)];
    sums.row(c) += sample.row(i);
    ++members[std::size_t(c)];
  }
  for (Index c = 0; c < centres.rows(); ++c) {
    if (members[std::size_t(c)] > 0) {
      centres.row(c) = sums.row(c) / double(members[std::size_t(c)]);
    }
  }
}

}  // namespace

Points cluster_centres(const Points& sample, Index count) {
  Points centres = seeded(sample, count);
  for (int step = 0; step < lloyd_steps; ++step) {
    lloyd_step(sample, centres);
  }
  return in_spatial_order(centres);
}

Points in_spatial_order(const Points& places) {
  std::vector<std::int32_t> order(std::size_t(places.rows()));
  std::iota(order.begin(), order.end(), 0);
  kd_order(places, 0, order);
  return places(order, Eigen::all);
}

}  // namespace itomap::detail
