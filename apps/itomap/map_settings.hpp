// The options that dmap, tmd and lkd share. Where the library has a structure for them it is used as it is, so that its
// defaults are ours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "error_bar_settings.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/kernel/bandwidth.hpp"
#include "itomap/kernel/kernel_options.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "option.hpp"
#include "output_settings.hpp"

namespace itomap::cli {

struct MapSettings : OutputSettings {
  std::string points;
  std::string distances;  ///< instead of points, where the command takes them
  Scale epsilon = Scale::balanced();
  Normalization normalization = MapDefinition{}.normalization;
  double bandwidth = VariableBandwidth{}.strength;
  std::uint64_t bandwidth_neighbours = 0;
  std::uint64_t manifold_dimension = 0;
  bool drop_isolated = false;
  std::uint64_t eigs = static_cast<std::uint64_t>(EigenpairsOptions{}.count);
  ErrorBarSettings error_bars;
  std::uint64_t seed = EigenpairsOptions{}.seed;
  std::uint64_t threads = 0;
  std::optional<std::size_t> memory;
  KernelOptions kernel;
  bool report = false;
  std::string write;  ///< names of arrays, with commas between them
  bool float32 = false;
  std::string checkpoint;

  /// The arrays that are asked for; empty: all.
  std::vector<std::string> arrays() const;
  /// Throws InvalidArgument where --report cannot be.
  void check_report() const;
  /// Throws InvalidArgument for what does not fit to the points.
  void check(const Array& points) const;

  VariableBandwidth variable_bandwidth() const;
  Execution execution(Progress progress) const;
  EigenpairsOptions eigenpairs_options() const;
};

/// Those that come before a command's own in the help: points, or distances where it takes them, and epsilon, whose
/// unit `epsilon_help` says.
std::vector<Option> leading_options(MapSettings& settings, std::string_view epsilon_help, bool takes_distances);
/// Those that come after.
std::vector<Option> trailing_options(MapSettings& settings);

}  // namespace itomap::cli
