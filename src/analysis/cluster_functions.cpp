#include "analysis/cluster_functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

bool contains(const std::vector<Index>& indices, Index n) { return std::ranges::find(indices, n) != indices.end(); }

Index last_function(const Spectrum& spectrum) { return spectrum.eigenvalues.size() - 1; }

/// The other half of a complex pair, the function itself if it is real.
Index partner(const Spectrum& spectrum, Index n) {
  const double im = spectrum.eigenvalues[n].imag();
  if (im == 0.0 || spectrum.is_real()) {
    return n;
  }
  return im > 0.0 ? n + 1 : n - 1;
}

/// Sound functions, slowest first; k-means takes a last pair whole, which PCCA+ cannot.
std::vector<Index> default_functions(const Spectrum& spectrum, Index wanted, ClusterMethod method) {
  std::vector<Index> indices;
  for (Index n = 1; n <= last_function(spectrum) && Index(indices.size()) < wanted; ++n) {
    if (!spectrum.is_spurious(n)) {
      indices.push_back(n);
    }
  }
  if (indices.empty() || method == ClusterMethod::Pcca) {
    return indices;
  }
  const Index other = partner(spectrum, indices.back());
  if (other > indices.back() && other <= last_function(spectrum)) {
    indices.push_back(other);
  }
  return indices;
}

std::vector<Index> spurious_up_to(const Spectrum& spectrum, Index last) {
  std::vector<Index> found;
  std::ranges::copy_if(spectrum.spurious, std::back_inserter(found), [last](Index n) { return n <= last; });
  return found;
}

void check_indices(const Spectrum& spectrum, const std::vector<Index>& indices) {
  for (const Index n : indices) {
    if (n < 1 || n > last_function(spectrum)) {
      throw InvalidArgument(
          fmt::format("functions: {} is not among the eigenfunctions 1 to {}; name others, or compute more", n,
                      last_function(spectrum)));
    }
    if (std::ranges::count(indices, n) > 1) {
      throw InvalidArgument(fmt::format("functions: {} is named twice; name each once", n));
    }
  }
}

void check_pairs(const Spectrum& spectrum, const std::vector<Index>& indices) {
  for (const Index n : indices) {
    const Index other = partner(spectrum, n);
    if (contains(indices, other)) {
      continue;
    }
    throw InvalidArgument(
        fmt::format("functions: {} is half of the complex pair {}, {}; take both or none, with sets to match: one more "
                    "than functions",
                    n, std::min(n, other), std::max(n, other)));
  }
}

void check_number(const Spectrum& spectrum, Index found, const ClusterOptions& options, ClusterMethod method) {
  if (options.sets > found + 1) {
    const auto& bad = spectrum.spurious;
    const auto left_out =
        options.functions.empty() && !bad.empty()
            ? fmt::format(" that are not spurious ({} are; name them as functions to use them)", fmt::join(bad, ", "))
            : "";
    throw InvalidArgument(
        fmt::format("sets: {} need {} functions, but there are {}{}; ask for fewer sets or more functions",
                    options.sets, options.sets - 1, found, left_out));
  }
  if (method == ClusterMethod::Pcca && options.sets < found + 1) {
    throw InvalidArgument(
        fmt::format("functions: pcca finds {} sets from exactly {}, but {} are named; name fewer, or use kmeans",
                    options.sets, options.sets - 1, found));
  }
}

void warn(const Spectrum& spectrum, bool by_default, ChosenFunctions& chosen) {
  const auto& indices = chosen.indices;
  std::vector<Index> spurious, unconverged;
  for (const Index n : indices) {
    if (spectrum.is_spurious(n)) {
      spurious.push_back(n);
    }
    if (std::size_t(n) < spectrum.status.size() && spectrum.status[n] != PairStatus::Converged) {
      unconverged.push_back(n);
    }
  }
  const auto passed_over = spurious_up_to(spectrum, indices.back());
  if (by_default && !passed_over.empty()) {
    chosen.warnings.push_back(
        fmt::format("function(s) {} are spurious and were passed over, {} used; name them as functions to use them",
                    fmt::join(passed_over, ", "), fmt::join(indices, ", ")));
  }
  if (!spurious.empty()) {
    chosen.warnings.push_back(fmt::format(
        "function(s) {} are spurious: sets made of them hold a handful of points; leave them out of functions",
        fmt::join(spurious, ", ")));
  }
  if (!unconverged.empty()) {
    chosen.warnings.push_back(
        fmt::format("function(s) {} have not converged; choose others as functions", fmt::join(unconverged, ", ")));
  }
}

}  // namespace

ChosenFunctions choose_functions(const Spectrum& spectrum, const ClusterOptions& options, ClusterMethod method) {
  if (options.sets < 2) {
    throw InvalidArgument(fmt::format("sets: {} is less than 2; ask for 2 or more", options.sets));
  }
  const bool by_default = options.functions.empty();
  ChosenFunctions chosen{by_default ? default_functions(spectrum, options.sets - 1, method) : options.functions, {}};
  check_indices(spectrum, chosen.indices);
  check_number(spectrum, Index(chosen.indices.size()), options, method);
  check_pairs(spectrum, chosen.indices);
  warn(spectrum, by_default, chosen);
  return chosen;
}

Block real_functions(const Spectrum& spectrum, const std::vector<Index>& indices) {
  Block values(spectrum.eigenfunctions.rows(), Index(indices.size()));
  for (Index k = 0; k < values.cols(); ++k) {
    const Index n = indices[k];
    // The second of a conjugate pair has the same real part: it gives way to the imaginary part of the first.
    if (partner(spectrum, n) < n) {
      values.col(k) = -spectrum.eigenfunctions.im.col(n);
    } else {
      values.col(k) = spectrum.eigenfunctions.col(n);
    }
  }
  return values;
}

}  // namespace itomap::detail
