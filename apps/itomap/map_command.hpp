// What dmap, tmd and lkd have in common: options and files are checked, the generator is built, its eigenpairs are
// found, and the result goes to the screen and to a directory that appears whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "itomap/analysis/error_bars.hpp"
#include "itomap/blocks/block_map.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/io/result.hpp"
#include "map_settings.hpp"

namespace itomap::cli {

class MapCommand : public Command {
 public:
  std::vector<Option> options() final;
  void run() final;
  bool shares_work() const final { return true; }

 protected:
  virtual std::vector<Option> own_options() = 0;
  virtual std::string_view epsilon_help() const;
  /// Whether distances may stand for points.
  virtual bool takes_distances() const { return true; }
  /// What is wrong with the own options, whatever the files hold.
  virtual void check_options() const {}
  /// Reads the own files; they are kept until define() is called.
  virtual void read_files(const Array& points) = 0;
  /// Enters the method and what the own options and files say; called once, and may move files away.
  virtual void define(MapDefinition& map) = 0;
  /// The same for points that come in blocks: opens the own files. `points` has their shape alone.
  virtual void define_blocks(const Array& points, BlockInput& input) = 0;

  const MapSettings& settings() const { return settings_; }

 private:
  /// Whether the points come in blocks, and have been dealt with.
  bool run_in_blocks();
  /// Whether several processes hold the rows of one kernel, each its part.
  bool shares_rows() const;
  void compute_blocks(const BlockInput& input);
  void run_in_memory();
  SaveOptions save_options() const;
  MapDefinition common_definition() const;
  MapDefinition definition(const Array& points);
  Array read_inputs();
  void compute(const Array& points, std::optional<OutputDirectory>& out);
  std::string write(OutputDirectory& out);
  void show(const std::string& json, const std::string& map_report, const std::vector<std::string>& warnings) const;

  MapSettings settings_;
  Distances distances_;
  RunRecord run_;
  std::optional<Map> map_;
  Spectrum spectrum_;
  std::optional<ErrorBars> error_bars_;
};

}  // namespace itomap::cli
