#include "differential/elimination.hpp"

#include <algorithm>
#include <limits>

namespace itomap::differential {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Which states can be reached from `start`.
std::vector<bool> reachable(const Matrix& markov, Index start) {
  std::vector<bool> seen(std::size_t(markov.rows()), false);
  std::vector<Index> queue{start};
  seen[std::size_t(start)] = true;
  while (!queue.empty()) {
    const Index i = queue.back();
    queue.pop_back();
    for (Index j = 0; j < markov.cols(); ++j) {
      if (markov(i, j) > 0.0 && !seen[std::size_t(j)]) {
        seen[std::size_t(j)] = true;
        queue.push_back(j);
      }
    }
  }
  return seen;
}

/// x with zero for a factor of zero, whatever it is multiplied with.
double product(double factor, double x) { return factor > 0.0 ? factor * x : 0.0; }

}  // namespace

std::vector<std::vector<Index>> closed_classes(const Matrix& markov) {
  const Index m = markov.rows();
  std::vector<std::vector<bool>> reach;
  for (Index i = 0; i < m; ++i) {
    reach.push_back(reachable(markov, i));
  }
  std::vector<std::vector<Index>> classes;
  std::vector<bool> done(std::size_t(m), false);
  for (Index i = 0; i < m; ++i) {
    if (done[std::size_t(i)]) {
      continue;
    }
    std::vector<Index> own;
    bool closed = true;
    for (Index j = 0; j < m; ++j) {
      if (!reach[std::size_t(i)][std::size_t(j)]) {
        continue;
      }
      closed = closed && reach[std::size_t(j)][std::size_t(i)];
      own.push_back(j);
    }
    if (closed) {
      classes.push_back(own);
      for (const Index j : own) {
        done[std::size_t(j)] = true;
      }
    }
  }
  return classes;
}

Vector stationary_weights(const Matrix& markov, const std::vector<Index>& closed_class) {
  Matrix p = markov(closed_class, closed_class).cwiseMax(0.0);
  const Index n = p.rows();
  for (Index k = n - 1; k > 0; --k) {
    p.col(k).head(k) /= p.row(k).head(k).sum();
    p.topLeftCorner(k, k) += p.col(k).head(k) * p.row(k).head(k);
  }
  Vector pi = Vector::Zero(n);
  pi[0] = 1.0;
  for (Index k = 1; k < n; ++k) {
    pi[k] = pi.head(k).dot(p.col(k).head(k));
    pi /= std::max(1.0, pi[k]);
  }
  Vector all = Vector::Zero(markov.rows());
  all(closed_class) = pi / pi.sum();
  return all;
}

Vector hitting_solution(const Matrix& markov, const std::vector<Index>& inside, const Vector& b) {
  Vector outside = Vector::Ones(markov.rows());
  outside(inside).setZero();
  Vector escape = (markov.cwiseMax(0.0) * outside)(inside);
  Matrix p = markov(inside, inside).cwiseMax(0.0);
  Vector right = b(inside);
  const Index n = p.rows();
  Vector leaves(n);
  for (Index k = n - 1; k >= 0; --k) {
    leaves[k] = escape[k] + p.row(k).head(k).sum();
    for (Index i = 0; i < k && leaves[k] > 0.0; ++i) {
      const double share = p(i, k) / leaves[k];
      if (share > 0.0) {
        p.row(i).head(k) += share * p.row(k).head(k);
        escape[i] += share * escape[k];
        right[i] += share * right[k];
      }
    }
  }
  Vector x(n);
  for (Index k = 0; k < n; ++k) {
    double sum = right[k];
    for (Index j = 0; j < k; ++j) {
      sum += product(p(k, j), x[j]);
    }
    x[k] = leaves[k] > 0.0 ? sum / leaves[k] : right[k] > 0.0 ? infinite : 0.0;
  }
  // A state that leads to one eliminated later without a way out waits there for ever.
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (markov(inside[std::size_t(i)], inside[std::size_t(j)]) > 0.0 && x[j] == infinite && x[i] != infinite) {
          x[i] = infinite;
          changed = true;
        }
      }
    }
  }
  Vector all = Vector::Zero(markov.rows());
  all(inside) = x;
  return all;
}

}  // namespace itomap::differential
