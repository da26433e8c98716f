#include "reproduce/carbon_chain.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "itomap/dynamics/align.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"

namespace itomap::reproduce {
namespace {

constexpr Index atoms = 4;
constexpr double bond = 0.153;                                 // nm
constexpr double bond_angle = 112.7 * std::numbers::pi / 180;  // of the force field
constexpr Index density_frames = 2000;

Points stacked(const std::vector<Points>& runs) {
  Index rows = 0;
  for (const auto& run : runs) {
    rows += run.rows();
  }
  Points all(rows, 3 * atoms);
  rows = 0;
  for (const auto& run : runs) {
    all.middleRows(rows, run.rows()) = run;
    rows += run.rows();
  }
  return all;
}

Vector kernel_sums(PointsView frames, PointsView others, double epsilon) {
  Vector sums(frames.rows());
  for (Index i = 0; i < frames.rows(); ++i) {
    sums[i] = (-(others.rowwise() - frames.row(i)).rowwise().squaredNorm().array() / (4 * epsilon)).exp().sum();
  }
  return sums;
}

}  // namespace

Vector stretched_chain() {
  const double along = bond * std::sin(bond_angle / 2);
  const double across = bond * std::cos(bond_angle / 2);
  Vector chain = Vector::Zero(3 * atoms);
  for (Index a = 0; a < atoms; ++a) {
    chain[3 * a] = (double(a) - 1.5) * along;
    chain[3 * a + 1] = (a % 2 == 0 ? 0.5 : -0.5) * across;
  }
  return chain;
}

std::vector<Points> aligned(const std::vector<Points>& runs) {
  std::vector<Points> all;
  for (const auto& run : runs) {
    all.push_back(align_frames(run, {.reference = stretched_chain()}).frames);
  }
  return all;
}

// The smallest of independent exponential times with rates w_i are a draw without replacement with probabilities ~ w_i.
Points spread_frames(const std::vector<Points>& runs, Index count, double epsilon, std::uint64_t seed) {
  const Points all = stacked(runs);
  const Points few = thin_frames({Trajectory(all)}, std::min(density_frames, all.rows()));
  const Vector sums = kernel_sums(all, few, epsilon);
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> exponential;
  Vector times(all.rows());
  for (double& time : times) {
    time = exponential(random);
  }
  times.array() *= 1 + sums.array();

  std::vector<Index> order(std::size_t(all.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  count = std::min(count, all.rows());
  std::ranges::nth_element(order, order.begin() + count - 1, {}, [&](Index i) { return times[i]; });
  order.resize(std::size_t(count));
  std::ranges::sort(order);
  return all(order, Eigen::all);
}

Points standing(PointsView chains) {
  using Atoms = Eigen::Matrix<double, 3, atoms>;
  Points result(chains.rows(), chains.cols());
  for (Index i = 0; i < chains.rows(); ++i) {
    const Atoms chain = Eigen::Map<const Atoms>(chains.row(i).data());
    const Eigen::Vector3d along = (chain.col(2) - chain.col(1)).normalized();
    const Eigen::Vector3d first = chain.col(0) - chain.col(1);
    Eigen::Matrix3d axes;
    axes.col(0) = along;
    axes.col(1) = (first - first.dot(along) * along).normalized();
    axes.col(2) = along.cross(axes.col(1));
    const Eigen::Vector3d middle = (chain.col(1) + chain.col(2)) / 2;
    Eigen::Map<Atoms>(result.row(i).data()) = axes.transpose() * (chain.colwise() - middle);
  }
  return result;
}

std::string chain_pdb(VectorView chain) {
  constexpr double angstrom = 10.0;  // in a nanometre
  std::string text;
  for (Index atom = 0; atom < chain.size() / 3; ++atom) {
    text += fmt::format("HETATM{:>5}  C{}  BUT A   1    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           C\n", atom + 1,
                        atom + 1, angstrom * chain[3 * atom], angstrom * chain[3 * atom + 1],
                        angstrom * chain[3 * atom + 2]);
  }
  for (Index atom = 1; atom < chain.size() / 3; ++atom) {
    text += fmt::format("CONECT{:>5}{:>5}\n", atom, atom + 1);
  }
  return text + "END\n";
}

}  // namespace itomap::reproduce
