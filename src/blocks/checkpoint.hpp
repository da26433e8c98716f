// What the passes of a run have summed so far, in files: a run that was killed goes on from there.
//
// One file a pass and rank, replaced as a whole, with a checksum: one that was cut short or damaged counts as none. The
// directory knows which run it belongs to, and another is refused.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "blocks/passes.hpp"

namespace itomap::detail {

class Checkpoint {
 public:
  using Interval = std::chrono::duration<double>;

  /// Creates the directory if it is missing. `identity` says everything that the sums depend on. InvalidArgument if
  /// the directory has sums of another run, IoError if it cannot be written.
  Checkpoint(const std::filesystem::path& directory, const std::string& identity, const Ranks& ranks,
             Interval interval);

  /// How long to go on between two saves.
  Interval interval() const { return interval_; }

  /// Takes over what there is of this pass; leaves the state alone if there is nothing that fits.
  void load(const std::string& pass, PassState& state) const;
  void save(const std::string& pass, const PassState& state) const;

  /// A run is over: removes its files, and the directory if nothing else is in it.
  static void remove(const std::filesystem::path& directory) noexcept;

 private:
  std::filesystem::path file(const std::string& pass) const;

  std::filesystem::path directory_;
  std::string rank_;  // part of file names
  Interval interval_;
};

}  // namespace itomap::detail
