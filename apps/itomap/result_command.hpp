// What the commands that start from a result directory have in common: the map is loaded, something is computed from
// it, and the files go to --out DIR or join the result, all of them or none.
#pragma once

#include <functional>
#include <string>

#include "command.hpp"
#include "result_settings.hpp"

namespace itomap::cli {

class ResultCommand : public Command {
 public:
  void run() final;
  bool shares_work() const final { return true; }

 protected:
  /// Says where a file of that name is to be written.
  using PathOf = std::function<std::string(const std::string& name)>;

  /// Throws InvalidArgument for what is wrong whatever the files hold.
  virtual void check_options() const { settings_.check(); }
  /// Whether there is something for several processes to share; otherwise the first is alone.
  virtual bool has_shares() const { return false; }
  virtual void compute(const Progress& progress) = 0;
  virtual void write(const PathOf& path) const = 0;
  virtual void show() const = 0;
  /// Whether files join the result directory where --out is not given; otherwise nothing is written then.
  virtual bool joins_result() const { return true; }

  /// The map, and the time that loading took.
  Result load(const Progress& progress);

  ResultSettings settings_;
  std::string parameters_;  // as JSON
  double load_seconds_ = 0.0;
  double seconds_ = 0.0;
};

}  // namespace itomap::cli
