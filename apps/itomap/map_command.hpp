// What dmap, tmd and lkd have in common: options and files are checked, the generator is built, its eigenpairs are
// found, and the result goes to the screen and to a directory that appears whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "itomap/analysis/error_bars.hpp"
#include "itomap/generator/map_definition.hpp"
#include "itomap/io/result.hpp"
#include "map_settings.hpp"

namespace itomap::cli {

class MapCommand : public Command {
 public:
  std::vector<Option> options() final;
  void run() final;

 protected:
  virtual std::vector<Option> own_options() = 0;
  virtual std::string_view epsilon_help() const;
  /// What is wrong with the own options, whatever the files hold.
  virtual void check_options() const {}
  /// Reads the own files; they are kept until define() is called.
  virtual void read_files(const Array& points) = 0;
  /// Enters the method and what the own options and files say; called once, and may move files away.
  virtual void define(MapDefinition& map) = 0;

  const MapSettings& settings() const { return settings_; }

 private:
  const Uncertainty* uncertainty() const { return uncertainty_ ? &*uncertainty_ : nullptr; }
  /// Returns the estimated error of the time scales; 0 where nothing was chosen.
  double choose_scales(const Progress& progress);
  void warn_of_scales(double error);
  Array read_inputs();
  void compute(const Array& points, std::optional<OutputDirectory>& out);
  std::string write(OutputDirectory& out);
  void show(const std::string& json) const;

  MapSettings settings_;
  RunRecord run_;
  MapDefinition definition_;
  Generator generator_;
  Spectrum spectrum_;
  std::optional<Uncertainty> uncertainty_;
};

}  // namespace itomap::cli
