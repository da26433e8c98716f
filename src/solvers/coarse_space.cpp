#include "solvers/coarse_space.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "core/scaled_rows.hpp"

namespace itomap::detail {

/// A at one bump: values at the places that it reaches.
struct CoarseSpace::Image {
  std::vector<PlaceValue> values;
};

namespace {

/// Fewer unknowns are better served by Krylov spaces.
constexpr Index fewest_unknowns = 2000;
/// Bumps: as many as a sparse problem of that size is worth, where they cover a surface; a dense one, where they fill
/// space and each meets many others; and no fewer than make a useful space.
constexpr Index most_bumps = 4000;
constexpr Index most_crowded_bumps = 900;
constexpr double crowded = 16.0;  // bumps at a place: 11 on a surface
constexpr Index fewest_bumps = 300;
/// Spacing of the landmarks in lengths of a step: closer ones save products and cost longer solves. This one took the
/// fewest seconds on a double gyre; eigenpairs do not depend on it. With more than `widest` the waves that neither the
/// bumps hold nor the steps damp are too many.
constexpr double ideal_spacing = 1.5;
constexpr double widest_spacing = 4.0;
/// Beyond a bump's edge its image is next to nothing after so many lengths of a step.
constexpr double image_margin = 1.5;
/// Vectors in a product.
constexpr Index wide_block = 16;

std::vector<Index> members_of(const Places& places) {
  const double smallest_right = 1e-5 * places.right.cwiseAbs().maxCoeff();
  const double smallest_left = 1e-12 * places.left.cwiseAbs().maxCoeff();
  std::vector<Index> members;
  for (Index i = 0; i < places.right.size(); ++i) {
    if (places.right[i] > smallest_right && places.left[i] > smallest_left) {
      members.push_back(i);
    }
  }
  return members;
}

/// Where a step ends on average, and how long it is, without the mean.
struct Steps {
  Points centre;
  double length = 0.0;
};

Steps steps_of(const LinearOperator& a, const Places& places, const std::vector<Index>& members) {
  const Index n = places.position.cols();
  const Eigen::RowVectorXd middle = places.position.colwise().mean();
  Block x(places.position.rows(), n + 2);
  x.col(0).setOnes();
  x.middleCols(1, n) = places.position.rowwise() - middle;
  x.col(n + 1) = x.middleCols(1, n).rowwise().squaredNorm();
  const Block moments = a.apply(scaled_rows(places.right, x));
  Steps steps{places.position, 0.0};
  std::vector<double> squares;
  for (const Index i : members) {
    if (moments(i, 0) > 0.0) {
      const Eigen::RowVectorXd mean = moments.row(i).segment(1, n) / moments(i, 0);
      steps.centre.row(i) = mean + middle;
      squares.push_back(std::max(moments(i, n + 1) / moments(i, 0) - mean.squaredNorm(), 0.0));
    }
  }
  if (!squares.empty()) {
    const auto median = squares.begin() + std::ptrdiff_t(squares.size() / 2);
    std::nth_element(squares.begin(), median, squares.end());
    steps.length = std::sqrt(*median);
  }
  return steps;
}

bool too_many(const Bumps& bumps, const std::vector<Index>& members) {
  double meetings = 0.0;
  for (const Index i : members) {
    meetings += double(bumps.at(i).size());
  }
  return bumps.count() > most_crowded_bumps && meetings > crowded * double(members.size());
}

/// Bumps as wide as the steps ask for, but no fewer and no more than is good; none if that is too far apart.
std::optional<Bumps> fitting_bumps(const Places& places, const std::vector<Index>& members, double step) {
  double spacing = ideal_spacing * step;
  Bumps bumps(places.position, members, spacing, most_bumps);
  while ((bumps.count() == 0 || too_many(bumps, members)) && spacing < widest_spacing * step) {
    spacing *= 1.15;
    bumps = Bumps(places.position, members, spacing, most_bumps);
  }
  if (bumps.count() > 0 && too_many(bumps, members)) {
    return std::nullopt;
  }
  while (bumps.count() > 0 && bumps.count() < fewest_bumps && Index(members.size()) > 10 * fewest_bumps) {
    spacing *= 0.85;
    Bumps more(places.position, members, spacing, most_bumps);
    if (more.count() <= bumps.count()) {
      break;
    }
    bumps = std::move(more);
  }
  return bumps.count() > 0 ? std::optional(std::move(bumps)) : std::nullopt;
}

/// Groups of landmarks of which no two are nearer than `apart`.
std::vector<std::vector<Index>> groups_of(const Points& landmarks, double apart) {
  const Index n = landmarks.rows();
  std::vector<std::vector<Index>> groups;
  for (Index l = 0; l < n; ++l) {
    const auto fits = [&](const std::vector<Index>& group) {
      return std::none_of(group.begin(), group.end(),
                          [&](Index k) { return (landmarks.row(k) - landmarks.row(l)).squaredNorm() < apart * apart; });
    };
    const auto found = std::find_if(groups.begin(), groups.end(), fits);
    if (found == groups.end()) {
      groups.push_back({l});
    } else {
      found->push_back(l);
    }
  }
  return groups;
}

/// Landmarks of a group share a vector.
Block group_vectors(const Bumps& bumps, const Vector& right, const std::vector<std::vector<Index>>& groups, Index first,
                    Index count) {
  Matrix chosen = Matrix::Zero(bumps.count(), count);
  for (Index g = 0; g < count; ++g) {
    for (const Index l : groups[std::size_t(first + g)]) {
      chosen(l, g) = 1.0;
    }
  }
  Block x = bumps.expand(chosen);
  scale_rows(right, x);
  return x;
}

/// T: what the bumps see of the images, weighted.
template <class Images>
SparseMatrix seen(const Bumps& bumps, const Vector& weights, const Images& images) {
  return bumps.seen([&](Index l) -> const std::vector<PlaceValue>& { return images[std::size_t(l)].values; }, weights);
}

/// The positive vector that T leaves alone, seen by the mass matrix: y^T T = y^T M, next to 1. Nothing if there is
/// none.
Vector stationary_factors(const SparseMatrix& t, const SparseMatrix& mass) {
  const auto factor = SparseFactor::general(SparseMatrix(coarse_shift * mass - t).transpose());
  if (!factor) {
    return {};
  }
  Vector y = Vector::Ones(mass.rows());
  for (int again = 0; again < 2; ++again) {
    y = factor->solved(mass * y);
    y *= double(y.size()) / y.sum();
  }
  return y;
}

}  // namespace

std::shared_ptr<const CoarseSpace> CoarseSpace::build(const LinearOperator& a, const LinearOperator& transpose,
                                                      const Places& places, Index wanted) {
  const auto members = members_of(places);
  if (Index(members.size()) < fewest_unknowns || !places.position.allFinite()) {
    return nullptr;
  }
  const Steps steps = steps_of(a, places, members);
  auto bumps = steps.length > 0.0 ? fitting_bumps(places, members, steps.length) : std::nullopt;
  if (!bumps || bumps->count() < 8 * wanted) {
    return nullptr;
  }
  const double reach = 2.0 * bumps->spacing() + image_margin * steps.length;
  const Points landmarks = places.position(bumps->landmarks(), Eigen::all);
  const auto groups = groups_of(landmarks, 2.0 * reach);
  if (4 * Index(groups.size()) > bumps->count()) {
    return nullptr;  // no two bumps are far apart
  }
  const PlaceSearch ends(steps.centre, members, reach);
  std::vector<Image> images(std::size_t(bumps->count()));
  for (Index first = 0; first < Index(groups.size()); first += wide_block) {
    const Index count = std::min(wide_block, Index(groups.size()) - first);
    const Block y = a.apply(group_vectors(*bumps, places.right, groups, first, count));
    parallel_chunks(count, 1, [&](Index begin, Index end) {
      std::vector<IndexRange> scratch;
      for (Index g = begin; g < end; ++g) {
        for (const Index l : groups[std::size_t(first + g)]) {
          ends.within(landmarks.row(l).data(), reach, scratch, [&](Index i, double) {
            images[std::size_t(l)].values.push_back({std::int32_t(i), y(i, g)});
          });
        }
      }
    });
  }
  const std::shared_ptr<CoarseSpace> space(new CoarseSpace(places, std::move(*bumps)));
  space->sharpen_left(images, transpose);
  return space->set_matrices(images, wanted) ? space : nullptr;
}

/// Left vectors are the stationary weights times something smooth: these are found by steps that make them smooth, and
/// a coarse problem for what is smooth, in turn.
void CoarseSpace::sharpen_left(const std::vector<Image>& images, const LinearOperator& transpose) {
  constexpr int rounds = 2;
  constexpr int steps = 3;
  for (int round = 0; round < rounds; ++round) {
    Block phi = places_.left;
    for (int step = 0; step < steps; ++step) {
      phi = transpose.apply(phi).cwiseMax(0.0);
    }
    const SparseMatrix t = seen(bumps_, phi.col(0), images);
    const SparseMatrix mass = bumps_.gram(phi.col(0).cwiseProduct(places_.right));
    const Vector stationary = stationary_factors(t, mass);
    if (stationary.size() == 0) {
      return;
    }
    const Block factors = bumps_.expand(stationary).cwiseMax(0.0);
    const Vector sharper = phi.cwiseProduct(factors);
    if (!sharper.allFinite() || !(sharper.sum() > 0.0)) {
      return;
    }
    places_.left = sharper / sharper.maxCoeff();
  }
}

bool CoarseSpace::set_matrices(const std::vector<Image>& images, Index wanted) {
  matrix_ = CoarseMatrix::build(seen(bumps_, places_.left, images),
                                bumps_.gram(places_.left.cwiseProduct(places_.right)), 3 * wanted + 10, wanted);
  return matrix_.has_value();
}

/// B^T l f, with r for the transpose.
Matrix CoarseSpace::reduced(PointsView f, bool transposed) const {
  return bumps_.sums(scaled_rows(transposed ? places_.right : places_.left, f));
}

/// r B y, with l for the transpose.
Block CoarseSpace::expanded(const Matrix& y, bool transposed) const {
  Block f = bumps_.expand(y);
  scale_rows(transposed ? places_.left : places_.right, f);
  return f;
}

bool CoarseSpace::turns(Index count) const {
  const Eigen::VectorXcd& values = matrix_->leading_values();
  return (values.head(std::min(count, values.size())).imag().array() != 0.0).any();
}

Block CoarseSpace::leading(Index count, bool transposed) const {
  const Matrix& vectors = matrix_->leading(transposed);
  return expanded(vectors.leftCols(std::min(count, vectors.cols())), transposed);
}

Block CoarseSpace::solved(PointsView f, const Shifts& shifts, bool transposed) const {
  const Matrix c = reduced(f, transposed);
  // What is left of f, rough, A would make vanish: A - theta is nearly -1 there.
  return expanded(matrix_->solved(c, shifts, transposed) + matrix_->mass_solved(c), transposed) - f;
}

Block CoarseSpace::slow_solved(PointsView u, const Shifts& shifts, bool transposed) const {
  const Matrix c = reduced(u, transposed);
  return expanded(matrix_->slow_solved(c, shifts, transposed) + matrix_->mass_solved(c), transposed) - u;
}

Block CoarseSpace::rough(PointsView f, bool transposed) const {
  return f - expanded(matrix_->mass_solved(reduced(f, transposed)), transposed);
}

}  // namespace itomap::detail
