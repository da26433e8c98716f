#include "blocks/point_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace itomap::detail {
namespace {

/// Numbers of a block for each mode.
enum Number : Index {
  Share,  // sum of |phi psi|, and of its square
  ShareSquares,
  Largest,  // |psi|, and psi at the first point where it is next to that
  LargestRe,
  LargestIm,
  ReversibleNumbers,
  Left = ReversibleNumbers,  // sum of |phi|, and of its square
  LeftSquares,
  Mean,         // of phi_0 |psi|^2
  Right,        // sum of |psi|^2
  RightDefect,  // of |P psi - mu psi|^2, and the same on the left
  LeftDefect,
  LeftWeighted,  // of |phi|^2 / phi_0
  GeneralNumbers
};

/// Among entries that are equal but for rounding, the first decides.
constexpr double nearly = 1.0 - 1e-6;

/// Largest entry of a column, and the first that is next to it.
void add_largest(const Block& re, const Block& im, Index n, double* numbers) {
  double largest = 0.0;
  const auto size = [&](Index i) { return im.size() > 0 ? std::hypot(re(i, n), im(i, n)) : std::abs(re(i, n)); };
  for (Index i = 0; i < re.rows(); ++i) {
    largest = std::max(largest, size(i));  // which leaves out what is not a number
  }
  numbers[Largest] = largest;
  for (Index i = 0; i < re.rows(); ++i) {
    if (size(i) >= nearly * largest) {
      numbers[LargestRe] = re(i, n);
      numbers[LargestIm] = im.size() > 0 ? im(i, n) : 0.0;
      return;
    }
  }
}

/// The unit factor that makes the largest entry of all blocks positive.
std::complex<double> phase_of(const Block& numbers, Index first) {
  const double largest = numbers.col(first + Largest).maxCoeff();
  for (Index block = 0; block < numbers.rows(); ++block) {
    if (numbers(block, first + Largest) >= nearly * largest && largest > 0.0) {
      const std::complex<double> entry(numbers(block, first + LargestRe), numbers(block, first + LargestIm));
      return std::conj(entry) / std::abs(entry);
    }
  }
  return 1.0;
}

Block beside(const Block& a, const Block& b) {
  if (b.cols() == 0) {
    return a;
  }
  Block both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

double effective(double sum, double squares) { return squares > 0.0 ? sum * sum / squares : 0.0; }

}  // namespace

PointFunctions::PointFunctions(const BlockKernel& kernel, const NodeModes& modes)
    : kernel_(kernel),
      modes_(modes),
      right_(kernel.fields(beside(modes.right_re, modes.right_im))),
      left_(kernel.fields(beside(beside(modes.left_re, modes.left_im), modes.stationary))),
      right_defect_(kernel.fields(beside(modes.right_defect_re, modes.right_defect_im))),
      left_defect_(kernel.fields(beside(modes.left_defect_re, modes.left_defect_im))) {}

BlockFunctions PointFunctions::plain(const BlockData& data, const BlockWeights& w) const {
  const Index count = modes_.count();
  BlockFunctions f;
  f.density = w.density;
  const Block right = w.row_sums.cwiseInverse().asDiagonal() * kernel_.gathered(data, BlockSide::Targets, *right_);
  f.psi_re = right.leftCols(count);
  if (kernel_.reversible()) {
    f.psi_re *= std::sqrt(kernel_.total_weight());
    f.stationary = w.weights.cwiseProduct(w.row_sums) / kernel_.total_weight();
    f.phi_re = f.stationary.asDiagonal() * f.psi_re;
    return f;
  }
  f.psi_im = right.rightCols(count);
  const Block left = w.weights.asDiagonal() * kernel_.gathered(data, BlockSide::Sources, *left_);
  f.phi_re = left.leftCols(count);
  f.phi_im = left.middleCols(count, count);
  f.stationary = left.col(2 * count).cwiseMax(0.0);
  return f;
}

void PointFunctions::add_reversible(const BlockFunctions& f, Vector& numbers) const {
  for (Index n = 0; n < modes_.count(); ++n) {
    double* own = numbers.data() + n * ReversibleNumbers;
    for (Index i = 0; i < f.psi_re.rows(); ++i) {
      const double share = std::abs(f.phi_re(i, n) * f.psi_re(i, n));
      if (!std::isnan(share)) {
        own[Share] += share;
        own[ShareSquares] += share * share;
      }
    }
    add_largest(f.psi_re, f.psi_im, n, own);
  }
}

void PointFunctions::add_general(const BlockData& data, const BlockWeights& w, const BlockFunctions& f,
                                 Vector& numbers) const {
  const Block right =
      w.row_sums.cwiseInverse().asDiagonal() * kernel_.gathered(data, BlockSide::Targets, *right_defect_);
  const Block left = w.weights.asDiagonal() * kernel_.gathered(data, BlockSide::Sources, *left_defect_);
  constexpr double negligible = 1e-12;
  for (Index n = 0; n < modes_.count(); ++n) {
    double* own = numbers.data() + n * GeneralNumbers;
    for (Index i = 0; i < f.psi_re.rows(); ++i) {
      const double psi = f.psi_re(i, n) * f.psi_re(i, n) + f.psi_im(i, n) * f.psi_im(i, n);
      const double phi = f.phi_re(i, n) * f.phi_re(i, n) + f.phi_im(i, n) * f.phi_im(i, n);
      own[Share] += std::sqrt(psi * phi);
      own[ShareSquares] += psi * phi;
      own[Left] += std::sqrt(phi);
      own[LeftSquares] += phi;
      own[Mean] += f.stationary[i] * psi;
      own[Right] += psi;
      own[RightDefect] += std::norm(std::complex<double>(right(i, n), right(i, modes_.count() + n)));
      own[LeftDefect] += std::norm(std::complex<double>(left(i, n), left(i, modes_.count() + n)));
      const bool weighs = f.stationary[i] * double(kernel_.points()) > negligible;
      own[LeftWeighted] += weighs ? phi / f.stationary[i] : 0.0;
    }
    add_largest(f.psi_re, f.psi_im, n, own);
  }
}

ModeSummary PointFunctions::summary(const BlockPasses& passes, const std::string& pass) const {
  const bool reversible = kernel_.reversible();
  const Index numbers = modes_.count() * (reversible ? ReversibleNumbers : GeneralNumbers);
  const PassTotals totals = passes.run(pass, {.numbers = numbers}, [&](const BlockRange& block, BlockTerms& terms) {
    const auto data = kernel_.read(block);
    const BlockWeights w = kernel_.weights(*data);
    BlockFunctions f = plain(*data, w);
    for (Index i = 0; i < w.row_sums.size(); ++i) {
      if (kernel_.lost(w, i)) {
        f.psi_re.row(i).setConstant(std::numeric_limits<double>::quiet_NaN());
      }
    }
    if (reversible) {
      add_reversible(f, terms.numbers);
    } else {
      add_general(*data, w, f, terms.numbers);
    }
  });
  return reversible ? reversible_summary(totals) : general_summary(totals);
}

ModeSummary PointFunctions::reversible_summary(const PassTotals& totals) const {
  const Index count = modes_.count();
  ModeSummary s{modes_.residuals, modes_.residuals, Vector(count), Vector::Ones(count), ComplexVector(count)};
  for (Index n = 0; n < count; ++n) {
    const Index first = n * ReversibleNumbers;
    s.effective_points[n] = effective(totals.sum(first + Share), totals.sum(first + ShareSquares));
    s.factor[n] = phase_of(totals.numbers, first).real();
  }
  return s;
}

ModeSummary PointFunctions::general_summary(const PassTotals& totals) const {
  const Index count = modes_.count();
  ModeSummary s{Vector(count), Vector(count), Vector(count), Vector(count), ComplexVector(count)};
  for (Index n = 0; n < count; ++n) {
    const Index first = n * GeneralNumbers;
    const auto sum = [&](Number number) { return totals.sum(first + number); };
    const double scale = std::sqrt(sum(Mean));
    s.factor[n] = phase_of(totals.numbers, first) / scale;
    s.effective_points[n] = std::min(effective(sum(Share), sum(ShareSquares)), effective(sum(Left), sum(LeftSquares)));
    s.residuals[n] = std::sqrt(sum(RightDefect) / sum(Right));
    s.left_residuals[n] = std::sqrt(sum(LeftDefect) / sum(LeftSquares));
    s.condition[n] = scale * std::sqrt(sum(LeftWeighted));
  }
  return s;
}

BlockFunctions PointFunctions::at(const BlockRange& block, const ComplexVector& factor) const {
  const auto data = kernel_.read(block);
  const BlockWeights w = kernel_.weights(*data);
  BlockFunctions f = plain(*data, w);
  if (kernel_.reversible()) {
    f.psi_re *= factor.real().asDiagonal();
    f.phi_re *= factor.real().asDiagonal();
  } else {
    const ComplexMatrix psi = (f.psi_re.cast<std::complex<double>>() +
                               std::complex<double>(0.0, 1.0) * f.psi_im.cast<std::complex<double>>()) *
                              factor.asDiagonal();
    const ComplexMatrix phi = (f.phi_re.cast<std::complex<double>>() +
                               std::complex<double>(0.0, 1.0) * f.phi_im.cast<std::complex<double>>()) *
                              factor.cwiseInverse().asDiagonal();
    f.psi_re = psi.real();
    f.psi_im = psi.imag();
    f.phi_re = phi.real();
    f.phi_im = phi.imag();
  }
  for (Index i = 0; i < w.row_sums.size(); ++i) {
    if (kernel_.lost(w, i)) {
      f.psi_re.row(i).setConstant(std::numeric_limits<double>::quiet_NaN());
      f.phi_re.row(i).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
  return f;
}

}  // namespace itomap::detail
